"""Simpler ways to say the same."""
