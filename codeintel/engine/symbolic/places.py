"""Places in memory: variables, fields, elements."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.access import How
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.memory import Origin, Pointer, Region, Value
from codeintel.engine.symbolic.poly import ZERO, Poly, add, multiply
from codeintel.engine.symbolic.reading import Place, Reading, at, path_of
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import CType, Deref, Expr, Field, Step, Subscript, Var
from codeintel.engine.symbolic.walk import stripped


class Places(Reading):
    """Finds places."""

    def value(self, state: State, expr: Expr) -> Value:
        """The value of an expression."""
        raise NotImplementedError

    def number(self, state: State, expr: Expr) -> Poly:
        """The value of an expression as a number."""
        found = self.value(state, expr)
        return found if isinstance(found, Poly) else self.unknown(state, expr.span)

    # Variables

    def variable(self, state: State, name: str) -> Place | None:
        """Where a variable is. None for a name that is no variable as far as is known."""
        if name in self.frame.types:
            return Place(f"{self.frame.prefix}{name}", "", self.frame.types[name])
        if name in self.source.globals:
            return self._global(state, name)
        owner = self.frame.function.owner
        if owner:
            member = self.types.field(CType(f"struct {owner}"), name)
            if member is not None:
                return Place(self.this(state).region, f".{name}", member, None)
        return None

    def this(self, state: State) -> Pointer:
        """The object that a method is called on."""
        name = self.frame.this
        if name not in state.regions:
            state.regions[name] = Region("outside")
        return Pointer(name, ZERO)

    def _global(self, state: State, name: str) -> Place:
        type_, init, _ = self.source.globals[name]
        region = f"::{name}"
        if region not in state.regions:
            size = self.types.size(type_)
            if size is None and init is not None and type_.dims:
                size = self.counted(type_, init)
            state.regions[region] = Region("static", size, zeroed=False, place=Span(0, 0))
        return Place(region, "", type_)

    def counted(self, type_: CType, init: Expr) -> Poly | None:
        """The size of an array that its initialiser sets."""
        raise NotImplementedError

    # Places of expressions

    def place(self, state: State, expr: Expr, *, write: bool | None) -> Place | None:
        """Where an expression's value is; it is read, written, or only pointed to (None)."""
        expr = stripped(expr)
        if isinstance(expr, Var):
            return self.variable(state, expr.name)
        if isinstance(expr, Field):
            return self._field(state, expr, write=write)
        if isinstance(expr, Subscript):
            return self._element(state, expr, write=write)
        if isinstance(expr, Deref):
            return self._pointee(state, expr, write=write)
        return None

    def _field(self, state: State, expr: Field, *, write: bool | None) -> Place | None:
        whole = self.type_of(expr.object)
        type_ = self.type_of(expr)
        if expr.arrow or (whole is not None and whole.is_pointer):
            pointer = self.use(state, self.value(state, expr.object), expr.span)
            if pointer is None:
                return None
            self.within(state, pointer, whole, expr, write=write)
            path = f"{path_of(pointer.offset)}.{expr.name}"
            return Place(pointer.region, path, type_, None)
        place = self.place(state, expr.object, write=write)
        if place is None:
            return None
        if whole is not None and whole.reference:
            bound = state.cells.get((place.region, place.path))
            if isinstance(bound, Pointer) and bound.generation >= 0:
                self.use(state, bound, expr.span)  # an element of a container that may have changed
        return Place(place.region, f"{place.path}.{expr.name}", type_, None)

    def within(
        self, state: State, pointer: Pointer, whole: CType | None, expr: Expr, *, write: bool | None
    ) -> None:
        """Check a pointer to a structure that may lie outside of an array."""
        if whole is None or (not pointer.offset.terms and not pointer.offset.constant):
            return
        size = self.types.size(whole.element)
        if size is not None and write is not None:
            self.access(state, pointer, size, expr.span, write=write, how=How.INDEX)

    def _element(self, state: State, expr: Subscript, *, write: bool | None) -> Place | None:
        whole = self.type_of(expr.object)
        if whole is not None and self.types.is_container(whole):
            return self.container_element(state, expr, write=write)
        base = self.value(state, expr.object)
        index = self.number(state, expr.key)
        type_ = self.type_of(expr)
        size = self.types.size(type_) if type_ is not None else None
        offset = multiply(index, size) if size is not None else None
        pointer = self.pointer(state, base)
        if pointer is None:
            self.use(state, base, expr.span)
            return None
        if offset is None or size is None:
            self.use(state, pointer, expr.span)
            return None
        moved = Pointer(pointer.region, add(pointer.offset, offset), pointer.generation)
        if write is not None:
            appends = isinstance(stripped(expr.key), Step) and write
            self._checked(state, moved, size, expr, write=write, appends=appends)
        return at(moved, type_)

    def _checked(
        self, state: State, moved: Pointer, size: Poly, expr: Expr, *, write: bool, appends: bool
    ) -> None:
        region = state.regions.get(moved.region)
        if appends and region is not None and region.size is not None:
            for name in moved.offset.symbols:  # `list->items[list->count++] = x` without a check
                known = state.symbols.get(name)
                field = known is not None and known.origin is Origin.FIELD
                known_of = (*state.known, *state.nonzero)
                if field and not any(name in fact.symbols for fact in known_of):
                    self.report(Fact.INDEX_UNCHECKED, expr.span)
        self.access(
            state, moved, size, expr.span, write=write, how=How.INDEX, element=size.number or 1
        )  # fmt: skip

    def container_element(
        self, state: State, expr: Subscript, *, write: bool | None
    ) -> Place | None:
        """An element of a container of the standard library."""
        raise NotImplementedError

    def _pointee(self, state: State, expr: Deref, *, write: bool | None) -> Place | None:
        value = self.value(state, expr.value)
        type_ = self.type_of(expr)
        size = self.types.size(type_) if type_ is not None else None
        pointer = self.pointer(state, value)
        if pointer is None or size is None or write is None:
            pointer = self.use(state, value, expr.span)
        else:
            self.access(
                state, pointer, size, expr.span, write=write, how=How.INDEX,
                element=size.number or 1,
            )  # fmt: skip
        if pointer is None:
            return None
        return at(pointer, type_)
