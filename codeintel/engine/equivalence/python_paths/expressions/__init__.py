"""Expressions: conditions, calls and what else has a value."""
