"""Declarations of variables, with their initialisers."""

from __future__ import annotations

from codeintel.engine.symbolic.memory import Pointer, Region, Unset, Value
from codeintel.engine.symbolic.methods import Methods
from codeintel.engine.symbolic.poly import ZERO, Poly, multiply
from codeintel.engine.symbolic.program import Node
from codeintel.engine.symbolic.reading import Place
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Call, CType, Expr, Several, Text
from codeintel.engine.symbolic.types import CONTIGUOUS
from codeintel.engine.symbolic.walk import stripped

_ELEMENTS = frozenset({"front", "back", "at", "emplace_back"})


class Declarations(Methods):
    """Declares variables."""

    def declare(self, state: State, node: Node) -> None:
        """A variable is declared, perhaps with a value."""
        type_ = node.type or CType("")
        init = node.expr
        if type_.base == "auto" and init is not None:
            known = self.type_of(init)
            if known is not None:
                type_ = known._replace(reference=type_.reference, const=type_.const)
        self.frame.types[node.name] = type_
        name = f"{self.frame.prefix}{node.name}"
        place = Place(name, "", type_)
        if self.guard(state, node.name, self.types.resolve(type_), init, node.span):
            state.regions[name] = Region("object", place=node.span)
            return
        state.end(name)
        if type_.reference and init is not None:
            self._bind(state, place, init, node)
        elif self.types.is_container(type_):
            self.declare_container(state, place, type_, init, node.direct, node.span)
        elif self.types.resolve(type_).dims:
            self._declare_array(state, place, type_, init, node)
        elif self.types.is_scalar(type_):
            self._declare_scalar(state, place, type_, init, node)
        else:
            self._declare_object(state, place, type_, init, node)

    def _declare_scalar(
        self, state: State, place: Place, type_: CType, init: Expr | None, node: Node
    ) -> None:
        size = self.types.size(type_)
        value: Value
        if init is None:
            value = ZERO if node.static else Unset(node.span)
            if node.static:
                value = self.unknown(state, node.span)
        else:
            if isinstance(init, Several) and len(init.parts) <= 1 and (init.keys or node.direct):
                init = init.parts[0] if init.parts else None
            value = self.value(state, init) if init is not None else ZERO
            if node.static:
                value = self.unknown(state, node.span)
            source = self.type_of(init) if init is not None else None
            value = self.converted(state, value, type_, node.span, source)
            if type_.is_pointer and isinstance(value, Poly) and value.terms:
                value = self.pointer(state, value) or value
        kind = "static" if node.static else "stack"
        state.regions[place.region] = Region(kind, size, place=node.span)
        state.cells[place.region, ""] = value

    def _bind(self, state: State, place: Place, init: Expr, node: Node) -> None:
        """A reference stands for what it is bound to."""
        if isinstance(init, Several) and len(init.parts) == 1:
            init = init.parts[0]
        inner = stripped(init)
        name = self.container(state, inner)
        state.regions[place.region] = Region("object", place=node.span)
        if name is not None:
            state.cells[place.region, ""] = Pointer(name, ZERO)
            return
        if isinstance(inner, Call) and inner.name in _ELEMENTS and inner.object is not None:
            owner = self.container(state, inner.object)
            self.value(state, init)
            if owner is not None and self._moves(inner.object):
                generation = state.regions[owner].generation
                state.cells[place.region, ""] = Pointer(owner, ZERO, generation)
            return
        target = self.place(state, inner, write=None)
        if target is None:
            self.value(state, init)
            return
        region = state.regions.get(target.region)
        owner = target.region.removesuffix("/")
        known = state.regions.get(owner)
        if target.region.endswith("/") and known is not None:
            state.cells[place.region, ""] = Pointer(owner, ZERO, known.generation)
        elif target.offset is not None and region is not None:
            state.cells[place.region, ""] = Pointer(target.region, target.offset)

    def _moves(self, container: Expr) -> bool:
        """Whether a container's elements move when it grows."""
        type_ = self.type_of(container)
        return type_ is not None and self.types.resolve(type_).base in CONTIGUOUS - {"deque"}

    def _declare_array(
        self, state: State, place: Place, type_: CType, init: Expr | None, node: Node
    ) -> None:
        resolved = self.types.resolve(type_)
        size = self.types.size(type_)
        if size is None and init is not None:
            size = self.counted(type_, init)
        elif size is None and all(dim is not None for dim in resolved.dims):
            size = self._variable_size(state, resolved, node)
        zeroed = isinstance(init, Several) and resolved.pointers == 0
        plain = node.static or init is not None
        state.regions[place.region] = Region(
            "static" if node.static else "stack", size, written=plain or node.static,
            zeroed=zeroed, terminated=plain, place=node.span,
        )  # fmt: skip
        if isinstance(init, Text):
            self._copied_literal(state, place, init)
        elif isinstance(init, Several):
            self.initialise(state, place, init)

    def _variable_size(self, state: State, type_: CType, node: Node) -> Poly | None:
        """The size of an array whose size is not constant."""
        size = self.types.size(type_._replace(dims=()))
        for dim in type_.dims:
            if dim is None or size is None:
                return None
            count = self.number(state, dim)
            size = multiply(size, count)
        if size is not None and size.terms and type_.dims[0] is not None:
            self.check_stack(state, size, type_.dims[0]._replace(span=node.span))
        return size

    def _copied_literal(self, state: State, place: Place, init: Text) -> None:
        region = state.regions[place.region]
        known = region.size.number if region.size is not None else None
        fits = known is None or len(init.text) < known
        length = Poly(len(init.text)) if fits else None
        state.update(place.region, length=length, terminated=fits)

    def counted(self, type_: CType, init: Expr) -> Poly | None:
        """The size of an array that its initialiser sets."""
        type_ = self.types.resolve(type_)
        count: int | None = None
        if isinstance(init, Text):
            count = len(init.text) + 1
        elif isinstance(init, Several):
            count = len(init.parts)
            if any(key.startswith("[") for key in init.keys):
                return None
        element = self.types.size(type_.element)
        if count is None or element is None:
            return None
        return multiply(Poly(count), element)

    def _declare_object(
        self, state: State, place: Place, type_: CType, init: Expr | None, node: Node
    ) -> None:
        record = self.types.is_record(type_)
        plain = record and self.source.language == "c"
        size = self.types.size(type_)
        written = not plain or init is not None or node.static
        state.regions[place.region] = Region(
            "stack" if plain else "object", size, written=written,
            zeroed=isinstance(init, Several) and bool(init.keys), place=node.span,
        )  # fmt: skip
        if init is None:
            return
        if plain:
            source = self.place(state, init, write=False)
            if source is not None:
                self.copy_record(state, place, source)
            elif isinstance(init, Several) and init.keys:
                self.initialise(state, place, init)
            else:
                self.value(state, init)
            return
        parts = init.parts if isinstance(init, Several) and (node.direct or init.keys) else (init,)
        for part in parts:
            value = self.value(state, part)
            self.escape(state, value)
            self._given_away(state, value)
            if type_.base == "auto":
                state.cells[place.region, ""] = value

    def initialise(self, state: State, place: Place, init: Several) -> None:
        type_ = self.types.resolve(place.type) if place.type is not None else CType("")
        fields = self._field_names(type_)
        for number, part in enumerate(init.parts):
            value = self.value(state, part)
            key = init.keys[number] if number < len(init.keys) else ""
            if key.startswith("."):
                state.cells[place.region, f"{place.path}{key}"] = value
            elif fields and number < len(fields) and not isinstance(part, Several):
                state.cells[place.region, f"{place.path}.{fields[number]}"] = value
            elif type_.dims and isinstance(value, Pointer) and not isinstance(part, Several):
                size = self.types.size(type_.element)
                offset = size.number * number if size is not None and size.number else None
                if offset is not None:
                    state.cells[place.region, f"[{offset}]" if offset else ""] = value

    def _field_names(self, type_: CType) -> list[str]:
        record = self.source.records.get(type_.base) if not type_.dims else None
        return list(record.members) if record is not None else []
