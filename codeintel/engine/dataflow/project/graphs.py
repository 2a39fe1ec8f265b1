"""Order the nodes of a graph bottom-up: each strongly connected component after those it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node")


def components(
    nodes: Iterable[Node], needs: Callable[[Node], Iterable[Node]]
) -> Iterator[list[Node]]:
    """Yield the strongly connected components of a graph, those that others need first.

    This is Tarjan's algorithm without recursion, because call chains can be long.
    """
    numbers: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    for root in nodes:
        if root in numbers:
            continue
        work: list[tuple[Node, Iterator[Node]]] = []
        _enter(root, numbers, lowest, stack, on_stack)
        work.append((root, iter(needs(root))))
        while work:
            node, left = work[-1]
            for child in left:
                if child not in numbers:
                    _enter(child, numbers, lowest, stack, on_stack)
                    work.append((child, iter(needs(child))))
                    break
                if child in on_stack:
                    lowest[node] = min(lowest[node], numbers[child])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == numbers[node]:
                    yield _component(node, stack, on_stack)


def _enter(
    node: Node,
    numbers: dict[Node, int],
    lowest: dict[Node, int],
    stack: list[Node],
    on_stack: set[Node],
) -> None:
    numbers[node] = lowest[node] = len(numbers)
    stack.append(node)
    on_stack.add(node)


def _component(node: Node, stack: list[Node], on_stack: set[Node]) -> list[Node]:
    found: list[Node] = []
    while True:
        member = stack.pop()
        on_stack.discard(member)
        found.append(member)
        if member == node:
            return found
