"""A figure over time: its past, and its forecast with a band."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from markupsafe import Markup

from codeintel.web.plots.svg import Axis, axis_of, compact, element, number, percent, picture

HEIGHT = 220
_TOP, _BOTTOM = 20, 26
_WIDE, _HIGH = 1000, 1000
"""Of the part that is stretched to the width of the page."""
MOST_DRAWN = 200
_DOTTED = 30
"""Counts that are drawn as dots too."""


class Past(NamedTuple):
    """The value of a past day."""

    at: date
    value: float


class Ahead(NamedTuple):
    """The forecast for a day, with the ends of its band."""

    at: date
    value: float
    low: float
    high: float


class _Plot(NamedTuple):
    first: int
    last: int
    axis: Axis

    def x(self, at: date) -> float:
        """Return the horizontal position, from 0 to 1. A single day is in the middle."""
        days = self.last - self.first
        return (at.toordinal() - self.first) / days if days else 0.5

    def y(self, value: float) -> float:
        """Return the vertical position, from 0 at the top to 1."""
        return 1.0 - self.axis.part(value)

    def pixel(self, value: float) -> float:
        """Return the vertical position in pixels."""
        return _TOP + self.y(value) * (HEIGHT - _TOP - _BOTTOM)

    def point(self, at: date, value: float) -> str:
        """Return the position in the stretched part."""
        return f"{number(_WIDE * self.x(at))},{number(_HIGH * self.y(value))}"


def series(
    id_: str, title: str, description: str, past: Sequence[Past], ahead: Sequence[Ahead]
) -> Markup:
    """Draw past and forecast, both in order of time. Either may be empty. A long past is thinned
    out.

    :raises ValueError: for numbers that are not finite, and if both are empty.
    """
    past = _thinned(past)
    days = [each.at.toordinal() for each in past] + [each.at.toordinal() for each in ahead]
    if not days:
        raise ValueError("the plot has no values")
    values = [each.value for each in past]
    values += [side for each in ahead for side in each[1:]]
    plot = _Plot(min(days), max(days), axis_of(values))
    body = [*_grid(plot), _stretched(plot, past, ahead), *_dots(plot, past, ahead)]
    body += [*_days(plot, past, ahead), *_values(plot)]
    return picture(
        id_, title, description, *body, class_="plot plot-series", width="100%", height=HEIGHT
    )


def _thinned(past: Sequence[Past]) -> Sequence[Past]:
    """Return every nth value, including the last."""
    every = -(-len(past) // MOST_DRAWN)
    return past[::-1][::every][::-1] if every > 1 else past


def _grid(plot: _Plot) -> Iterator[Markup]:
    for mark in plot.axis.marks:
        y = plot.pixel(mark)
        yield element("line", x1=0, x2="100%", y1=y, y2=y, class_="plot-grid")


def _values(plot: _Plot) -> Iterator[Markup]:
    """Draw the values left of the lines, in the space that the page leaves for them."""
    for mark in plot.axis.marks:
        yield element(
            "text",
            compact(mark),
            x=0,
            y=plot.pixel(mark) + 4,
            dx=-8,
            class_="plot-tick",
            text_anchor="end",
        )


def _stretched(plot: _Plot, past: Sequence[Past], ahead: Sequence[Ahead]) -> Markup:
    """Draw the paths, which cannot use percentages."""
    start = past[-1] if past else None
    parts = []
    if ahead:
        upper = [plot.point(each.at, each.high) for each in ahead]
        lower = [plot.point(each.at, each.low) for each in reversed(ahead)]
        joint = [plot.point(*start)] if start else []
        parts.append(element("polygon", points=" ".join(joint + upper + lower), class_="plot-band"))
        line = joint + [plot.point(each.at, each.value) for each in ahead]
        parts.append(element("polyline", points=" ".join(line), class_="plot-ahead"))
    if past:
        line = [plot.point(*each) for each in past]
        parts.append(element("polyline", points=" ".join(line), class_="plot-past"))
    return element(
        "svg",
        *parts,
        x=0,
        y=_TOP,
        width="100%",
        height=HEIGHT - _TOP - _BOTTOM,
        view_box=f"0 0 {_WIDE} {_HIGH}",
        preserve_aspect_ratio="none",
    )


def _dots(plot: _Plot, past: Sequence[Past], ahead: Sequence[Ahead]) -> Iterator[Markup]:
    if len(past) <= _DOTTED:
        for each in past:
            yield _dot(plot, each.at, each.value, "plot-dot")
    if ahead:
        end = ahead[-1]
        yield _dot(plot, end.at, end.value, "plot-end")


def _dot(plot: _Plot, at: date, value: float, class_: str) -> Markup:
    return element("circle", cx=percent(plot.x(at)), cy=plot.pixel(value), r=3.5, class_=class_)


def _days(plot: _Plot, past: Sequence[Past], ahead: Sequence[Ahead]) -> Iterator[Markup]:
    """Yield the first day, the last, and that on which the forecast begins if there is room."""
    first, last = date.fromordinal(plot.first), date.fromordinal(plot.last)
    if past and ahead:
        x = percent(plot.x(past[-1].at))
        yield element("line", x1=x, x2=x, y1=0, y2=HEIGHT - _BOTTOM, class_="plot-now")
        anchor = "end" if plot.x(past[-1].at) > 0.5 else "start"
        shift = {"dx": -6.0 if anchor == "end" else 6.0}
        yield element(
            "text",
            "forecast starts here",
            x=x,
            y=11,
            class_="plot-tick",
            text_anchor=anchor,
            **shift,
        )
    yield _day(first, "0", "start")
    if last != first:
        yield _day(last, "100%", "end")


def _day(at: date, x: str, anchor: str) -> Markup:
    return element(
        "text",
        f"{at:%b} {at.day}, {at:%Y}",
        x=x,
        y=HEIGHT - 6,
        class_="plot-tick",
        text_anchor=anchor,
    )
