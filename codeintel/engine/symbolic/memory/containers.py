"""Array elements, and for C++ the sizes of containers and the validity of pointers into them."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import How, check_access, escape, pointer_to, use
from codeintel.engine.symbolic.memory.cells import variable
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import Call, CType, Expr, Step, Subscript, Var, stripped
from codeintel.engine.symbolic.values.polynomials import ONE, ZERO, Poly, add, multiply, shift
from codeintel.engine.symbolic.values.state import Origin, Place, Pointer, Region, State, Value, at
from codeintel.engine.symbolic.values.types import CONTIGUOUS

_GROWS = frozenset({"push_back", "emplace_back", "insert", "emplace", "resize", "reserve", "append",
                    "push_front", "assign", "shrink_to_fit", "clear", "erase", "pop_back", "swap",
                    "replace", "emplace_front"})  # fmt: skip
_BEGINS = frozenset({"begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "data", "c_str",
                     "front", "back", "lower_bound", "upper_bound"})  # fmt: skip
_MAX_DIGITS = 18


def container_of(machine: Machine, state: State, expr: Expr) -> str | None:
    """Return the region of a container, or None if the expression is not a container."""
    inner = stripped(expr)
    type_ = type_of(machine, inner)
    if type_ is None or not machine.types.is_container(type_._replace(reference=False)):
        return None
    place = machine.place(state, inner, write=None)
    if place is None:
        return None
    bound = state.cells.get((place.region, place.path))
    if type_.reference and isinstance(bound, Pointer):
        return bound.region
    return _container_part(machine, state, place, type_)


def _container_part(machine: Machine, state: State, place: Place, type_: CType) -> str:
    name = f"{place.region}{place.path}"
    known = state.regions.get(name)
    if known is not None and known.kind == "container":
        return name
    outer = state.regions.get(place.region)
    outside = known.outside if known is not None else False
    outside = outside or (outer is not None and outer.kind == "outside")
    size = fixed_size(machine, type_)
    if size is None:
        size = machine.fresh(
            state, f"size({name})", Origin.LENGTH if outside else Origin.NONE, low=0
        )  # fmt: skip
    state.regions[name] = Region("container", size, outside=outside, parent="", place=Span(0, 0))
    return name


def fixed_size(machine: Machine, type_: CType) -> Poly | None:
    """Return the number of elements of a `std::array`, or None for other types."""
    type_ = machine.types.resolve(type_)
    if type_.base != "array":
        return None
    text = type_.arguments.rpartition(",")[2].strip()
    if text.isdecimal() and len(text) <= _MAX_DIGITS:
        return Poly(int(text))
    number = machine.types.constant(Var(Span(0, 0), text))
    return Poly(number) if number is not None else None


def container_element(
    machine: Machine, state: State, expr: Subscript, *, write: bool | None
) -> Place | None:
    name = container_of(machine, state, expr.object)
    index = machine.number(state, expr.key) if name is not None else None
    if name is None or index is None:
        machine.value(state, expr.key)
        return None
    use(machine, state, Pointer(name, ZERO), expr.span)
    type_ = type_of(machine, expr.object)
    base = machine.types.resolve(type_).base if type_ is not None else ""
    if base in CONTIGUOUS:
        room = ZERO if base == "string" and not write else ONE
        check_access(machine,
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
    return Place(element, path, type_of(machine, expr), None)


# Methods


def call_container(machine: Machine, state: State, expr: Call, name: str, type_: CType) -> Value:
    method = expr.name
    values = [machine.value(state, arg) for arg in expr.args]
    for value in values:
        if method not in ("erase", "find", "count", "at", "insert"):
            escape(state, value)
    region = state.regions[name]
    size = region.size if region.size is not None else ZERO
    if method in ("size", "length"):
        return size
    if method in ("c_str", "data") and machine.types.resolve(type_).base in CONTIGUOUS:
        return _text_of(state, name, region, size)
    if method in _BEGINS:
        if method in ("front", "back"):
            return machine.unknown(state, expr.span)
        return Pointer(name, ZERO, region.generation)
    if method == "at" and values:
        return machine.unknown(state, expr.span, Origin.CONTENT if region.outside else Origin.NONE)
    if method in _GROWS:
        return _change(machine, state, expr, name, values, type_)
    return machine.unknown(state, expr.span)


def _text_of(state: State, name: str, region: Region, size: Poly) -> Pointer:
    inner = f"{name}.text^{region.generation}"
    if inner not in state.regions:
        state.regions[inner] = Region(
            "unknown", shift(size, 1), length=size, outside=region.outside, parent=""
        )  # fmt: skip
    return Pointer(inner, ZERO)


def _change(
    machine: Machine, state: State, expr: Call, name: str, values: list[Value], type_: CType
) -> Value:
    """Execute a method that changes the size of a container."""
    region = state.regions[name]
    size = region.size if region.size is not None else ZERO
    contiguous = machine.types.resolve(type_).base in CONTIGUOUS
    made = _size_after(machine, state, expr, size, values)
    invalidates = contiguous and expr.name != "pop_back"
    if contiguous and expr.name in ("push_back", "emplace_back") and _reserved(state, name):
        invalidates = False
    if expr.name == "reserve":
        made = size
        state.cells[f"{name}/", "reserved"] = ONE
    generation = region.generation + 1 if invalidates else region.generation
    state.update(name, size=made, generation=generation, changed=expr.span, moved=None)
    if expr.name == "erase" and expr.args and not contiguous:
        _erased(machine, state, expr)
    if expr.name in ("erase", "insert", "emplace"):
        return Pointer(name, ZERO, generation)
    return machine.unknown(state, expr.span)


def _reserved(state: State, name: str) -> bool:
    return (f"{name}/", "reserved") in state.cells


def _erased(machine: Machine, state: State, expr: Call) -> None:
    """Invalidate the iterator to an erased element.

    In a list or map, other iterators stay valid.
    """
    inner = stripped(expr.args[0])
    if isinstance(inner, Var):
        place = variable(machine, state, inner.name)
        if place is not None:
            value = state.cells.get((place.region, place.path))
            if isinstance(value, Pointer) and value.generation >= 0:
                state.cells[place.region, place.path] = value._replace(generation=1_000_000)


def _size_after(
    machine: Machine, state: State, expr: Call, size: Poly, values: list[Value]
) -> Poly:
    if expr.name in ("push_back", "emplace_back", "push_front", "emplace_front"):
        return shift(size, 1)
    if expr.name == "pop_back":
        return shift(size, -1)
    if expr.name == "clear":
        return ZERO
    if expr.name == "resize" and values and isinstance(values[0], Poly):
        return values[0]
    return machine.fresh(state, machine.tag(state, "size", expr.span), low=0)


def element_at(
    machine: Machine, state: State, expr: Subscript, *, write: bool | None
) -> Place | None:
    whole = type_of(machine, expr.object)
    if whole is not None and machine.types.is_container(whole):
        return container_element(machine, state, expr, write=write)
    base = machine.value(state, expr.object)
    index = machine.number(state, expr.key)
    type_ = type_of(machine, expr)
    size = machine.types.size(type_) if type_ is not None else None
    offset = multiply(index, size) if size is not None else None
    pointer = pointer_to(state, base)
    if pointer is None:
        use(machine, state, base, expr.span)
        return None
    if offset is None or size is None:
        use(machine, state, pointer, expr.span)
        return None
    moved = Pointer(pointer.region, add(pointer.offset, offset), pointer.generation)
    if write is not None:
        appends = isinstance(stripped(expr.key), Step) and write
        _check_element(machine, state, moved, size, expr, write=write, appends=appends)
    return at(moved, type_)


def _check_element(
    machine: Machine,
    state: State,
    moved: Pointer,
    size: Poly,
    expr: Expr,
    *,
    write: bool,
    appends: bool,
) -> None:
    region = state.regions.get(moved.region)
    if appends and region is not None and region.size is not None:
        for name in moved.offset.symbols:  # `list->items[list->count++] = x` without a check
            known = state.symbols.get(name)
            field = known is not None and known.origin is Origin.FIELD
            known_of = (*state.known, *state.nonzero)
            if field and not any(name in fact.symbols for fact in known_of):
                machine.report(Fact.INDEX_UNCHECKED, expr.span)
    check_access(machine,
        state, moved, size, expr.span, write=write, how=How.INDEX, element=size.number or 1
    )  # fmt: skip
