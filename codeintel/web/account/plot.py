"""Columns, one a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from markupsafe import Markup

from codeintel.base.text.quantities import counted
from codeintel.web.plots.svg import element, percent, picture
from codeintel.web.plots.ticks import axis_of, compact

HEIGHT = 168
_TOP, _BOTTOM = 8, 26
_FILLED = 0.7
"""Of the room that a day has."""


def columns(id_: str, title: str, noun: str, days: Sequence[tuple[date, int]]) -> Markup:
    """One column for each day, on an axis of whole numbers that begins at 0.

    :param noun: what is counted, one of them.
    :raises ValueError: without any day.
    """
    if not days:
        raise ValueError("there is nothing to draw")
    top_day, most = max(days, key=lambda each: each[1])
    axis = axis_of([0, max(4, most)])
    total = sum(value for _, value in days)
    description = (
        f"{counted(total, noun)} in {counted(len(days), 'day')}; most on {_day(top_day)}: {most:,}."
    )
    room = HEIGHT - _TOP - _BOTTOM
    body = [
        element("line", x1=0, x2="100%", y1=y, y2=y, class_="plot-grid")
        for y in (_TOP + room * (1 - axis.part(mark)) for mark in axis.marks)
    ]
    for place, (day, value) in enumerate(days):
        height = max(1.0, room * axis.part(value)) if value else 0.0  # little is not nothing
        hover = element("title", f"{_day(day)}: {counted(value, noun)}")
        body.append(
            element(
                "rect",
                hover,
                x=percent((place + (1 - _FILLED) / 2) / len(days)),
                width=percent(_FILLED / len(days)),
                y=_TOP + room - height,
                height=height,
                class_="plot-proven",
            )
        )
    body += [
        element(
            "text",
            compact(mark),
            x=0,
            y=_TOP + room * (1 - axis.part(mark)) + 4,
            dx=-8,
            class_="plot-tick",
            text_anchor="end",
        )
        for mark in axis.marks
    ]
    body += _ends(days)
    return picture(
        id_, title, description, *body, class_="plot plot-series", width="100%", height=HEIGHT
    )


def _ends(days: Sequence[tuple[date, int]]) -> Iterator[Markup]:
    """The first day and the last."""
    for day, x, anchor in ((days[0][0], "0", "start"), (days[-1][0], "100%", "end")):
        yield element("text", _day(day), x=x, y=HEIGHT - 6, class_="plot-tick", text_anchor=anchor)


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
