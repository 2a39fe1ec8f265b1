"""Numbers in words."""

from __future__ import annotations

from math import ceil

_UNITS = (("hour", 3600), ("minute", 60), ("second", 1))


def counted(number: int, noun: str) -> str:
    """`1 result`, `2,000 results`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """`90 seconds`, `2 minutes`: rounded up."""
    unit, size = next(each for each in _UNITS if seconds >= 2 * each[1] or each[1] == 1)
    return counted(ceil(seconds / size), unit)
