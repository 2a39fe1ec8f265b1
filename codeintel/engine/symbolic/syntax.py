"""Expressions and types, reduced to what execution needs, and the variables that they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from codeintel.engine.dataflow.tree import Span


class CType(NamedTuple):
    """A type.

    `base` has no qualifiers and no `std::`, for example `unsigned int`, `struct node`, `vector`.
    `arguments` is the text of the template arguments. `dims` are the sizes of an array, outermost
    first.
    """

    base: str
    pointers: int = 0
    dims: tuple[Expr | None, ...] = ()
    const: bool = False
    reference: bool = False
    arguments: str = ""
    volatile: bool = False

    @property
    def element(self) -> CType:
        """The type of an array's elements, or of what a pointer points to."""
        if self.dims:
            return self._replace(dims=self.dims[1:])
        return self._replace(pointers=max(0, self.pointers - 1))

    @property
    def is_pointer(self) -> bool:
        """Whether values of the type are addresses."""
        return not self.dims and self.pointers > 0


class Number(NamedTuple):
    """An integer literal."""

    span: Span
    value: int


class Text(NamedTuple):
    """A string literal with resolved escapes."""

    span: Span
    text: str


class Var(NamedTuple):
    """A variable, by its unique name within the function, or any other name."""

    span: Span
    name: str


class Unary(NamedTuple):
    """`!`, `-`, `+`, `~`."""

    span: Span
    op: str
    value: Expr


class Deref(NamedTuple):
    """`*value`."""

    span: Span
    value: Expr


class AddressOf(NamedTuple):
    """`&value`."""

    span: Span
    value: Expr


class Binary(NamedTuple):
    """An operation on two values."""

    span: Span
    op: str
    left: Expr
    right: Expr


class Assign(NamedTuple):
    """`target = value`. `op` is `+` in `+=` and empty in `=`."""

    span: Span
    op: str
    target: Expr
    value: Expr


class Step(NamedTuple):
    """`++` or `--`."""

    span: Span
    by: int
    target: Expr
    prefix: bool


class Call(NamedTuple):
    """A call.

    `name` is the name of the function, or of the method of `object`, or empty. `type` is the text
    of the template arguments.
    """

    span: Span
    name: str
    object: Expr | None
    args: tuple[Expr, ...]
    type: str = ""


class Field(NamedTuple):
    """`object.name` or `object->name`."""

    span: Span
    object: Expr
    name: str
    arrow: bool


class Subscript(NamedTuple):
    """`object[key]`."""

    span: Span
    object: Expr
    key: Expr


class Cast(NamedTuple):
    """A value converted to a type. `kind` is `static_cast` or the like, or empty."""

    span: Span
    type: CType
    value: Expr
    kind: str = ""


class SizeOf(NamedTuple):
    """The size of a type or of a value."""

    span: Span
    type: CType | None
    value: Expr | None


class Conditional(NamedTuple):
    """`condition ? then : otherwise`."""

    span: Span
    condition: Expr
    then: Expr
    otherwise: Expr


class Several(NamedTuple):
    """A sequence of values: a comma expression, an initializer list, or anything unknown.

    `keys` are the designators of an initializer list. `last` says that the value is the last one's.
    """

    span: Span
    parts: tuple[Expr, ...]
    keys: tuple[str, ...] = ()
    last: bool = False


class New(NamedTuple):
    """`new type(args)`, `new type[length]`."""

    span: Span
    type: CType
    length: Expr | None
    args: tuple[Expr, ...]
    nothrow: bool


class Delete(NamedTuple):
    """`delete value`, `delete[] value`."""

    span: Span
    value: Expr
    array: bool


class Lambda(NamedTuple):
    """A lambda. `names` are the names that occur in it."""

    span: Span
    names: tuple[str, ...]


