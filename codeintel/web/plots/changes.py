"""What there is, what is new and what is gone, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from codeintel.web.plots.kinds import Kind, definitions, shape
from codeintel.web.plots.svg import element, percent, picture
from codeintel.web.plots.ticks import Axis, axis_of, compact

HEIGHT = 220
_TOP, _BOTTOM = 10, 26
_FILLED = 0.64
"""Of the room that a step has."""
_FEWEST, MOST = 10, 40
"""Steps that there is room for, and that are drawn."""


class Step(NamedTuple):
    """A step: how many stayed, came and went. `tick` is its name below the axis, a short one."""

    label: str
    tick: str
    stayed: int
    came: int
    went: int


def changes(id_: str, title: str, steps: Sequence[Step], kinds: Sequence[Kind]) -> Markup:
    """A column for each step, of many steps for the last: upwards what stayed and what came,
    downwards what went.

    :param kinds: what stayed, came and went, in this order.
    :raises ValueError: without any step.
    """
    if not steps:
        raise ValueError("there is nothing to draw")
    shown = steps[-MOST:]
    most = max(each.stayed + each.came for each in shown)
    axis = axis_of([-max(each.went for each in shown), 0, max(4, most)])
    slots = max(_FEWEST, len(shown))
    body = [definitions(id_, kinds), *_grid(axis)]
    for place, step in enumerate(shown):
        body += _column(id_, axis, kinds, step, place / slots, 1 / slots)
    body += [*_labels(shown, slots), *_marks(axis)]
    return picture(
        id_,
        title,
        _description(shown, kinds),
        *body,
        class_="plot plot-series",
        width="100%",
        height=HEIGHT,
    )


def _column(
    id_: str, axis: Axis, kinds: Sequence[Kind], step: Step, at: float, room: float
) -> Iterator[Markup]:
    stayed, came, went = kinds
    parts = (
        (stayed, step.stayed, 0, step.stayed),
        (came, step.came, step.stayed, step.stayed + step.came),
        (went, step.went, -step.went, 0),
    )
    for kind, count, low, high in parts:
        if count:
            yield from shape(
                id_,
                kind,
                f"{step.label}: {count:,} {kind.title.lower()}",
                x=percent(at + room * (1 - _FILLED) / 2),
                width=percent(room * _FILLED),
                y=_pixel(axis, high),
                height=_pixel(axis, low) - _pixel(axis, high),
            )


def _pixel(axis: Axis, value: float) -> float:
    return _TOP + (1 - axis.part(value)) * (HEIGHT - _TOP - _BOTTOM)


def _grid(axis: Axis) -> Iterator[Markup]:
    for mark in axis.marks:
        y = _pixel(axis, mark)
        class_ = "plot-grid" if mark else "plot-grid plot-zero"
        yield element("line", x1=0, x2="100%", y1=y, y2=y, class_=class_)


def _marks(axis: Axis) -> Iterator[Markup]:
    for mark in axis.marks:
        yield element(
            "text",
            compact(abs(mark)),
            x=0,
            y=_pixel(axis, mark) + 4,
            dx=-8,
            class_="plot-tick",
            text_anchor="end",
        )


def _labels(shown: Sequence[Step], slots: int) -> Iterator[Markup]:
    """The first step and the last; between them there may be no room."""
    ends = [(0, "start", 0.0)]
    if len(shown) > 1:
        ends.append((len(shown) - 1, "end", 1.0))
    for place, anchor, side in ends:
        x = percent((place + side) / slots)
        yield element(
            "text", shown[place].tick, x=x, y=HEIGHT - 6, class_="plot-tick", text_anchor=anchor
        )


def _description(shown: Sequence[Step], kinds: Sequence[Kind]) -> str:
    stayed, came, went = (kind.title.lower() for kind in kinds)
    first, last = shown[0], shown[-1]
    told = f"{last.label}: {last.came:,} {came}, {last.stayed:,} {stayed}, {last.went:,} {went}."
    if first is last:
        return told
    return f"{first.label}: {first.came + first.stayed:,} in all. {told}"
