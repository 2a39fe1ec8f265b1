"""Calls of library functions by their table, and what they return."""

from __future__ import annotations

from codeintel.engine.symbolic.arguments import Arguments
from codeintel.engine.symbolic.base import Stops
from codeintel.engine.symbolic.library import Known
from codeintel.engine.symbolic.memory import Null, Origin, Pointer, Region, Value
from codeintel.engine.symbolic.poly import ONE, ZERO, Poly, add, multiply, shift
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Call, CType


class Results(Arguments):
    """Calls the functions of the table."""

    def known_call(self, state: State, expr: Call, known: Known) -> Value:
        """A call of a function of the table."""
        if known.exits:
            for arg in expr.args:
                self.value(state, arg)
            raise Stops
        values = [self.value(state, arg) for arg in expr.args]
        if len(values) < known.arity:
            return self.unknown(state, expr.span)
        self._size_of_pointer(state, expr)
        self._read_arguments(state, expr, known, values)
        self._write_arguments(state, expr, known, values)
        for position in known.keeps:
            if position < len(values):
                self.escape(state, values[position])
                self._given_away(state, values[position])
        if known.releases and values:
            self.release(state, values[0], known.releases, expr.span)
            return ZERO
        if known.allocates and self._allocates(expr, known, values):
            return self._allocated(state, expr, known, values)
        return self._result(state, expr, known, values)

    def _allocates(self, expr: Call, known: Known, values: list[Value]) -> bool:
        position = known.only_without
        del expr
        return position is None or (position < len(values) and values[position] == ZERO)

    def _allocated(self, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
        size: Poly | None = None
        if known.size and all(position < len(values) for position in known.size):
            size = ONE
            for position in known.size:
                factor = values[position]
                size = multiply(size, factor) if size and isinstance(factor, Poly) else None
            if size is not None and len(known.size) == 1:
                self.check_size(state, expr.span, size, expr.args)
        if known.text is not None and known.text < len(values):
            source = self.pointer(state, values[known.text])
            size = shift(self.length(state, source), 1) if source is not None else None
        made = self.allocate(
            state, expr.span, known.allocates, size, null=not known.never_null,
            zeroed=known.zeroed, written=not known.size,
        )  # fmt: skip
        if known.text is not None and size is not None:
            source = self.pointer(state, values[known.text])
            outside = source is not None and state.regions[source.region].outside
            state.update(
                made.region, length=shift(size, -1), terminated=True, outside=outside
            )  # fmt: skip
        elif not known.size:
            state.update(made.region, terminated=True)
        return made

    def _result(self, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
        if known.nullable:
            return self._nullable(state, expr, known, values)
        if known.short_text:
            name = self.tag(state, "short:", expr.span)
            state.regions[name] = Region("static", Poly(known.short_text))
            return Pointer(name, ZERO)
        return self._number_result(state, expr, known, values)

    def _nullable(self, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
        name = self.tag(state, "got:", expr.span)
        outside = known.outside_text
        if known.within is not None and known.within < len(values):
            inside = values[known.within]
            if isinstance(inside, Pointer) and self.choose(2) == 0:
                made = self.fresh(state, name, low=0)
                state.assume(shift(add(made, self.length(state, inside), -1), 1))
                return Pointer(inside.region, add(inside.offset, made))
            if isinstance(inside, Pointer):
                state.regions[name] = Region("outside", null=Null.YES, place=expr.span)
                return Pointer(name, ZERO)
        state.regions[name] = Region(
            "outside" if outside else "unknown", null=Null.MAYBE, outside=outside, place=expr.span
        )
        return Pointer(name, ZERO)

    def _number_result(self, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
        name = self.tag(state, "n", expr.span)
        kind = known.result
        if kind == "first" and values:
            return values[0]
        if kind == "first_or_null" and values:
            if self.choose(2) == 1:
                return ZERO
            if isinstance(values[0], Pointer) and state.root(values[0].region) in state.regions:
                state.update(state.root(values[0].region), null=Null.NO)
            return values[0]
        if kind == "length" and values:
            source = self.pointer(state, values[0])
            return self.length(state, source) if source is not None else self.fresh(state, name)
        if kind in ("count", "items", "length_within"):
            return self._counted(state, expr, name, kind, values)
        if kind == "span" and values:
            source = self.pointer(state, values[0])
            made = self.fresh(state, name, low=0)
            if source is not None:
                state.assume(add(made, self.length(state, source), -1))
            return made
        if kind == "input":
            return self.fresh(state, name, Origin.INPUT, type_=self.type_of(expr) or CType("int"))
        if kind == "network":
            origin = (
                self.origin(state, values[0]) if values and isinstance(values[0], Poly) else None
            )
            return self.fresh(state, name, origin or Origin.NONE, type_=self.type_of(expr))
        if kind == "character":
            read = expr.name not in ("toupper", "tolower")
            origin = Origin.INPUT if read else Origin.NONE
            return self.fresh(state, name, origin, low=-1, high=255)
        if kind == "natural":
            return self.fresh(state, name, low=0)
        return self.fresh(state, name)

    def _counted(
        self, state: State, expr: Call, name: str, kind: str, values: list[Value]
    ) -> Value:
        """How much was read: at most what was asked for, and -1 if that failed."""
        made = self.fresh(state, name, low=-1 if kind == "count" else 0)
        state.symbols[name] = state.symbols[name]._replace(fails=kind == "count")
        position = {"count": 2, "items": 2, "length_within": 1}[kind]
        if expr.name == "SSL_read":
            position = 2
        limit = values[position] if position < len(values) else None
        if isinstance(limit, Poly):
            state.assume(add(made, limit, -1))
        return made
