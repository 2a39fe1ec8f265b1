"""Helpers that several of the shipped plugins use: positions, limits, redaction, processes."""
