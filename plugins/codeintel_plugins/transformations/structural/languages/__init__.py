"""Edits of each language."""
