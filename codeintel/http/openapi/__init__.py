"""Build the OpenAPI document from the operations and their types."""
