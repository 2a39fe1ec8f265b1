"""Expressions, with the loops and the collections that they make."""
