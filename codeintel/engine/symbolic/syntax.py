"""Expressions and types, reduced to what execution needs; what is in them and what they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from codeintel.engine.dataflow.tree import Span


class CType(NamedTuple):
    """A type. `base` has no qualifiers and no `std::`, as `unsigned int`, `struct node`, `vector`;
    `arguments` is the text of a template's; `dims` are an array's sizes, outermost first."""

    base: str
    pointers: int = 0
    dims: tuple[Expr | None, ...] = ()
    const: bool = False
    reference: bool = False
    arguments: str = ""
    volatile: bool = False

    @property
    def element(self) -> CType:
        """The type of what an array holds, or of what a pointer points to."""
        if self.dims:
            return self._replace(dims=self.dims[1:])
        return self._replace(pointers=max(0, self.pointers - 1))

    @property
    def is_pointer(self) -> bool:
        """Whether values of the type are addresses."""
        return not self.dims and self.pointers > 0


class Number(NamedTuple):
    """An integer that is written out."""

    span: Span
    value: int


class Text(NamedTuple):
    """A string literal; escapes are resolved."""

    span: Span
    text: str


class Var(NamedTuple):
    """A variable, by its unique name within the function, or anything else that is named."""

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
    """`target = value`; `op` is `+` in `+=`, nothing in `=`."""

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
    """A call. `name` is the function's, or the method's of `object`, or nothing; `type` is the text
    of template arguments."""

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
    """A value converted to a type; `kind` is `static_cast` or the like, or nothing."""

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
    """Values one after the other: a comma expression, an initialiser list, anything unknown.

    `keys` are the designators of an initialiser list; `last` says that the value is the last one's.
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
    """A function without a name; `names` are those that occur in it."""

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
    """An expression and all that it is made of."""
    pending = [expr] if expr is not None else []
    while pending:
        each = pending.pop()
        yield each
        pending.extend(parts_of(each))


def parts_of(expr: Expr) -> Iterator[Expr]:
    """The expressions that an expression is directly made of."""
    parts: tuple[Any, ...] = expr
    for part in parts:
        several = part if isinstance(part, tuple) and not hasattr(part, "span") else (part,)
        for each in several if not isinstance(part, CType) else ():
            if hasattr(each, "span"):
                yield each


def stripped(expr: Expr) -> Expr:
    """An expression without the casts around it."""
    while isinstance(expr, Cast):
        expr = expr.value
    return expr


def root_name(expr: Expr) -> str:
    """The variable that a place is in or is reached from, or nothing."""
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
    """The variables that expressions may change."""
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
    """The variables through which expressions may write."""
    found = set()
    for top in exprs:
        for each in walk(top):
            if isinstance(each, Assign | Step) and not isinstance(each.target, Var):
                found.add(root_name(each.target))
            elif isinstance(each, Call):
                found.update(root_name(arg) for arg in each.args)
    return frozenset(found - {""})


def stepped_names(exprs: Iterable[Expr]) -> dict[str, int]:
    """The variables that are only stepped, with the direction: 1, -1, or 0 for both or unknown."""
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
    """Whether conditions hold one of some variables against a limit."""
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
