"""Oxlint, for JavaScript and TypeScript."""
