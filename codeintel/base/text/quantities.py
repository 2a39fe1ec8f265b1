"""Counts, sizes and times in words: the same wherever people read them. Pure."""

from __future__ import annotations

from math import ceil

_SIZES = ("bytes", "KiB", "MiB", "GiB", "TiB")
_STEP = 1024
_PAST = (("day", 86_400), ("hour", 3_600), ("minute", 60))
_WAITS = (("hour", 3_600), ("minute", 60))


def counted(number: int, noun: str) -> str:
    """`1 result`, `2,000 results`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def size(count: int) -> str:
    """`1 byte`, `12.5 KiB`, `3 GiB`: of a number of bytes."""
    if count < _STEP:
        return counted(count, "byte")
    value, unit = count / _STEP, 1
    # What would be rounded to 1,024 is one of the next unit.
    while round(value, 1) >= _STEP and unit < len(_SIZES) - 1:
        value, unit = value / _STEP, unit + 1
    return f"{f'{value:,.1f}'.removesuffix('.0')} {_SIZES[unit]}"


def duration(seconds: float) -> str:
    """`90 seconds`, `2 minutes`: rounded up, so that a wait of this length is enough."""
    for unit, length in _WAITS:
        if seconds >= 2 * length:
            return counted(ceil(seconds / length), unit)
    return counted(ceil(seconds), "second")


def lasting(seconds: float) -> str:
    """`3 days`, `5 hours`: of what goes on, rounded down to what has passed."""
    for unit, length in _PAST:
        if seconds >= length:
            return counted(int(seconds // length), unit)
    return "less than a minute"


def age(seconds: float) -> str:
    """`3 hours ago`: rounded down."""
    return f"{lasting(seconds)} ago"
