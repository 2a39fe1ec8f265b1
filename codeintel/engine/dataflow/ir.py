"""Code reduced to what matters for the way of values through it: one form for eleven languages."""

from __future__ import annotations

from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span


class Literal(NamedTuple):
    """A value that is written out; `text` has no quotes."""

    span: Span
    text: str


class Name(NamedTuple):
    """A variable, or anything else that is named."""

    span: Span
    id: str


class Member(NamedTuple):
    """`object.name`, however the language writes it."""

    span: Span
    object: Expr
    name: str


class Index(NamedTuple):
    """`object[key]`."""

    span: Span
    object: Expr
    key: Expr


class Argument(NamedTuple):
    """An argument of a call, with its keyword if it has one."""

    value: Expr
    keyword: str | None


class Call(NamedTuple):
    """A call of a function, method, constructor or macro."""

    span: Span
    callee: Expr
    args: tuple[Argument, ...]


class Join(NamedTuple):
    """A value made of all its parts: text put together, a container, an operation."""

    span: Span
    parts: tuple[Expr, ...]


class Choice(NamedTuple):
    """A value that is one of its parts; `condition` is looked at only."""

    span: Span
    parts: tuple[Expr, ...]
    condition: Expr | None = None


class Keyed(NamedTuple):
    """A dictionary, object or array with keys; a key that is no literal is null."""

    span: Span
    entries: tuple[tuple[str | None, Expr], ...]


class Test(NamedTuple):
    """A comparison or another operation whose value can do no harm, such as a number.

    `negated` tells whether it holds when its parts do not.
    """

    span: Span
    parts: tuple[Expr, ...]
    operator: str


class Closure(NamedTuple):
    """A function without a name."""

    span: Span
    function: Function


class Assignment(NamedTuple):
    """An assignment that is an expression, too."""

    span: Span
    target: Expr
    value: Expr
    augments: bool


class Block(NamedTuple):
    """Statements in the place of an expression; its value is that of the last."""

    span: Span
    body: tuple[Stmt, ...]


Expr = (
    Literal
    | Name
    | Member
    | Index
    | Call
    | Join
    | Choice
    | Keyed
    | Test
    | Closure
    | Assignment
    | Block
)


class Assign(NamedTuple):
    """`target = value`, or `target += value` if it augments. `type` is the declared one, if any;
    `declares` says that the variable begins here."""

    span: Span
    target: Expr
    value: Expr
    augments: bool = False
    type: str = ""
    declares: bool = False


class Evaluate(NamedTuple):
    """An expression as a statement."""

    span: Span
    value: Expr


class Return(NamedTuple):
    """Leaves the function with a value, or without one."""

    span: Span
    value: Expr | None


class Leave(NamedTuple):
    """Goes on elsewhere: throw, raise, break, continue, goto. A plain `break` may only end a way
    through a switch."""

    span: Span
    value: Expr | None
    ends_switch: bool = False


HANDLER = "catch"
FINALLY = "finally"


class Branch(NamedTuple):
    """`if`: two ways; also a `switch`, a way at a time. The condition of what handles exceptions is
    the literal :data:`HANDLER`, that of what is done in any case :data:`FINALLY`: both are gone
    through even if what stands before them leaves."""

    span: Span
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


class Loop(NamedTuple):
    """A loop; `target` takes the elements of `source`, or there is only a condition."""

    span: Span
    target: Expr | None
    source: Expr | None
    body: tuple[Stmt, ...]


class Sequence(NamedTuple):
    """Statements one after the other."""

    span: Span
    body: tuple[Stmt, ...]


class Param(NamedTuple):
    """A parameter; `decoration` is all that stands beside its name: type, annotations, default."""

    span: Span
    name: str
    type: str
    decoration: str


class Function(NamedTuple):
    """A function or method. `decoration` is what stands before its parameters: decorators,
    annotations, modifiers; `owner` the class that it belongs to."""

    span: Span
    name: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    decoration: str
    owner: str


class Define(NamedTuple):
    """A function's definition."""

    span: Span
    function: Function


Stmt = Assign | Evaluate | Return | Leave | Branch | Loop | Sequence | Define


class Program(NamedTuple):
    """A whole file. `aliases` are the full names of what was imported; with `bare_fields` methods
    name the fields of their object without `this`; `shared` are variables that functions set for
    their callers, as in shell scripts."""

    body: tuple[Stmt, ...]
    functions: tuple[Function, ...]
    aliases: dict[str, str]
    bare_fields: bool = False
    shared: frozenset[str] = frozenset()
