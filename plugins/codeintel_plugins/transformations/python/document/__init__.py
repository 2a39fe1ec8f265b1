"""Docstrings for what lacks them, from what the code says."""
