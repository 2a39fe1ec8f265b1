"""API keys: their format, their storage, their life."""
