"""Call other services over HTTP, carefully: for search and for the trust network."""
