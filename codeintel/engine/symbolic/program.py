"""Functions of a file, and the graphs of their statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.syntax import (
    CType,
    Expr,
    changed_names,
    compares,
    stepped_names,
    touched_names,
)


@dataclass(slots=True)
class Loop:
    """The effects of a loop.

    `stepped` holds the variables that only `+=`, `++` and the like change, with their direction.
    `changed` holds all variables that the loop changes. `compares` says whether a condition
    compares anything with a limit. `last` is the number of its last node. `touched` holds the
    variables through which the loop may write.
    """

    number: int
    span: Span
    stepped: Mapping[str, int]
    changed: frozenset[str]
    compares: bool
    container: Expr | None = None
    last: int = 0
    touched: frozenset[str] = frozenset()


@dataclass(slots=True)
class Node:
    """A statement in a graph. `next` and `other` are numbers of nodes, -1 for the function's end.

    `kind` is one of: do (an expression), declare (a variable), test (`other` is the next node if
    the condition is false), switch, return, throw, try, loop (a loop's head), leave (a block's end,
    where the variables `names` end), join. `cases` are the ways of a switch, with their values
    (None for the default), and the handlers of a try. `handler` is the number of the try around it.
    """

    kind: str
    span: Span
    expr: Expr | None = None
    next: int = -1
    other: int = -1
    name: str = ""
    type: CType | None = None
    direct: bool = False
    static: bool = False
    cases: tuple[tuple[Expr | None, int], ...] = ()
    loop: Loop | None = None
    names: tuple[str, ...] = ()
    handler: int = -1


class Parameter(NamedTuple):
    """A function's parameter."""

    span: Span
    name: str
    type: CType


@dataclass(slots=True)
class Function:
    """A function with its graph. `entry` is the number of its first node."""

    span: Span
    name: str
    owner: str
    parameters: tuple[Parameter, ...]
    result: CType
    static: bool
    nodes: list[Node]
    entry: int
    body: Span
    initialised: tuple[tuple[str, tuple[Expr, ...], Span], ...] = ()
    order: list[int] = field(default_factory=list)
    joins: frozenset[int] = frozenset()
    """The nodes at which paths come together."""


class Member(NamedTuple):
    """A field of a structure or class."""

    name: str
    type: CType
    span: Span
    initialised: bool


@dataclass(slots=True)
class Record:
    """A structure, union or class.

    `plain` says that it has the usual layout and only its members: no bases, bit fields,
    unnamed members or attributes.
    """

    name: str
    members: dict[str, Member]
    union: bool
    methods: frozenset[str]
    span: Span
    plain: bool = True


@dataclass(slots=True)
class TranslationUnit:
    """The functions, types and names that a file defines.

    The keys of `records` are written like types (`struct node`). Each of `globals` has a type, an
    initializer and whether it is constant. `prototypes` holds the types of the parameters. `calls`
    counts the calls of a function in the file. If several functions have the same name, the later
    ones get a prime.
    """

    functions: dict[str, Function]
    records: dict[str, Record]
    typedefs: dict[str, CType]
    constants: dict[str, Expr]
    globals: dict[str, tuple[CType, Expr | None, bool]]
    prototypes: dict[str, tuple[CType, ...]]
    calls: dict[str, int]
    language: str


Edge = tuple[int, str]
EXIT = -1


class Graph:
    """A graph that grows at its loose ends: the edges that lead to the next node to be added."""

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
        """Add a statement after the loose ends and return its number.

        Its own end becomes the loose end.
        """
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
        """Connect all loose ends to a node."""
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
        """Add a case to a switch, or a handler to a try."""
        self.nodes[switch].cases = (*self.nodes[switch].cases, (value, target))

    def label(self, name: str, span: Span) -> None:
        """Add a node for a label."""
        self._labels[name] = self.add("join", span)

    def goto(self, name: str) -> None:
        """Connect the loose ends to a label."""
        self._gotos.append((name, self.loose))
        self.loose = []

    def leave(self, targets: list[list[Edge]]) -> None:
        """Connect the loose ends to the end or the next iteration of the innermost loop."""
        if targets:
            targets[-1] += self.loose
        self.loose = []

    @contextmanager
    def loop(self, span: Span, container: Expr | None = None) -> Iterator[int]:
        """Add a loop's head. All nodes added within the context belong to the loop.

        The caller connects the end of the body to the head.
        """
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
        """Add a `try` block. The caller adds its handlers afterwards, as cases of the node."""
        number = self.add("try", span)
        self._tries.append(number)
        yield number
        self._tries.pop()

    def finish(self) -> tuple[list[int], frozenset[int]]:
        """Connect the loose ends to the exit, and each goto to its label.

        :returns: for each node its position in an order in which nodes come after their
            predecessors, and the nodes at which paths come together.
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
    """Return the numbers of the nodes that a node leads to."""
    node = nodes[number]
    found = [target for _, target in node.cases]
    if node.kind in ("throw", "return"):
        return found or [EXIT]
    if node.kind == "switch" and node.direct:
        return found
    if node.kind == "test":
        return [node.other, node.next]  # a loop's successor comes after the loop
    return [*found, node.next]
