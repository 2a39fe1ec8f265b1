"""The values of variables, literals, addresses and sizes."""

from __future__ import annotations

from codeintel.engine.symbolic.conditions import Conditions
from codeintel.engine.symbolic.constants import KNOWN
from codeintel.engine.symbolic.memory import Null, Pointer, Region, Value
from codeintel.engine.symbolic.poly import ZERO, Poly, symbol
from codeintel.engine.symbolic.reading import Place
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import (
    AddressOf,
    Binary,
    Cast,
    CType,
    Expr,
    Number,
    SizeOf,
    Subscript,
    Text,
    Var,
)
from codeintel.engine.symbolic.walk import stripped


def _of_sizes(expr: Expr) -> bool:
    """Whether an expression has only sizes and numbers, as a macro that counts elements."""
    expr = stripped(expr)
    if isinstance(expr, Binary):
        return _of_sizes(expr.left) and _of_sizes(expr.right)
    if isinstance(expr, Cast):
        return _of_sizes(expr.value)
    return isinstance(expr, SizeOf | Number)


class Atoms(Conditions):
    """Evaluates what has no parts."""

    def container(self, state: State, expr: Expr) -> str | None:
        """The region of a container, or None if the expression is none."""
        raise NotImplementedError

    def literal(self, state: State, expr: Text) -> Pointer:
        """The address of a string literal."""
        name = f"text:{expr.span.start}:{expr.span.end}"
        if name not in state.regions:
            size = len(expr.text) + 1
            state.regions[name] = Region("text", Poly(size), length=Poly(size - 1))
        return Pointer(name, ZERO)

    def text_of(self, expr: Expr) -> str | None:
        """The text of an argument that is a literal or a constant."""
        expr = stripped(expr)
        if isinstance(expr, Var):
            named = self.source.constants.get(expr.name)
            expr = named if named is not None else expr
        return expr.text if isinstance(expr, Text) else None

    def _variable_value(self, state: State, expr: Var) -> Value:
        if expr.name == "this":
            return self.this(state)
        place = self.variable(state, expr.name)
        if place is None:
            known = self.types.constant(expr)
            if known is None:
                known = KNOWN.get(expr.name)
            named = self.source.constants.get(expr.name)
            if known is None and named is not None and _of_sizes(named):
                return self.value(state, named)
            return Poly(known) if known is not None else symbol(f"::{expr.name}")
        if place.type is not None and self.is_object(place.type):
            return self.object_value(state, place)
        return self.read(state, place, expr.span)

    def is_object(self, type_: CType) -> bool:
        """Whether values of the type are objects: containers, structures, unknown classes."""
        type_ = self.types.resolve(type_)
        if type_.pointers or type_.dims or type_.base == "auto":
            return False
        return not self.types.is_scalar(type_._replace(reference=False))

    def object_value(self, state: State, place: Place) -> Value:
        """What stands for an object: its address."""
        name = self.part(state, place)
        if name not in state.regions:
            state.regions[name] = Region("object")
        return Pointer(name, ZERO)

    def _address(self, state: State, expr: AddressOf) -> Value:
        inner = stripped(expr.value)
        into = self.container(state, inner.object) if isinstance(inner, Subscript) else None
        place = self.place(state, inner, write=None)
        if into is not None:
            return Pointer(into, ZERO, state.regions[into].generation)
        if place is None:
            return self.unknown(state, expr.span)
        if place.type is not None and (self.types.resolve(place.type).dims):
            return Pointer(self.part(state, place), ZERO)
        if place.offset is None:  # a field: a part of its own
            return Pointer(self._field_part(state, place), ZERO)
        return Pointer(place.region, place.offset)

    def _field_part(self, state: State, place: Place) -> str:
        """The region of a field whose address is taken; it is known no more by its path."""
        name = f"{place.region}{place.path}"
        whole = state.regions.get(place.region) or Region("outside")
        if name not in state.regions:
            size = self.types.size(place.type) if place.type is not None else None
            state.regions[name] = Region(
                whole.kind, size, written=True, outside=whole.outside, parent=place.region,
                family=whole.family,
            )  # fmt: skip
        state.cells.pop((place.region, place.path), None)
        return name

    def _size(self, state: State, expr: SizeOf) -> Value:
        type_ = expr.type
        if type_ is None and expr.value is not None:
            inner = stripped(expr.value)
            if isinstance(inner, Text):
                return Poly(len(inner.text) + 1)
            type_ = self.type_of(inner)
            made = self._array_size(state, inner, type_) if isinstance(inner, Var) else None
            if made is not None:
                return made
        size = self.types.size(type_) if type_ is not None else None
        return size if size is not None else symbol(f"sizeof({expr.span.start})")

    def _array_size(self, state: State, expr: Var, type_: CType | None) -> Poly | None:
        """The size of an array as it was made, which its type may not tell."""
        if type_ is None or not self.types.resolve(type_).dims:
            return None
        place = self.variable(state, expr.name)
        region = state.regions.get(place.region) if place is not None else None
        return region.size if region is not None else None

    def escape(self, state: State, value: Value) -> None:
        """A value is where the program is not followed: somebody else may release it."""
        if isinstance(value, Pointer):
            name = state.root(value.region)
            if name in state.regions:
                state.update(name, passed=True)

    def is_null(self, state: State, value: Value) -> bool:
        """Whether a value is a null pointer for sure."""
        return value == ZERO or (
            isinstance(value, Pointer) and self.null_of(state, value) is Null.YES
        )

    def null_of(self, state: State, pointer: Pointer) -> Null:
        """Whether an address may be null."""
        region = state.regions.get(state.root(pointer.region))
        return region.null if region is not None else Null.NO
