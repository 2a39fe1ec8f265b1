"""Signing in: by link, by a provider, and what asks for it."""
