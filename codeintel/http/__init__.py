"""The HTTP layer that all endpoints share."""
