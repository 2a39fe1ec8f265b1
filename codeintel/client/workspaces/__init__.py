"""A workspace on disk: walking, ignore rules, packing, merging and API calls."""
