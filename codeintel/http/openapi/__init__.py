"""The OpenAPI document, made from the operations and their types."""
