"""Where the nodes of a network lie: in columns by their steps from the middle. Deterministic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

MOST_NODES = 60
SIDE = 14
"""Most nodes that depend on the middle one."""
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
    """Its nodes from the top, and how many are left out."""

    number: int
    nodes: tuple[Node, ...]
    left_out: int


def columns(nodes: Sequence[Node], ties: Sequence[Tie], packages: str) -> tuple[Column, ...]:
    """At most `MOST_NODES` of the nodes, in columns from the left.

    :param packages: the kind that counts more than others.
    """
    unique = {node.id: node for node in reversed(nodes)}
    found: dict[int, list[Node]] = {}
    for node in unique.values():
        found.setdefault(node.column, []).append(node)
    right = sum(number > 0 for number in found)
    room = (MOST_NODES - 1 - SIDE) // max(1, right)
    columns = []
    rows: dict[str, float] = {}
    for number in sorted(found, key=lambda each: (abs(each), each)):
        most = 1 if number == 0 else SIDE if number < 0 else room
        shown = _chosen(found[number], most, packages)
        shown = _arranged(shown, ties, rows)
        rows |= {node.id: place - (len(shown) - 1) / 2 for place, node in enumerate(shown)}
        columns.append(Column(number, tuple(shown), len(found[number]) - len(shown)))
    return tuple(sorted(columns, key=lambda each: each.number))


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
