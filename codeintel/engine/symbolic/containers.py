"""C++: containers of the standard library, smart pointers, streams, objects."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.access import How
from codeintel.engine.symbolic.functions import Functions
from codeintel.engine.symbolic.memory import Origin, Pointer, Region, Value
from codeintel.engine.symbolic.poly import ONE, ZERO, Poly, shift
from codeintel.engine.symbolic.reading import Place
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Call, CType, Deref, Expr, Subscript, Var
from codeintel.engine.symbolic.types import CONTIGUOUS
from codeintel.engine.symbolic.walk import stripped

_GROWS = frozenset({"push_back", "emplace_back", "insert", "emplace", "resize", "reserve", "append",
                    "push_front", "assign", "shrink_to_fit", "clear", "erase", "pop_back", "swap",
                    "replace", "emplace_front"})  # fmt: skip
_BEGINS = frozenset({"begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "data", "c_str",
                     "front", "back", "lower_bound", "upper_bound"})  # fmt: skip

_MAX_DIGITS = 18


class Containers(Functions):
    """Knows the sizes of containers, and what is still valid of what points into them."""

    def container(self, state: State, expr: Expr) -> str | None:
        """The region of a container, or None if the expression is none."""
        inner = stripped(expr)
        type_ = self.type_of(inner)
        if isinstance(inner, Deref):
            type_ = self.type_of(inner)
        if type_ is None or not self.types.is_container(type_._replace(reference=False)):
            return None
        place = self.place(state, inner, write=None)
        if place is None:
            return None
        bound = state.cells.get((place.region, place.path))
        if type_.reference and isinstance(bound, Pointer):
            return bound.region
        return self._container_part(state, place, type_)

    def _container_part(self, state: State, place: Place, type_: CType) -> str:
        name = f"{place.region}{place.path}"
        known = state.regions.get(name)
        if known is not None and known.kind == "container":
            return name
        outer = state.regions.get(place.region)
        outside = known.outside if known is not None else False
        outside = outside or (outer is not None and outer.kind == "outside")
        size = self._fixed_size(type_)
        if size is None:
            size = self.fresh(
                state, f"size({name})", Origin.LENGTH if outside else Origin.NONE, low=0
            )  # fmt: skip
        state.regions[name] = Region(
            "container", size, outside=outside, parent="", place=Span(0, 0)
        )
        return name

    def _fixed_size(self, type_: CType) -> Poly | None:
        """The size of a `std::array`."""
        type_ = self.types.resolve(type_)
        if type_.base != "array":
            return None
        text = type_.arguments.rpartition(",")[2].strip()
        if text.isdecimal() and len(text) <= _MAX_DIGITS:
            return Poly(int(text))
        number = self.types.constant(Var(Span(0, 0), text))
        return Poly(number) if number is not None else None

    def container_element(
        self, state: State, expr: Subscript, *, write: bool | None
    ) -> Place | None:
        name = self.container(state, expr.object)
        index = self.number(state, expr.key) if name is not None else None
        if name is None or index is None:
            self.value(state, expr.key)
            return None
        self.use(state, Pointer(name, ZERO), expr.span)
        type_ = self.type_of(expr.object)
        base = self.types.resolve(type_).base if type_ is not None else ""
        if base in CONTIGUOUS:
            room = ZERO if base == "string" and not write else ONE
            self.access(
                state, Pointer(name, index), room if room != ZERO else ZERO, expr.span,
                write=bool(write), how=How.INDEX,
            )  # fmt: skip
        if base in ("map", "unordered_map"):
            return None
        region = state.regions[name]
        element = f"{name}/"
        if element not in state.regions:
            state.regions[element] = Region(
                "object", outside=region.outside, parent="", written=True
            )  # fmt: skip
        path = f"[{index.constant}{index.terms}]"
        return Place(element, path, self.type_of(expr), None)

    # Methods

    def _container_method(self, state: State, expr: Call, name: str, type_: CType) -> Value:
        method = expr.name
        values = [self.value(state, arg) for arg in expr.args]
        for value in values:
            if method not in ("erase", "find", "count", "at", "insert"):
                self.escape(state, value)
        region = state.regions[name]
        size = region.size if region.size is not None else ZERO
        if method in ("size", "length"):
            return size
        if method in ("c_str", "data") and self.types.resolve(type_).base in CONTIGUOUS:
            return self._text_of(state, name, region, size)
        if method in _BEGINS:
            if method in ("front", "back"):
                return self.unknown(state, expr.span)
            return Pointer(name, ZERO, region.generation)
        if method == "at" and values:
            return self.unknown(state, expr.span, Origin.CONTENT if region.outside else Origin.NONE)
        if method in _GROWS:
            return self._changed(state, expr, name, values, type_)
        return self.unknown(state, expr.span)

    def _text_of(self, state: State, name: str, region: Region, size: Poly) -> Pointer:
        inner = f"{name}.text^{region.generation}"
        if inner not in state.regions:
            state.regions[inner] = Region(
                "unknown", shift(size, 1), length=size, outside=region.outside, parent=""
            )  # fmt: skip
        return Pointer(inner, ZERO)

    def _changed(
        self, state: State, expr: Call, name: str, values: list[Value], type_: CType
    ) -> Value:
        """A method that changes the size of a container."""
        region = state.regions[name]
        size = region.size if region.size is not None else ZERO
        contiguous = self.types.resolve(type_).base in CONTIGUOUS
        made = self._size_after(state, expr, size, values)
        invalidates = contiguous and expr.name != "pop_back"
        if (
            contiguous
            and expr.name in ("push_back", "emplace_back")
            and self._reserved(state, name)
        ):
            invalidates = False
        if expr.name == "reserve":
            made = size
            state.cells[f"{name}/", "reserved"] = ONE
        generation = region.generation + 1 if invalidates else region.generation
        state.update(name, size=made, generation=generation, changed=expr.span, moved=None)
        if expr.name == "erase" and expr.args and not contiguous:
            self._erased(state, expr)
        if expr.name in ("erase", "insert", "emplace"):
            return Pointer(name, ZERO, generation)
        return self.unknown(state, expr.span)

    def _reserved(self, state: State, name: str) -> bool:
        return (f"{name}/", "reserved") in state.cells

    def _erased(self, state: State, expr: Call) -> None:
        """Of a list or a map, only the iterator to what was erased is invalid."""
        inner = stripped(expr.args[0])
        if isinstance(inner, Var):
            place = self.variable(state, inner.name)
            if place is not None:
                value = state.cells.get((place.region, place.path))
                if isinstance(value, Pointer) and value.generation >= 0:
                    state.cells[place.region, place.path] = value._replace(generation=1_000_000)

    def _size_after(self, state: State, expr: Call, size: Poly, values: list[Value]) -> Poly:
        if expr.name in ("push_back", "emplace_back", "push_front", "emplace_front"):
            return shift(size, 1)
        if expr.name == "pop_back":
            return shift(size, -1)
        if expr.name == "clear":
            return ZERO
        if expr.name == "resize" and values and isinstance(values[0], Poly):
            return values[0]
        return self.fresh(state, self.tag(state, "size", expr.span), low=0)
