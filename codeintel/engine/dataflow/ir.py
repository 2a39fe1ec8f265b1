"""The intermediate form: code reduced to what matters for data flow, the same for eleven
languages.
"""

from __future__ import annotations

from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span


class Literal(NamedTuple):
    """A literal. `text` has no quotes."""

    span: Span
    text: str


class Name(NamedTuple):
    """A variable, or anything else with a name."""

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
    """A value made of all its parts: concatenated text, a container, an operation."""

    span: Span
    parts: tuple[Expr, ...]


class Choice(NamedTuple):
    """A value that is one of its parts. `condition` is evaluated but is not part of the value."""

    span: Span
    parts: tuple[Expr, ...]
    condition: Expr | None = None


class Keyed(NamedTuple):
    """A dictionary, object or array with keys. A key that is not a literal is None."""

    span: Span
    entries: tuple[tuple[str | None, Expr], ...]


class Test(NamedTuple):
    """A comparison, or another operation whose value is harmless, such as a number."""

    span: Span
    parts: tuple[Expr, ...]
    operator: str


class Closure(NamedTuple):
    """A function without a name."""

    span: Span
    function: Function


class Assignment(NamedTuple):
    """An assignment that is also an expression."""

    span: Span
    target: Expr
    value: Expr
    augments: bool


class Block(NamedTuple):
    """Statements at the position of an expression. The last one gives the value."""

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
    """`target = value`, or `target += value` if it augments.

    `type` is the declared type, if any. `declares` says that the variable starts here.
    """

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
    """Leaves the function, with or without a value."""

    span: Span
    value: Expr | None


class Leave(NamedTuple):
    """Continues elsewhere: throw, raise, break, continue, goto.

    A plain `break` may only end a case of a switch.
    """

    span: Span
    value: Expr | None
    ends_switch: bool = False


HANDLER = "catch"
FINALLY = "finally"


class Branch(NamedTuple):
    """An `if` with two paths, or one case of a `switch`.

    The condition of an exception handler is the literal :data:`HANDLER`, that of a `finally` block
    :data:`FINALLY`. Both are executed even if the statements before them leave.
    """

    span: Span
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


class Loop(NamedTuple):
    """A loop. `target` takes the elements of `source`, or there is only a condition."""

    span: Span
    target: Expr | None
    source: Expr | None
    body: tuple[Stmt, ...]


class Sequence(NamedTuple):
    """Statements in sequence."""

    span: Span
    body: tuple[Stmt, ...]


class Param(NamedTuple):
    """A parameter. `decoration` is all text except its name: type, annotations, default."""

    span: Span
    name: str
    type: str
    decoration: str


class Function(NamedTuple):
    """A function or method.

    `decoration` is the text before its parameters: decorators, annotations, modifiers. `owner` is
    the class that it belongs to.
    """

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
    """A whole file.

    `aliases` are the full names of imports. With `bare_fields`, methods name the fields of their
    object without `this`. `shared` are variables that functions set for their callers, as in shell
    scripts.
    """

    body: tuple[Stmt, ...]
    functions: tuple[Function, ...]
    aliases: dict[str, str]
    bare_fields: bool = False
    shared: frozenset[str] = frozenset()
