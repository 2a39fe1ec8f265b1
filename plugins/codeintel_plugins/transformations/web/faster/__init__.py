"""Loops and calls that do less."""
