"""The API reference at `/docs`: a page for each operation, from the OpenAPI document."""