Expr = (
    Number
    | Text
    | Var
    | Unary
    | Deref
    | AddressOf
    | Binary
    | Assign
    | Step
    | Call
    | Field
    | Subscript
    | Cast
    | SizeOf
    | Conditional
    | Several
    | New
    | Delete
    | Lambda
)


_RELATIONS = frozenset({"<", ">", "<=", ">=", "!="})


def walk(expr: Expr | None) -> Iterator[Expr]:
    """Yield an expression and all its parts, at any depth."""
    pending = [expr] if expr is not None else []
    while pending:
        each = pending.pop()
        yield each
        pending.extend(parts_of(each))


def parts_of(expr: Expr) -> Iterator[Expr]:
    """Yield the direct parts of an expression."""
    parts: tuple[Any, ...] = expr
    for part in parts:
        several = part if isinstance(part, tuple) and not hasattr(part, "span") else (part,)
        for each in several if not isinstance(part, CType) else ():
            if hasattr(each, "span"):
                yield each


def stripped(expr: Expr) -> Expr:
    """Return an expression without the casts around it."""
    while isinstance(expr, Cast):
        expr = expr.value
    return expr


def root_name(expr: Expr) -> str:
    """Return the variable that holds a place or leads to it, or an empty text."""
    for _ in range(20):
        if isinstance(expr, Var):
            return expr.name
        if isinstance(expr, Field | Subscript):
            expr = expr.object
        elif isinstance(expr, Deref | AddressOf | Cast):
            expr = expr.value
        else:
            return ""
    return ""


def changed_names(exprs: Iterable[Expr]) -> frozenset[str]:
    """Return the variables that expressions may change."""
    found = set()
    for top in exprs:
        for each in walk(top):
            if isinstance(each, Assign | Step) and isinstance(each.target, Var):
                found.add(each.target.name)
            elif isinstance(each, AddressOf):
                found.add(root_name(each.value))
            elif isinstance(each, Call) and each.object is not None:
                found.add(root_name(each.object))
    return frozenset(found - {""})


def touched_names(exprs: Iterable[Expr]) -> frozenset[str]:
    """Return the variables through which expressions may write."""
    found = set()
    for top in exprs:
        for each in walk(top):
            if isinstance(each, Assign | Step) and not isinstance(each.target, Var):
                found.add(root_name(each.target))
            elif isinstance(each, Call):
                found.update(root_name(arg) for arg in each.args)
    return frozenset(found - {""})


def stepped_names(exprs: Iterable[Expr]) -> dict[str, int]:
    """Return the variables that are only stepped, by direction: 1, -1, or 0 for both or unknown."""
    steps: dict[str, set[int]] = {}
    others = set()
    for top in exprs:
        for each in walk(top):
            if isinstance(each, Step) and isinstance(each.target, Var):
                steps.setdefault(each.target.name, set()).add(each.by)
            elif isinstance(each, Assign) and isinstance(each.target, Var):
                if each.op in ("+", "-"):
                    positive = isinstance(each.value, Number) and each.value.value >= 0
                    sign = (1 if each.op == "+" else -1) if positive else 0
                    steps.setdefault(each.target.name, set()).add(sign)
                elif each.op:
                    steps.setdefault(each.target.name, set()).add(0)
                else:
                    others.add(each.target.name)
    return {
        name: (min(found) if len(found) == 1 else 0)
        for name, found in steps.items()
        if name not in others
    }


def compares(tests: Iterable[Expr], names: Iterable[str]) -> bool:
    """Return whether a condition compares one of some variables with a limit."""
    wanted = frozenset(names)
    for top in tests:
        for each in walk(top):
            if not isinstance(each, Binary) or each.op not in _RELATIONS:
                continue
            for side, other in ((each.left, each.right), (each.right, each.left)):
                if each.op == "!=" and isinstance(stripped(other), Number):
                    continue
                if any(isinstance(part, Var) and part.name in wanted for part in walk(side)):
                    if each.op == "!=" and isinstance(stripped(side), Deref | Subscript):
                        continue
                    return True
    return False
