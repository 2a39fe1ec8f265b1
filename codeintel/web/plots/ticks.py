"""Axes: where their marks are, and what stands there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from codeintel.web.plots.svg import LARGEST, finite

_FINEST = 1e-9
"""Differences below this part of a number are none: digits would not show them."""
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`, with marks at round numbers, both ends among them."""

    low: float
    high: float
    marks: tuple[float, ...]

    def part(self, value: float) -> float:
        """How far along a value is: from 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def axis_of(values: Iterable[float], intervals: int = 4) -> Axis:
    """An axis that has room for all values, and begins at 0 unless that would flatten them.

    :param intervals: about how many.
    :raises ValueError: for numbers that are not finite.
    """
    known = [finite(value) for value in values] or [0.0]
    low, high = min(known), max(known)
    size = max(abs(low), abs(high))
    if size < 1 / LARGEST:
        low, high = 0.0, 1.0
    elif high - low <= _FINEST * size:
        low, high = low - size / 2, high + size / 2
    if 0 < low < high / 2:
        low = 0.0
    elif low / 2 < high < 0:
        high = 0.0
    step = _step((high - low) / intervals)
    first, last = floor(low / step), ceil(high / step)
    marks = tuple(place * step for place in range(first, last + 1))
    return Axis(marks[0], marks[-1], marks)


def _step(rough: float) -> float:
    """The number of 1, 2, 5, 10, ... that is next above."""
    unit = 10.0 ** floor(log10(rough))
    return next((unit * each for each in (1, 2, 5) if unit * each >= rough), 10 * unit)


def compact(value: float) -> str:
    """`950`, `1.2k`, `12.5M`, `0.25`, `1e+18`."""
    size = abs(value)
    if size >= 1e15:
        return f"{value:.0e}"
    for unit, letter in _UNITS:
        if size >= unit:
            return f"{_short(value / unit, 1)}{letter}"
    return _short(value, 0 if size >= 100 else 2) if size >= 0.01 or not size else f"{value:.0e}"


def _short(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
