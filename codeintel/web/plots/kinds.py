"""Counts of several kinds: as bars made of parts, and as columns step by step. Each kind has a
color and a pattern, so that no color tells alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from codeintel.base.wording import counted
from codeintel.web.plots.svg import Axis, axis_of, compact, element, finite, percent, picture

SIZE = 8
"""Of a pattern's tile, in pixels."""
THICK = 16
_LABEL = 22
_GAP = 14
MOST_LETTERS = 30
HEIGHT = 220
_TOP, _BOTTOM = 10, 26
_FILLED = 0.64
"""Of the room that a step has."""
_FEWEST, MOST = 10, 40
"""Steps that there is room for, and that are drawn."""


class Kind(NamedTuple):
    """A kind. `name` is used in classes and ids, `title` is displayed. `pattern` is `stripes`,
    `dots`, `lines`, or empty for none."""

    name: str
    title: str
    pattern: str = ""


def definitions(id_: str, kinds: Sequence[Kind]) -> Markup:
    """Return the patterns of a plot.

    :param id_: that of the plot.
    """
    return element("defs", *(_pattern(id_, kind) for kind in kinds if kind.pattern))


def shape(id_: str, kind: Kind, hover: str, **place: float | str) -> Iterator[Markup]:
    """Yield a rectangle of a kind, in its color and below its pattern."""
    yield element("rect", element("title", hover), class_=f"plot-part part-{kind.name}", **place)
    if kind.pattern:
        fill = f"url(#{id_}-{kind.name})"
        yield element("rect", element("title", hover), class_="plot-over", fill=fill, **place)


def key(id_: str, kinds: Sequence[Kind], label: str) -> Markup:
    """Return a list of what the kinds look like, in the page that has the plot.

    :param label: what the list is of.
    """
    items = (element("li", _swatch(id_, kind), kind.title) for kind in kinds)
    return element("ul", *items, class_="plot-key", aria_label=label)


def _swatch(id_: str, kind: Kind) -> Markup:
    place: dict[str, float | str] = {"x": 0.5, "y": 0.5, "width": 19, "height": 11}
    shapes = [element("rect", class_=f"plot-part part-{kind.name}", **place)]
    if kind.pattern:
        fill = f"url(#{id_}-{kind.name})"
        shapes.append(element("rect", class_="plot-over", fill=fill, **place))
    return element("svg", *shapes, width=20, height=12, class_="swatch", aria_hidden="true")


def _pattern(id_: str, kind: Kind) -> Markup:
    turned = {"pattern_transform": "rotate(45)"} if kind.pattern == "stripes" else {}
    return element(
        "pattern",
        _mark(kind.pattern),
        id=f"{id_}-{kind.name}",
        width=SIZE,
        height=SIZE,
        pattern_units="userSpaceOnUse",
        **turned,
    )


def _mark(pattern: str) -> Markup:
    if pattern == "dots":
        return element("circle", cx=SIZE / 2, cy=SIZE / 2, r=1.75, class_="plot-dotted")
    ends: dict[str, float] = {"x1": 0, "x2": 0, "y1": 0, "y2": SIZE}
    if pattern == "lines":
        ends = {"x1": 0, "x2": SIZE, "y1": SIZE / 2, "y2": SIZE / 2}
    return element("line", class_="plot-lined", **ends)


class Stack(NamedTuple):
    """A bar with the count of each kind, in the order of the kinds. `label` and `note` are above
    the bar. Long labels are cut at the beginning."""

    label: str
    note: str
    counts: tuple[int, ...]


def stacks(id_: str, title: str, noun: str, rows: Sequence[Stack], kinds: Sequence[Kind]) -> Markup:
    """Return the bars, the longest as wide as the plot.

    :param noun: what is counted, one of them.
    :raises ValueError: if the plot has no values.
    """
    most = max((sum(row.counts) for row in rows), default=0)
    if finite(most) <= 0:
        raise ValueError("the plot has no values")
    each = _LABEL + THICK + _GAP
    body = [definitions(id_, kinds)]
    for place, row in enumerate(rows):
        body += _row(id_, row, kinds, most, place * each)
    height = len(rows) * each - _GAP + 1
    told = _stacks_description(rows, kinds, noun)
    return picture(id_, title, told, *body, class_="plot", width="100%", height=height)


def _row(id_: str, row: Stack, kinds: Sequence[Kind], most: int, top: float) -> Iterator[Markup]:
    yield element("text", _short(row.label), x=0, y=top + 14, class_="plot-name")
    yield element("text", row.note, x="100%", y=top + 14, class_="plot-note", text_anchor="end")
    begun = 0
    for kind, count in zip(kinds, row.counts, strict=True):
        if count:
            yield from shape(
                id_,
                kind,
                f"{row.label}: {count:,} {kind.title.lower()}",
                x=percent(begun / most),
                width=percent(count / most),
                y=top + _LABEL,
                height=THICK,
            )
            begun += count


def _stacks_description(rows: Sequence[Stack], kinds: Sequence[Kind], noun: str) -> str:
    told = []
    for row in rows:
        parts = (
            f"{count:,} {kind.title.lower()}"
            for kind, count in zip(kinds, row.counts, strict=True)
            if count
        )
        told.append(f"{row.label}: {counted(sum(row.counts), noun)} ({', '.join(parts)})")
    return "; ".join(told) + "."


def _short(label: str) -> str:
    """Shorten a label at the beginning, because paths differ at their ends."""
    return label if len(label) <= MOST_LETTERS else f"…{label[1 - MOST_LETTERS :]}"


class Step(NamedTuple):
    """A step: how many stayed, came and went. `tick` is its name below the axis, a short one."""

    label: str
    tick: str
    stayed: int
    came: int
    went: int


def changes(id_: str, title: str, steps: Sequence[Step], kinds: Sequence[Kind]) -> Markup:
    """Return a column for each step, of many steps for the last: upwards what stayed and what came,
    downwards what went.

    :param kinds: what stayed, came and went, in this order.
    :raises ValueError: without any step.
    """
    if not steps:
        raise ValueError("the plot has no values")
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
    """Yield the first step and the last, below their columns. Between them may be no room."""
    for place in sorted({0, len(shown) - 1}):
        x = percent((place + 0.5) / slots)
        yield element(
            "text", shown[place].tick, x=x, y=HEIGHT - 6, class_="plot-tick", text_anchor="middle"
        )


def _description(shown: Sequence[Step], kinds: Sequence[Kind]) -> str:
    stayed, came, went = (kind.title.lower() for kind in kinds)
    first, last = shown[0], shown[-1]
    told = f"{last.label}: {last.came:,} {came}, {last.stayed:,} {stayed}, {last.went:,} {went}."
    if first is last:
        return told
    return f"{first.label}: {first.came + first.stayed:,} in total. {told}"
