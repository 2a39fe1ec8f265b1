"""Bars of points: what is proven, what is unknown, and what is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from codeintel.web.plots.svg import compact, element, finite, percent, picture

THICK = 16
_LABEL = 22
_GAP = 14
_AXIS = 26
_HATCH = 6


class Bar(NamedTuple):
    """Points: `proven` up to `possible` of `whole`. `label` and `note` are above the bar."""

    label: str
    note: str
    proven: float
    possible: float
    whole: float


def bars(
    id_: str,
    title: str,
    description: str,
    rows: Sequence[Bar],
    most: float,
    marks: Sequence[float] = (),
) -> Markup:
    """Return bars one below the other on one axis that goes from 0 to `most`, with marks below
    them.

    :raises ValueError: for numbers that are not finite, and for an axis without length.
    """
    if finite(most) <= 0:
        raise ValueError("the length of the axis must be greater than 0")
    labels = _LABEL if any(row.label or row.note for row in rows) else 0
    each = labels + THICK + _GAP
    height = max(1, len(rows) * each - (0 if marks else _GAP)) + (_AXIS if marks else 0)
    body = [_hatch(id_), *_marks(marks, most, max(0, len(rows) * each - _GAP))]
    for place, row in enumerate(rows):
        body += _row(id_, row, most, place * each, labels)
    return picture(id_, title, description, *body, class_="plot", width="100%", height=height)


def _row(id_: str, row: Bar, most: float, top: float, labels: float) -> Iterator[Markup]:
    proven, possible, whole = (finite(part) / most for part in row[2:])
    possible = max(proven, possible)
    if labels:
        yield element("text", row.label, x=0, y=top + 14, class_="plot-name")
        yield element("text", row.note, x="100%", y=top + 14, class_="plot-note", text_anchor="end")
    place: dict[str, float] = {"y": top + labels, "height": THICK}
    yield element("rect", x=0, width=percent(whole), class_="plot-track", **place)
    yield element("rect", x=0, width=percent(proven), class_="plot-proven", **place)
    if possible > proven:
        yield element(
            "rect",
            x=percent(proven),
            width=percent(min(1.0, possible) - min(1.0, max(0.0, proven))),
            class_="plot-unknown",
            fill=f"url(#{id_}-hatch)",
            **place,
        )
    end = percent(proven)
    middle = top + labels
    yield element("line", x1=end, x2=end, y1=middle - 3, y2=middle + THICK + 3, class_="plot-at")


def _marks(marks: Sequence[float], most: float, bottom: float) -> Iterator[Markup]:
    for mark in marks:
        x = percent(mark / most)
        anchor = "start" if mark <= 0 else "end" if mark >= most else "middle"
        yield element("line", x1=x, x2=x, y1=0, y2=bottom + 6, class_="plot-grid")
        yield element(
            "text", compact(mark), x=x, y=bottom + 21, class_="plot-tick", text_anchor=anchor
        )


def _hatch(id_: str) -> Markup:
    """Return a pattern for unknown points, so that color is not their only mark."""
    line = element("line", x1=0, x2=0, y1=0, y2=_HATCH, class_="plot-hatch")
    pattern = element(
        "pattern",
        line,
        id=f"{id_}-hatch",
        width=_HATCH,
        height=_HATCH,
        pattern_units="userSpaceOnUse",
        pattern_transform="rotate(45)",
    )
    return element("defs", pattern)
