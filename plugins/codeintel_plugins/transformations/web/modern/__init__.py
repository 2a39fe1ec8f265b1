"""Newer syntax for older."""
