"""Where the nodes of a network lie: in columns by their steps from the middle. Deterministic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

MOST_NODES = 60
SIDE = 14
"""Most nodes that depend on the middle one."""
_NONE: Mapping[int, int] = {}
OTHERS = 8
"""Most nodes of a column that are no packages, where there are packages to show."""


class Node(NamedTuple):
    """A node of the picture. `column` is 0 in the middle, -1 for what depends on it, and above 0
    what it leads to in so many steps; `href` is empty where there is no page. Of too many nodes of
    a column those with the lowest `order` are drawn."""

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
    """Its nodes from the top, how many are left out, and how many are drawn in other columns."""

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
    """At most `MOST_NODES` of the nodes, in columns from the left. A node that is in several is
    drawn where it comes first.

    :param packages: the kind that counts more than others.
    :param beyond: by column, how many more there are than those given.
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
    for number in sorted(found, key=lambda each: (abs(each), each)):
        most = 1 if number == 0 else SIDE if number < 0 else room
        shown = _chosen(found[number], most, packages)
        shown = _arranged(shown, ties, rows)
        rows |= {node.id: place - (len(shown) - 1) / 2 for place, node in enumerate(shown)}
        left_out = len(found[number]) - len(shown) + max(0, beyond.get(number, 0))
        columns.append(Column(number, tuple(shown), left_out))
    counted = _with_elsewhere(columns, nodes)
    return tuple(sorted(counted, key=lambda each: each.number))


def _with_elsewhere(columns: Sequence[Column], nodes: Iterable[Node]) -> Iterator[Column]:
    """What is given for a column and drawn in another one."""
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
    """Near to what they are tied to in the columns that are placed already, so that fewer lines
    cross (the barycentre heuristic of Sugiyama, 1981)."""
    tied: dict[str, list[float]] = {}
    for tie in ties:
        for one, other in ((tie.source, tie.target), (tie.target, tie.source)):
            if other in rows:
                tied.setdefault(one, []).append(rows[other])
    middle = {id_: sum(own) / len(own) for id_, own in tied.items()}
    return sorted(
        nodes, key=lambda node: (middle.get(node.id, 0.0), node.kind, node.label, node.id)
    )
