"""Places in memory: variables, fields, elements; reading and writing what is there."""

from __future__ import annotations

from typing import NamedTuple

from codeintel_plugins.flow.tree import Span
from codeintel_plugins.symbolic.access import Access, How
from codeintel_plugins.symbolic.facts import Fact
from codeintel_plugins.symbolic.memory import (
    Null,
    Origin,
    Pointer,
    Region,
    State,
    Unset,
    Value,
)
from codeintel_plugins.symbolic.poly import ZERO, Poly, add, multiply
from codeintel_plugins.symbolic.syntax import CType, Deref, Expr, Field, Step, Subscript, Var
from codeintel_plugins.symbolic.walk import stripped


class Place(NamedTuple):
    """Where a value is: a region and a path in it, such as `.name` or `[8].name`; `offset` is that
    of a path without fields."""

    region: str
    path: str
    type: CType | None
    offset: Poly | None = ZERO


class TextRead(NamedTuple):
    """A character that was read: by which expression, and where it stands."""

    span: Span
    region: str
    offset: Poly


def at(pointer: Pointer, type_: CType | None) -> Place:
    """The place that an address leads to."""
    return Place(pointer.region, path_of(pointer.offset), type_, pointer.offset)


class Places(Access):
    """Finds places, reads and writes."""

    text_read: TextRead | None = None
    """The character that was read last."""

    def value(self, state: State, expr: Expr) -> Value:
        """The value of an expression."""
        raise NotImplementedError

    def number(self, state: State, expr: Expr) -> Poly:
        """The value of an expression as a number."""
        found = self.value(state, expr)
        return found if isinstance(found, Poly) else self.unknown(state, expr.span)

    # Variables

    def variable(self, state: State, name: str, span: Span) -> Place | None:
        """Where a variable is. None for a name that is no variable as far as is known."""
        if name in self.frame.types:
            return Place(f"{self.frame.prefix}{name}", "", self.frame.types[name])
        for outer in reversed(self.frames[:-1]):
            if outer.function.span.start <= span.start < outer.function.span.end:
                if name in outer.types:  # a lambda's
                    return Place(f"{outer.prefix}{name}", "", outer.types[name])
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
        type_, init, fixed = self.source.globals[name]
        region = f"::{name}"
        if region not in state.regions:
            size = self.types.size(type_)
            if size is None and init is not None and type_.dims:
                size = self.counted(state, type_, init)
            state.regions[region] = Region("static", size, zeroed=False, place=Span(0, 0))
            del fixed
        return Place(region, "", type_)

    def counted(self, state: State, type_: CType, init: Expr) -> Poly | None:
        """The size of an array that its initialiser sets."""
        raise NotImplementedError

    # Places of expressions

    def place(self, state: State, expr: Expr, *, write: bool | None) -> Place | None:
        """Where an expression's value is; it is read, written, or only pointed to (None)."""
        expr = stripped(expr)
        if isinstance(expr, Var):
            return self.variable(state, expr.name, expr.span)
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
        index = self.number(state, expr.index)
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
            appends = isinstance(stripped(expr.index), Step) and write
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

    # Reading

    def read(self, state: State, place: Place, span: Span) -> Value:
        """What is at a place."""
        type_ = place.type
        if type_ is not None and type_.reference:
            bound = state.cells.get((place.region, place.path))
            if isinstance(bound, Pointer):
                inner = type_._replace(reference=False)
                self.use(state, bound, span)
                return self.read(state, at(bound, inner), span)
        if type_ is not None and self.types.resolve(type_).dims:
            return Pointer(self.part(state, place), ZERO)
        key = place.region, place.path
        found = state.cells.get(key)
        if place.offset is not None and type_ is not None and self.types.width(type_) == 1:
            self.text_read = TextRead(span, place.region, place.offset)
        if found is None:
            found = self._unknown(state, place, span)
            state.cells[key] = found
        if isinstance(found, Unset):
            self.report(Fact.UNINITIALISED, span, (found.place, "declared here"))
            found = state.cells[key] = self.unknown(state, span)
        return found

    def _unknown(self, state: State, place: Place, span: Span) -> Value:
        """A value for a place that nothing is known of."""
        region = state.regions.get(place.region) or Region("outside")
        whole = state.regions.get(state.root(place.region)) or region
        if region.zeroed:
            return ZERO
        if not region.written and whole.family in ("memory", "") and place.path:
            if whole.kind in ("stack", "heap") and not whole.passed:
                self.report(Fact.UNINITIALISED, span)
        name = self.tag(state, f"{place.region}{place.path}~", span)
        type_ = self.types.resolve(place.type) if place.type is not None else None
        if type_ is not None and type_.pointers:
            inner = f"*{name}"
            outside = region.outside or region.kind == "outside"
            kind = "outside" if outside or region.kind == "static" else "unknown"
            state.regions[inner] = Region(kind, null=Null.UNKNOWN, outside=outside)
            return Pointer(inner, ZERO)
        origin = Origin.NONE
        if region.kind == "outside" or region.outside:
            origin = Origin.FIELD if ("." in place.path) else Origin.CONTENT
        made = self.fresh(state, name, origin, type_=type_)
        if type_ is not None and self.types.width(type_) == 1:
            self._text_read(state, place, region)
        return made

    def _text_read(self, state: State, place: Place, region: Region) -> None:
        """A character of a text was read: it stands before the text's end."""
        if (region.kind == "outside" and place.offset is not None) or region.length:
            offset = place.offset
            if offset is not None and offset.terms:
                length = self.length(state, Pointer(place.region, ZERO))
                state.suppose(add(offset, length, -1))

    def part(self, state: State, place: Place) -> str:
        """The region of an array that is a field or an element of another region."""
        if not place.path:
            return place.region
        name = f"{place.region}{place.path}"
        whole = state.regions.get(place.region) or Region("outside")
        if name not in state.regions and place.type is not None:
            state.regions[name] = Region(
                whole.kind, self.types.size(place.type), written=whole.written,
                zeroed=whole.zeroed, outside=whole.outside, parent=place.region,
                family=whole.family, place=whole.place,
            )  # fmt: skip
        return name

    # Writing

    def write(self, state: State, place: Place, value: Value, span: Span) -> None:
        """Put a value at a place."""
        if place.type is not None and place.type.reference:
            bound = state.cells.get((place.region, place.path))
            if isinstance(bound, Pointer):
                inner = place.type._replace(reference=False)
                self.write(state, at(bound, inner), value, span)
                return
        region = state.regions.get(place.region)
        if place.offset is not None and place.offset.terms:  # which element is not known
            for key, other in state.cells_of(place.region):
                if key[1].startswith("[") and key[1] != place.path:
                    state.disown(other)
                    del state.cells[key]
        state.cells[place.region, place.path] = value
        for key, _ in state.cells_of(place.region):
            if key[1].startswith(f"{place.path}.") and place.path:
                del state.cells[key]
        if region is None:
            return
        if region.kind != "stack" or place.path:
            state.update(place.region, written=True)
        if region.moved is not None and not place.path:
            state.update(place.region, moved=None)
        self._text_written(state, place, value, region)

    def _text_written(self, state: State, place: Place, value: Value, region: Region) -> None:
        if place.type is None or self.types.width(place.type) != 1:
            return
        if isinstance(value, Poly) and value.number is None:
            state.update(place.region, terminated=True)  # it may be zero
        if value != ZERO:
            return
        state.update(place.region, terminated=True)
        offset = place.offset
        if offset is not None and (region.length is None or offset.number is not None):
            if region.length is None or region.length.number is None:
                state.update(place.region, length=offset)

    def copy_record(self, state: State, target: Place, source: Place) -> None:
        """Copy a structure's fields."""
        state.drop(target.region, f"{target.path}.")
        for key, value in state.cells_of(source.region):
            if key[1].startswith(f"{source.path}."):
                state.cells[target.region, target.path + key[1][len(source.path) :]] = value
        if target.region in state.regions:
            state.update(target.region, written=True)


def path_of(offset: Poly) -> str:
    """The path of what stands at an offset in a region."""
    if offset == ZERO:
        return ""
    parts = [f"{factor}*{'*'.join(monomial)}" for monomial, factor in offset.terms]
    return f"[{'+'.join([*parts, str(offset.constant)])}]"
