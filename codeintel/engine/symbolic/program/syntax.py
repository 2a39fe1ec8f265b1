"""Expressions and types, reduced to what execution needs."""

from __future__ import annotations

from typing import NamedTuple

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
