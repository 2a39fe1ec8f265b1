"""Loops, and what they go through."""
