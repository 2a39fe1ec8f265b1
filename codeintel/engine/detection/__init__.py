"""Detect the language of code."""

from __future__ import annotations

NO_CODE = "text"
"""The result for sentences of a natural language."""
