"""Idioms by which a language is told."""
