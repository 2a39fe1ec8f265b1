"""Putting the graph of a function's statements together, one statement after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.program.functions import Loop, Node
from codeintel.engine.symbolic.program.syntax import CType, Expr
from codeintel.engine.symbolic.program.walk import (
    changed_names,
    compares,
    stepped_names,
    touched_names,
)

Edge = tuple[int, str]
EXIT = -1


class Graph:
    """A graph that grows at its loose ends: the edges that lead to whatever is added next."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.loose: list[Edge] = []
        self.breaks: list[list[Edge]] = []
        self.continues: list[list[Edge]] = []
        self._labels: dict[str, int] = {}
        self._gotos: list[tuple[str, list[Edge]]] = []
        self._tries: list[int] = []
        self._loops = 0

    def add(
        self,
        kind: str,
        span: Span,
        expr: Expr | None = None,
        *,
        name: str = "",
        type_: CType | None = None,
        direct: bool = False,
        static: bool = False,
        names: tuple[str, ...] = (),
    ) -> int:
        """Add a statement after the loose ends; its own end is the new loose one."""
        number = len(self.nodes)
        handler = self._tries[-1] if self._tries else EXIT
        self.nodes.append(
            Node(kind, span, expr, name=name, type=type_, direct=direct, static=static,
                 names=names, handler=handler)
        )  # fmt: skip
        self.join(number)
        self.loose = [(number, "next")]
        return number

    def join(self, target: int) -> None:
        """Lead all loose ends to a node."""
        self._connect(self.loose, target)
        self.loose = []

    def _connect(self, edges: list[Edge], target: int) -> None:
        for number, slot in edges:
            node = self.nodes[number]
            if slot == "next":
                node.next = target
            elif slot == "other":
                node.other = target
            else:
                position = int(slot)
                cases = list(node.cases)
                cases[position] = (cases[position][0], target)
                node.cases = tuple(cases)

    def case(self, switch: int, value: Expr | None, target: int) -> None:
        """Let a switch, or an exception, have one more way."""
        self.nodes[switch].cases = (*self.nodes[switch].cases, (value, target))

    def label(self, name: str, span: Span) -> None:
        """A label stands here."""
        self._labels[name] = self.add("join", span)

    def goto(self, name: str) -> None:
        """The loose ends lead to a label."""
        self._gotos.append((name, self.loose))
        self.loose = []

    def leave(self, targets: list[list[Edge]]) -> None:
        """The loose ends lead to where the innermost loop ends or goes on."""
        if targets:
            targets[-1] += self.loose
        self.loose = []

    @contextmanager
    def loop(self, span: Span, container: Expr | None = None) -> Iterator[int]:
        """A loop: its head is added, and all that is added within belongs to it. Whoever uses it
        leads the end of the body back to the head."""
        self._loops += 1
        head = self.add("loop", span)
        self.breaks.append([])
        self.continues.append([])
        number = self._loops
        yield head
        self.continues.pop()
        exits = self.breaks.pop()
        inside = self.nodes[head:]
        exprs = [node.expr for node in inside if node.expr is not None]
        tests = [node.expr for node in inside if node.kind == "test" and node.expr is not None]
        declared = {node.name for node in inside if node.kind == "declare"}
        steps = {n: by for n, by in stepped_names(exprs).items() if n not in declared}
        self.nodes[head].loop = Loop(
            number, span, steps, changed_names(exprs), compares(tests, steps), container,
            len(self.nodes) - 1, touched_names(exprs),
        )  # fmt: skip
        self.loose += exits

    @contextmanager
    def attempt(self, span: Span) -> Iterator[int]:
        """A `try` block; its handlers are added as cases of the node afterwards."""
        number = self.add("try", span)
        self._tries.append(number)
        yield number
        self._tries.pop()

    def finish(self) -> tuple[list[int], frozenset[int]]:
        """Lead what is loose to the exit, and goto to its labels.

        :returns: for each node its place in an order in which nodes come after those before them;
            and the nodes at which paths come together.
        """
        self.join(EXIT)
        for name, edges in self._gotos:
            self._connect(edges, self._labels.get(name, EXIT))
        seen: set[int] = set()
        joins: set[int] = set()
        for number in range(len(self.nodes)):
            for target in successors(self.nodes, number):
                (joins if target in seen else seen).add(target)
        return self._order(), frozenset(joins)

    def _order(self) -> list[int]:
        finished: list[int] = []
        seen = {0}
        stack: list[tuple[int, Iterator[int]]] = []
        if self.nodes:
            stack.append((0, iter(successors(self.nodes, 0))))
        while stack:
            number, targets = stack[-1]
            for target in targets:
                if target != EXIT and target not in seen:
                    seen.add(target)
                    stack.append((target, iter(successors(self.nodes, target))))
                    break
            else:
                finished.append(number)
                stack.pop()
        order = [len(self.nodes)] * len(self.nodes)
        for position, number in enumerate(reversed(finished)):
            order[number] = position
        return order


def successors(nodes: list[Node], number: int) -> list[int]:
    """Where a node leads to."""
    node = nodes[number]
    found = [target for _, target in node.cases]
    if node.kind in ("throw", "return"):
        return found or [EXIT]
    if node.kind == "switch" and node.direct:
        return found
    if node.kind == "test":
        return [node.other, node.next]  # what follows a loop comes after it
    return [*found, node.next]
