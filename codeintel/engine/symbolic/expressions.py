"""The values of expressions, and what their evaluation changes."""

from __future__ import annotations

from codeintel.engine.symbolic.atoms import Atoms
from codeintel.engine.symbolic.conditions import RELATIONS
from codeintel.engine.symbolic.memory import Null, Pointer, Region, Value
from codeintel.engine.symbolic.poly import ONE, ZERO, Poly, add, scale
from codeintel.engine.symbolic.reading import Place
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import (
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
from codeintel.engine.symbolic.walk import stripped


class Expressions(Atoms):
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

    def _cast(self, state: State, expr: Cast) -> Value:
        value = self.value(state, expr.value)
        if expr.kind == "dynamic_cast" and expr.type.pointers and not self.is_null(state, value):
            name = self.tag(state, "got:", expr.span)
            state.regions[name] = Region("unknown", null=Null.MAYBE, place=expr.span)
            return Pointer(name, ZERO)
        if isinstance(expr.value, Several) and expr.value.keys:
            return self.unknown(state, expr.span)
        return self.converted(state, value, expr.type, expr.span, self.type_of(expr.value))

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
            return self._assign_record(state, expr)
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
        else:
            self.escape(state, value)
        return value

    def object_changed(self, state: State, expr: Assign, value: Value) -> None:
        """`object += value`."""
        raise NotImplementedError

    def object_assigned(self, state: State, expr: Assign, value: Value) -> None:
        """`object = value`."""
        raise NotImplementedError

    def _is_plain_record(self, type_: CType) -> bool:
        return self.types.is_record(type_) and self.source.language == "c"

    def _assign_record(self, state: State, expr: Assign) -> Value:
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
            after = self.read(state, place, expr.span)
        else:
            after = self.sum(state, made, before, ONE, type_, CType("int"))
        self.write(state, place, after, expr.span)
        return after if expr.prefix else before
