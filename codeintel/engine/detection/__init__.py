"""Telling what language code is written in."""

from __future__ import annotations

NO_CODE = "text"
"""What sentences of a natural language are."""
