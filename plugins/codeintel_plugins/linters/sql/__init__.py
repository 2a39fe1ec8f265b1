"""Checks of SQL by its parsed tree."""
