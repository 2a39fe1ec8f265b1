"""Calls of functions and methods: of the library, of the file, and of those that are unknown."""
