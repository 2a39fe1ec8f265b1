"""Statements: what they bind, and where they go on."""
