"""A network as a picture: its nodes in columns by their steps from the middle, with curves between
them. Deterministic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from codeintel.web.plots.svg import element, named, number

MOST_NODES = 60
SIDE = 14
"""Most nodes that depend on the middle one."""
_NONE: Mapping[int, int] = {}
OTHERS = 8
"""Most nodes of a column that are no packages, where there are packages to show."""
_COLUMN = 250
_ROW = 26
_TOP = 40
_EDGE = 22
_LETTER = 7.2
"""Pixels that a letter takes, about."""
MOST_LETTERS = 22
_DOT = 5


class Node(NamedTuple):
    """A node of the picture. `column` is 0 in the middle, -1 for dependents, and above 0 for the
    distance to dependencies. `href` is empty for nodes without a page. If a column has too many
    nodes, those with the lowest `order` are drawn."""

    id: str
    label: str
    kind: str
    column: int
    order: float
    href: str = ""


class Tie(NamedTuple):
    """From `source` to `target`."""

    source: str
    target: str
    kind: str


class Column(NamedTuple):
    """The nodes of a column from the top, the number of omitted ones, and the number drawn in
    other columns."""

    number: int
    nodes: tuple[Node, ...]
    left_out: int
    elsewhere: int = 0

    @property
    def rows(self) -> int:
        """Lines that it takes."""
        return len(self.nodes) + bool(self.left_out) + bool(self.elsewhere)


def columns(
    nodes: Sequence[Node],
    ties: Sequence[Tie],
    packages: str,
    beyond: Mapping[int, int] = _NONE,
) -> tuple[Column, ...]:
    """Arrange at most `MOST_NODES` of the nodes in columns from the left.

    A node that is in several columns is drawn in the first of them.

    :param packages: the kind that takes precedence over others.
    :param beyond: the number of additional nodes by column.
    """
    unique = {node.id: node for node in reversed(nodes)}
    found: dict[int, list[Node]] = {node.column: [] for node in nodes}
    found |= {number: [] for number, count in beyond.items() if count > 0}
    for node in unique.values():
        found[node.column].append(node)
    right = sum(number > 0 for number in found)
    room = (MOST_NODES - 1 - SIDE) // max(1, right)
    columns = []
    rows: dict[str, float] = {}
    for at in sorted(found, key=lambda each: (abs(each), each)):
        most = 1 if at == 0 else SIDE if at < 0 else room
        shown = _chosen(found[at], most, packages)
        shown = _arranged(shown, ties, rows)
        rows |= {node.id: place - (len(shown) - 1) / 2 for place, node in enumerate(shown)}
        left_out = len(found[at]) - len(shown) + max(0, beyond.get(at, 0))
        columns.append(Column(at, tuple(shown), left_out))
    counted = _with_elsewhere(columns, nodes)
    return tuple(sorted(counted, key=lambda each: each.number))


def _with_elsewhere(columns: Sequence[Column], nodes: Iterable[Node]) -> Iterator[Column]:
    """Add the number of nodes that belong to a column and are drawn in another one."""
    drawn = {node.id: column.number for column in columns for node in column.nodes}
    given: dict[int, set[str]] = {}
    for node in nodes:
        if drawn.get(node.id, node.column) != node.column:
            given.setdefault(node.column, set()).add(node.id)
    for column in columns:
        yield column._replace(elsewhere=len(given.get(column.number, ())))


def _chosen(nodes: Iterable[Node], most: int, packages: str) -> list[Node]:
    ordered = sorted(nodes, key=lambda node: (node.order, node.id))
    first = [node for node in ordered if node.kind == packages]
    others = [node for node in ordered if node.kind != packages]
    kept = others[: max(OTHERS, most - len(first))]
    return (kept[:most] + first)[:most]


def _arranged(nodes: Sequence[Node], ties: Iterable[Tie], rows: Mapping[str, float]) -> list[Node]:
    """Place nodes close to their neighbors in the columns that are already arranged.

    Fewer lines cross this way (the barycenter heuristic of Sugiyama, 1981).
    """
    tied: dict[str, list[float]] = {}
    for tie in ties:
        for one, other in ((tie.source, tie.target), (tie.target, tie.source)):
            if other in rows:
                tied.setdefault(one, []).append(rows[other])
    middle = {id_: sum(own) / len(own) for id_, own in tied.items()}
    return sorted(
        nodes, key=lambda node: (middle.get(node.id, 0.0), node.kind, node.label, node.id)
    )


class Spot(NamedTuple):
    """The position of a node: its dot, and the end of its label."""

    x: float
    y: float
    end: float


def network(
    id_: str,
    title: str,
    description: str,
    nodes: Sequence[Node],
    ties: Sequence[Tie],
    headings: Mapping[int, str],
    packages: str,
    beyond: Mapping[int, int] | None = None,
) -> Markup:
    """Return the nodes in columns under headings, each a link if it has a page. It is a group and
    no image: links within an image would be hidden from those who do not see it.

    :param headings: by column.
    :param packages: the kind of node that is drawn rather than others.
    :param beyond: by column, how many more nodes there are than those given.
    """
    shown = columns(nodes, ties, packages, beyond or {})
    most = max((each.rows for each in shown), default=0)
    width = max(1, len(shown)) * _COLUMN
    height = _TOP + max(1, most) * _ROW + _ROW / 2
    spots = _spots(shown, height)
    body = [_arrow(id_), *_curves(id_, ties, spots)]
    for place, column in enumerate(shown):
        body += _column(column, place, spots, headings, height)
    return element(
        "svg",
        *named(id_, title, description),
        *body,
        id=id_,
        role="group",
        aria_labelledby=f"{id_}-title",
        aria_describedby=f"{id_}-desc",
        view_box=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        class_="net",
    )


def _spots(shown: Sequence[Column], height: float) -> dict[str, Spot]:
    spots = {}
    for place, column in enumerate(shown):
        x = place * _COLUMN + _EDGE
        for row, node in enumerate(column.nodes):
            end = x + 2 * _DOT + 4 + _LETTER * len(_short(node.label))
            spots[node.id] = Spot(x, _first(column, height) + row * _ROW, end)
    return spots


def _first(column: Column, height: float) -> float:
    """Return the middle of the first row of a column, which is in the middle of the picture."""
    return _TOP + (height - _TOP - column.rows * _ROW) / 2 + _ROW / 2


def _curves(id_: str, ties: Sequence[Tie], spots: Mapping[str, Spot]) -> Iterator[Markup]:
    for tie in dict.fromkeys(ties):
        source, target = spots.get(tie.source), spots.get(tie.target)
        if source is None or target is None or source is target:
            continue
        yield element(
            "path",
            d=_curve(source, target),
            class_=f"net-tie net-{_word(tie.kind)}",
            marker_end=f"url(#{id_}-arrow)",
        )


def _curve(source: Spot, target: Spot) -> str:
    """Draw a line from the label's end to a dot of a later column, otherwise from dot to dot
    around their left."""
    if source.x < target.x:
        x1, x2 = source.end + 3, target.x - _DOT - 4
        bend = max(12.0, (x2 - x1) / 2)
        turns = (x1 + bend, source.y, x2 - bend, target.y)
    else:
        x1, x2 = source.x - _DOT - 1, target.x - _DOT - 4
        if source.x > target.x:
            x2 = target.end + 5
        left = max(1.0, min(x1, x2) - _EDGE + 8) if source.x == target.x else (x1 + x2) / 2
        turns = (left, source.y, left, target.y)
    numbers = (x1, source.y, *turns, x2, target.y)
    told = [number(each) for each in numbers]
    return f"M{told[0]} {told[1]}C{' '.join(told[2:])}"


def _column(
    column: Column,
    place: int,
    spots: Mapping[str, Spot],
    headings: Mapping[int, str],
    height: float,
) -> Iterator[Markup]:
    x = place * _COLUMN + _EDGE
    heading = headings.get(column.number, "")
    yield element("text", heading, x=x - _DOT, y=18, class_="net-head")
    for node in column.nodes:
        yield _node(node, spots[node.id])
    y = _first(column, height) + len(column.nodes) * _ROW
    for told in _rest(column):
        yield element("text", told, x=x + _DOT + 6, y=y + 4, class_="net-more")
        y += _ROW


def _rest(column: Column) -> Iterator[str]:
    """Describe the nodes that are not drawn here."""
    if column.elsewhere:
        yield f"{'and ' if column.nodes else ''}{column.elsewhere:,} in other columns"
    if column.left_out:
        yield f"{'and ' if column.nodes or column.elsewhere else ''}{column.left_out:,} more"


def _node(node: Node, spot: Spot) -> Markup:
    label = element("text", _short(node.label), x=spot.x + _DOT + 6, y=spot.y + 4)
    whole = element("title", node.label)
    kind = f"net-node net-{_word(node.kind)}{'' if node.column else ' net-root'}"
    drawn = element("g", whole, _shape(node.kind, spot), label, class_=kind)
    return element("a", drawn, href=node.href) if node.href else drawn


def _shape(kind: str, spot: Spot) -> Markup:
    """Draw a kind's shape, so that kinds do not differ in color alone."""
    x, y, size = spot.x, spot.y, _DOT
    if kind == "maintainer":
        corners = ((x, y - size - 1), (x + size + 1, y), (x, y + size + 1), (x - size - 1, y))
        return element("polygon", points=" ".join(f"{number(a)},{number(b)}" for a, b in corners))
    if kind == "repository":
        return element("rect", x=x - size, y=y - size, width=2 * size, height=2 * size)
    return element("circle", cx=x, cy=y, r=size)


def _arrow(id_: str) -> Markup:
    head = element("path", d="M0 0L6 3L0 6z", class_="net-arrow")
    marker = element(
        "marker",
        head,
        id=f"{id_}-arrow",
        marker_width=6,
        marker_height=6,
        ref_x=5,
        ref_y=3,
        orient="auto",
    )
    return element("defs", marker)


def _short(label: str) -> str:
    """Shorten a long label in the middle, because names differ more at their ends."""
    if len(label) <= MOST_LETTERS:
        return label
    tail = MOST_LETTERS // 2 - 1
    return f"{label[: MOST_LETTERS - tail - 1]}…{label[-tail:]}"


def _word(kind: str) -> str:
    """Return a CSS class name for a kind. This module does not know the kinds."""
    return "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in kind)
