"""Elements of SVG, escaped, with finite numbers only.

Widths are percentages and heights are pixels where a plot has no `viewBox`: text keeps its size
however wide the page is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from markupsafe import Markup, escape

LARGEST = 1e150
"""Beyond it differences would not be finite."""
_NAMES = {
    "class_": "class",
    "view_box": "viewBox",
    "preserve_aspect_ratio": "preserveAspectRatio",
    "pattern_units": "patternUnits",
    "pattern_transform": "patternTransform",
    "marker_width": "markerWidth",
    "marker_height": "markerHeight",
    "ref_x": "refX",
    "ref_y": "refY",
}
# https://www.w3.org/TR/xml/#charsets
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FINEST = 1e-9
"""Differences below this part of a number are none: digits would not show them."""
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))


def finite(value: float) -> float:
    """Return the number itself.

    :raises ValueError: for what cannot be drawn.
    """
    if not isfinite(value) or abs(value) > LARGEST:
        raise ValueError(f"plots support only finite numbers up to {LARGEST:g}, not {value}")
    return value


def number(value: float) -> str:
    """Return a coordinate: at most two digits after the point."""
    text = f"{finite(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def percent(share: float) -> str:
    """Return a coordinate as a part of the width: `share` from 0 to 1."""
    return f"{number(100 * min(1.0, max(0.0, share)))}%"


def element(tag: str, *children: str, **attributes: str | float) -> Markup:
    """Return an element. Texts are escaped, markup is not; underscores in names become hyphens."""
    told = Markup().join(
        Markup(' {}="{}"').format(_NAMES.get(name, name.replace("_", "-")), _plain(value))
        for name, value in attributes.items()
    )
    inner = Markup().join(
        child if isinstance(child, Markup) else escape(_plain(child)) for child in children
    )
    return Markup("<{0}{1}>{2}</{0}>").format(tag, told, inner)


def _plain(value: str | float) -> str:
    """Return text without characters that XML does not permit."""
    return _NO_XML.sub("\ufffd", value) if isinstance(value, str) else number(value)


def picture(
    id_: str, title: str, description: str, *body: Markup, **attributes: str | float
) -> Markup:
    """Return a whole plot, which is one image to those who do not see it.

    :param id_: of the element, unique on the page.
    """
    return element(
        "svg",
        *named(id_, title, description),
        *body,
        id=id_,
        role="img",
        aria_labelledby=f"{id_}-title",
        aria_describedby=f"{id_}-desc",
        **attributes,
    )


def named(id_: str, title: str, description: str) -> tuple[Markup, Markup]:
    """Return the name of a plot, and what it shows."""
    return (
        element("title", title, id=f"{id_}-title"),
        element("desc", description, id=f"{id_}-desc"),
    )


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`, with marks at round numbers, both ends among them."""

    low: float
    high: float
    marks: tuple[float, ...]

    def part(self, value: float) -> float:
        """Return the position of a value on the axis, from 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def axis_of(values: Iterable[float], intervals: int = 4) -> Axis:
    """Return an axis for all values. It begins at 0 unless that would flatten them.

    :param intervals: the approximate number of intervals.
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
    """Return the number of 1, 2, 5, 10, ... that is next above."""
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
