"""Scopes and owners of names, and which of them are protected."""
