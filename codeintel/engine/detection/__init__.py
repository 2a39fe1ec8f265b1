"""Telling what language code is written in."""
