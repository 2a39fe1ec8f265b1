"""The values of expressions, and what their evaluation changes."""

from __future__ import annotations

from codeintel_plugins.flow.tree import Span
from codeintel_plugins.symbolic.conditions import RELATIONS, Conditions
from codeintel_plugins.symbolic.constants import KNOWN
from codeintel_plugins.symbolic.memory import Null, Pointer, Region, State, Value
from codeintel_plugins.symbolic.places import Place, at
from codeintel_plugins.symbolic.poly import ONE, ZERO, Poly, add, scale, symbol
from codeintel_plugins.symbolic.syntax import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    CType,
    Delete,
    Deref,
    Expr,
    Field,
    Lambda,
    New,
    Number,
    Several,
    SizeOf,
    Step,
    Subscript,
    Text,
    Unary,
    Var,
)
from codeintel_plugins.symbolic.walk import stripped


class Expressions(Conditions):
    """Evaluates."""

    def value(self, state: State, expr: Expr) -> Value:
        self.work(1)
        if isinstance(expr, Number):
            return Poly(expr.value)
        if isinstance(expr, Text):
            return self.literal(state, expr)
        if isinstance(expr, Var):
            return self._variable_value(state, expr)
        if isinstance(expr, Field | Subscript | Deref):
            place = self.place(state, expr, write=False)
            return self.read(state, place, expr.span) if place else self.unknown(state, expr.span)
        if isinstance(expr, Assign):
            return self._assign(state, expr)
        if isinstance(expr, Step):
            return self._step(state, expr)
        if isinstance(expr, Call):
            return self.call(state, expr)
        if isinstance(expr, AddressOf):
            return self._address(state, expr)
        if isinstance(expr, Cast):
            return self._cast(state, expr)
        if isinstance(expr, SizeOf):
            return self._size(state, expr)
        if isinstance(expr, Unary):
            return self._unary(state, expr)
        if isinstance(expr, Binary):
            return self._operation(state, expr)
        if isinstance(expr, Conditional):
            return self._conditional(state, expr)
        if isinstance(expr, New):
            return self.new(state, expr)
        if isinstance(expr, Delete):
            self.delete(state, expr)
            return ZERO
        if isinstance(expr, Lambda):
            self.captured(state, expr)
            return self.unknown(state, expr.span)
        return self._several(state, expr)

    # What other parts do

    def call(self, state: State, expr: Call) -> Value:
        """The value of a call."""
        raise NotImplementedError

    def new(self, state: State, expr: New) -> Value:
        """The value of `new`."""
        raise NotImplementedError

    def delete(self, state: State, expr: Delete) -> None:
        """`delete`."""
        raise NotImplementedError

    def captured(self, state: State, expr: Lambda) -> None:
        """A lambda has seen variables."""
        raise NotImplementedError

    def stream(self, state: State, expr: Binary) -> Value | None:
        """`stream << value` and `stream >> variable`, or None for a shift."""
        raise NotImplementedError

    # Simple values

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
        place = self.variable(state, expr.name, expr.span)
        if place is None:
            known = self.types.constant(expr)
            if known is None:
                known = KNOWN.get(expr.name)
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
        place = self.place(state, inner, write=None)
        if place is None:
            return self.unknown(state, expr.span)
        if place.type is not None and (self.types.resolve(place.type).dims):
            return Pointer(self.part(state, place), ZERO)
        if place.offset is None:  # a field: a part of its own
            return Pointer(self._field_part(state, place), ZERO)
        generation = -1
        region = state.regions.get(place.region)
        if isinstance(inner, Subscript) and region is not None and region.kind == "container":
            generation = region.generation
        return Pointer(place.region, place.offset, generation)

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

    def _cast(self, state: State, expr: Cast) -> Value:
        value = self.value(state, expr.value)
        if expr.kind == "dynamic_cast" and expr.type.pointers and not self.is_null(state, value):
            name = self.tag(state, "got:", expr.span)
            state.regions[name] = Region("unknown", null=Null.MAYBE, place=expr.span)
            return Pointer(name, ZERO)
        if isinstance(expr.value, Several) and expr.value.keys:
            return self.unknown(state, expr.span)
        return self.converted(state, value, expr.type, expr.span, self.type_of(expr.value))

    def _size(self, state: State, expr: SizeOf) -> Value:
        type_ = expr.type
        if type_ is None and expr.value is not None:
            inner = stripped(expr.value)
            if isinstance(inner, Text):
                return Poly(len(inner.text) + 1)
            type_ = self.type_of(inner)
            if isinstance(inner, Var):
                place = self.variable(state, inner.name, inner.span)
                region = state.regions.get(place.region) if place is not None else None
                if type_ is not None and self.types.resolve(type_).dims and region is not None:
                    if region.size is not None:
                        return region.size
        size = self.types.size(type_) if type_ is not None else None
        return size if size is not None else symbol(f"sizeof({expr.span.start})")

    def _unary(self, state: State, expr: Unary) -> Value:
        if expr.op == "!":
            return self._truth(state, expr)
        value = self.value(state, expr.value)
        if not isinstance(value, Poly):
            return self.unknown(state, expr.span)
        if expr.op == "-":
            return scale(value, -1)
        if expr.op == "~":
            return add(scale(value, -1), ONE, -1)
        return value

    def _truth(self, state: State, expr: Expr) -> Value:
        """A condition as a value: 1 where it holds, 0 where it does not."""
        truth = self.choose(2) == 0
        self.assume(state, expr, truth)
        return Poly(int(truth))

    def _operation(self, state: State, expr: Binary) -> Value:
        if expr.op in ("&&", "||") or expr.op in RELATIONS:
            return self._truth(state, expr)
        if expr.op in ("<<", ">>"):
            streamed = self.stream(state, expr)
            if streamed is not None:
                return streamed
        left = self.value(state, expr.left)
        right = self.value(state, expr.right)
        return self.binary(state, expr, left, right)

    def _conditional(self, state: State, expr: Conditional) -> Value:
        truth = self.choose(2) == 0
        self.assume(state, expr.condition, truth)
        return self.value(state, expr.then if truth else expr.otherwise)

    def _several(self, state: State, expr: Several) -> Value:
        last: Value = ZERO
        for part in expr.parts:
            last = self.value(state, part)
        if expr.last or len(expr.parts) == 1:
            return last
        return self.unknown(state, expr.span)

    # Changes

    def _assign(self, state: State, expr: Assign) -> Value:
        type_ = self.type_of(expr.target)
        if not expr.op and type_ is not None and self._is_plain_record(type_):
            return self._assign_record(state, expr, type_)
        value = self.value(state, expr.value)
        if expr.op:
            place = self.place(state, expr.target, write=None)
            if type_ is not None and self.is_object(type_):
                self.object_changed(state, expr, value)
                return value
            before = self.read(state, place, expr.span) if place is not None else ZERO
            made = Binary(expr.span, expr.op, expr.target, expr.value)
            value = self.binary(state, made, before, value)
        if type_ is not None and self.is_object(type_):
            self.object_assigned(state, expr, value)
            return value
        value = self.converted(state, value, type_, expr.span, self.type_of(expr.value))
        place = self.place(state, expr.target, write=True)
        if place is not None:
            if type_ is not None and type_.is_pointer and isinstance(value, Poly) and value.terms:
                value = self.pointer(state, value) or value
            self.write(state, place, value, expr.span)
        elif isinstance(expr.target, Var):
            state.forget(f"::{expr.target.name}")
        return value

    def object_changed(self, state: State, expr: Assign, value: Value) -> None:
        """`object += value`."""
        raise NotImplementedError

    def object_assigned(self, state: State, expr: Assign, value: Value) -> None:
        """`object = value`."""
        raise NotImplementedError

    def _is_plain_record(self, type_: CType) -> bool:
        return self.types.is_record(type_) and self.source.language == "c"

    def _assign_record(self, state: State, expr: Assign, type_: CType) -> Value:
        place = self.place(state, expr.target, write=True)
        inner = stripped(expr.value)
        source = self.place(state, inner, write=False)
        if place is not None and source is not None:
            self.copy_record(state, place, source)
        elif place is not None:
            self.value(state, expr.value)
            state.drop(place.region, f"{place.path}.")
            state.update(place.region, written=True)
            if isinstance(inner, Several):
                self.initialise(state, place, inner)
        else:
            self.value(state, expr.value)
        return self.unknown(state, expr.span)

    def initialise(self, state: State, place: Place, init: Several) -> None:
        """Set the fields or elements of a place from an initialiser list."""
        raise NotImplementedError

    def _step(self, state: State, expr: Step) -> Value:
        type_ = self.type_of(expr.target)
        if type_ is not None and self.is_object(type_):
            before = self.value(state, expr.target)
            self.use(state, before, expr.span)
            return before
        place = self.place(state, expr.target, write=None)
        if place is None:
            return self.unknown(state, expr.span)
        before = self.read(state, place, expr.span)
        made = Binary(expr.span, "+" if expr.by > 0 else "-", expr.target, Number(expr.span, 1))
        if isinstance(before, Pointer) and before.generation >= 0:
            self.use(state, before, expr.span)
            after: Value = before
        else:
            after = self.sum(state, made, before, ONE, type_, CType("int"))
        self.write(state, place, after, expr.span)
        return after if expr.prefix else before

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


__all__ = ["Expressions", "Span", "at"]
