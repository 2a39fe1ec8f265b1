"""Lists as people read them."""

from __future__ import annotations


def some(items: list[str], most: int = 3) -> str:
    """The first ones, and how many more there are."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
