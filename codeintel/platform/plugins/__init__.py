"""Plugins: hooks, loading, and the registry of what they bring."""
