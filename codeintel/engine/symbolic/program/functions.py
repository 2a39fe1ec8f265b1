"""Functions as graphs of statements, and the files that they are in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.program.syntax import CType, Expr


@dataclass(slots=True)
class Loop:
    """What a loop changes. `stepped` are variables that only `+=`, `++` and the like change, with
    their direction; `changed` all that it changes; `compares` tells whether anything in its
    conditions is held against a limit; `last` is the number of its last node, `touched` are the
    variables through which it may write."""

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

    `kind` is one of: do (an expression), declare (a variable), test (`other` is where it goes if
    the condition does not hold), switch, return, throw, try, loop (a loop's head), leave (a block's
    end, where the variables `names` end), join. `cases` are the ways of a switch, with their values
    (None for the default), and the handlers of a try; `handler` is the number of the try around it.
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
    """A function with its graph; `entry` is the number of its first node."""

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
    """A structure, union or class. `plain` says that its members are all that it has, laid out as
    usual: that it has no bases, bit fields, unnamed members or attributes."""

    name: str
    members: dict[str, Member]
    union: bool
    methods: frozenset[str]
    span: Span
    plain: bool = True


@dataclass(slots=True)
class Source:
    """A file: its functions, types and what it defines by name.

    `records` are named as types are (`struct node`); `globals` have a type, an initialiser and
    whether they are constant; `prototypes` have the types of the parameters; `calls` tells how
    often the file calls a function. Of several functions with one name the later ones get a prime.
    """

    functions: dict[str, Function]
    records: dict[str, Record]
    typedefs: dict[str, CType]
    constants: dict[str, Expr]
    globals: dict[str, tuple[CType, Expr | None, bool]]
    prototypes: dict[str, tuple[CType, ...]]
    calls: dict[str, int]
    language: str
