"""Authentication and authorization: the caller of a request, and its rights."""
