"""A workspace on disk: walk, ignore rules, packing, merging and the API's calls."""
