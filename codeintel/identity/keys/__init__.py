"""API keys: their format, storage and lifetime."""
