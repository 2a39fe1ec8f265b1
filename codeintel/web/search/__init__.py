"""The page of the search over registries."""
