"""Reading requests: bodies within limits, forms, queries and the shape of JSON."""
