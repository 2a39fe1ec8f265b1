"""Kinds of things in a plot: each has a colour and a pattern, so that no colour tells alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from codeintel.web.plots.svg import element

SIZE = 8
"""Of a pattern's tile, in pixels."""


class Kind(NamedTuple):
    """A kind. `name` is for classes and ids, `title` for people; `pattern` is `stripes`, `dots`,
    `lines`, or empty for none."""

    name: str
    title: str
    pattern: str = ""


def definitions(id_: str, kinds: Sequence[Kind]) -> Markup:
    """The patterns of a plot.

    :param id_: that of the plot.
    """
    return element("defs", *(_pattern(id_, kind) for kind in kinds if kind.pattern))


def shape(id_: str, kind: Kind, hover: str, **place: float | str) -> Iterator[Markup]:
    """A rectangle of a kind, in its colour and below its pattern."""
    yield element("rect", element("title", hover), class_=f"plot-part part-{kind.name}", **place)
    if kind.pattern:
        fill = f"url(#{id_}-{kind.name})"
        yield element("rect", element("title", hover), class_="plot-over", fill=fill, **place)


def key(id_: str, kinds: Sequence[Kind], label: str) -> Markup:
    """A list of what the kinds look like, in the page that has the plot.

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
