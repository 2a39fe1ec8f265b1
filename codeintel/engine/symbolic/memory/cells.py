"""Find, read and write places in memory, such as variables and fields."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import How, check_access, length_at, pointer_to, use
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import CType, Deref, Expr, Field, Several, Text, Var
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, add, multiply
from codeintel.engine.symbolic.values.state import (
    Null,
    Origin,
    Place,
    Pointer,
    Region,
    State,
    TextRead,
    Unset,
    Value,
    at,
    path_of,
)


def read(machine: Machine, state: State, place: Place, span: Span) -> Value:
    """Return the value at a place."""
    type_ = place.type
    if type_ is not None and type_.reference:
        bound = state.cells.get((place.region, place.path))
        if isinstance(bound, Pointer):
            inner = type_._replace(reference=False)
            use(machine, state, bound, span)
            return read(machine, state, at(bound, inner), span)
    if type_ is not None and machine.types.resolve(type_).dims:
        return Pointer(part_of(machine, state, place), ZERO)
    key = place.region, place.path
    found = state.cells.get(key)
    if place.offset is not None and type_ is not None and machine.types.width(type_) == 1:
        machine.text_read = TextRead(span, place.region, place.offset)
    if found is None:
        found = _unknown_at(machine, state, place, span)
        state.cells[key] = found
    if isinstance(found, Unset):
        machine.report(Fact.UNINITIALISED, span, (found.place, "declared here"))
        found = state.cells[key] = machine.unknown(state, span)
    return found


def _unknown_at(machine: Machine, state: State, place: Place, span: Span) -> Value:
    """Return a new value for an unknown place."""
    region = state.regions.get(place.region) or Region("outside")
    whole = state.regions.get(state.root(place.region)) or region
    if region.zeroed:
        return ZERO
    own = whole.kind in ("stack", "heap") and whole.family in ("memory", "")
    if own and not region.written and not whole.passed and place.path:
        machine.report(Fact.UNINITIALISED, span)
    name = machine.tag(state, f"{place.region}{place.path}~", span)
    type_ = machine.types.resolve(place.type) if place.type is not None else None
    if type_ is not None and type_.pointers:
        inner = f"*{name}"
        outside = region.outside or region.kind == "outside"
        kind = "outside" if outside or region.kind == "static" else "unknown"
        state.regions[inner] = Region(kind, null=Null.UNKNOWN, outside=outside)
        return Pointer(inner, ZERO)
    origin = Origin.NONE
    if region.kind == "outside" or region.outside:
        given = region.kind == "outside"  # and has not been filled here with input
        origin = Origin.FIELD if given and "." in place.path else Origin.CONTENT
    made = machine.fresh(state, name, origin, type_=type_)
    if type_ is not None and machine.types.width(type_) == 1:
        _note_text_read(machine, state, place, region)
    return made


def _note_text_read(machine: Machine, state: State, place: Place, region: Region) -> None:
    """Note that a character was read from a text, so its offset is not beyond the text's end."""
    if (region.kind == "outside" and place.offset is not None) or region.length:
        offset = place.offset
        if offset is not None and offset.terms:
            length = length_at(machine, state, Pointer(place.region, ZERO))
            state.suppose(add(offset, length, -1))


def part_of(machine: Machine, state: State, place: Place) -> str:
    """Return the region of an array that is a field or an element of another region."""
    if not place.path:
        return place.region
    name = f"{place.region}{place.path}"
    whole = state.regions.get(place.region) or Region("outside")
    if name not in state.regions and place.type is not None:
        state.regions[name] = Region(
            whole.kind, machine.types.size(place.type), written=whole.written,
            zeroed=whole.zeroed, outside=whole.outside, parent=place.region,
            family=whole.family, place=whole.place,
        )  # fmt: skip
    return name


def write(machine: Machine, state: State, place: Place, value: Value, span: Span) -> None:
    """Store a value at a place."""
    if place.type is not None and place.type.reference:
        bound = state.cells.get((place.region, place.path))
        if isinstance(bound, Pointer):
            inner = place.type._replace(reference=False)
            write(machine, state, at(bound, inner), value, span)
            return
    region = state.regions.get(place.region)
    if place.offset is not None and place.offset.terms:  # the element is unknown
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
    if region.kind != "stack" or place.path or _is_part(machine, place, region):
        state.update(place.region, written=True)
    if region.moved is not None and not place.path:
        state.update(place.region, moved=None)
    _text_written(machine, state, place, value, region)


def _is_part(machine: Machine, place: Place, region: Region) -> bool:
    """Return whether a place is only part of its region, such as the first element of an array."""
    size = machine.types.size(place.type) if place.type is not None else None
    return size is not None and region.size is not None and size != region.size


def _text_written(
    machine: Machine, state: State, place: Place, value: Value, region: Region
) -> None:
    if place.type is None or machine.types.width(place.type) != 1:
        return
    if isinstance(value, Poly) and value.number is None:
        state.update(place.region, terminated=True)  # the value may be zero
    if value != ZERO:
        return
    state.update(place.region, terminated=True)
    offset = place.offset
    fixed = region.length is not None and region.length.number is not None
    if offset is not None and not fixed and (offset.number is not None or not region.length):
        state.update(place.region, length=offset)


def copy_record(state: State, target: Place, source: Place) -> None:
    """Copy the fields of a structure."""
    state.drop(target.region, f"{target.path}.")
    for key, value in state.cells_of(source.region):
        if key[1].startswith(f"{source.path}."):
            state.cells[target.region, target.path + key[1][len(source.path) :]] = value
    if target.region in state.regions:
        state.update(target.region, written=True)


def counted_size(machine: Machine, type_: CType, init: Expr) -> Poly | None:
    """Return the size in bytes of an array that its initializer determines, or None."""
    type_ = machine.types.resolve(type_)
    count: int | None = None
    if isinstance(init, Text):
        count = len(init.text) + 1
    elif isinstance(init, Several):
        count = len(init.parts)
        if any(key.startswith("[") for key in init.keys):
            return None
    element = machine.types.size(type_.element)
    if count is None or element is None:
        return None
    return multiply(Poly(count), element)


# Variables


def variable(machine: Machine, state: State, name: str) -> Place | None:
    """Return the place of a variable, or None if the name is not known as a variable."""
    if name in machine.frame.types:
        return Place(f"{machine.frame.prefix}{name}", "", machine.frame.types[name])
    if name in machine.source.globals:
        return _global_variable(machine, state, name)
    owner = machine.frame.function.owner
    if owner:
        member = machine.types.field(CType(f"struct {owner}"), name)
        if member is not None:
            return Place(this_object(machine, state).region, f".{name}", member, None)
    return None


def this_object(machine: Machine, state: State) -> Pointer:
    """Return the address of the object on which a method is called."""
    name = machine.frame.this
    if name not in state.regions:
        state.regions[name] = Region("outside")
    return Pointer(name, ZERO)


def _global_variable(machine: Machine, state: State, name: str) -> Place:
    type_, init, _ = machine.source.globals[name]
    region = f"::{name}"
    if region not in state.regions:
        size = machine.types.size(type_)
        if size is None and init is not None and type_.dims:
            size = counted_size(machine, type_, init)
        state.regions[region] = Region("static", size, zeroed=False, place=Span(0, 0))
    return Place(region, "", type_)


# Places of expressions


def variable_at(machine: Machine, state: State, expr: Var, *, write: bool | None) -> Place | None:
    """Return the place of a variable, however it is used."""
    del write
    return variable(machine, state, expr.name)


def field_at(machine: Machine, state: State, expr: Field, *, write: bool | None) -> Place | None:
    whole = type_of(machine, expr.object)
    type_ = type_of(machine, expr)
    if expr.arrow or (whole is not None and whole.is_pointer):
        pointer = use(machine, state, machine.value(state, expr.object), expr.span)
        if pointer is None:
            return None
        _check_within(machine, state, pointer, whole, expr, write=write)
        path = f"{path_of(pointer.offset)}.{expr.name}"
        return Place(pointer.region, path, type_, None)
    place = machine.place(state, expr.object, write=write)
    if place is None:
        return None
    if whole is not None and whole.reference:
        bound = state.cells.get((place.region, place.path))
        if isinstance(bound, Pointer) and bound.generation >= 0:
            use(machine, state, bound, expr.span)  # an element of a container that may have changed
    return Place(place.region, f"{place.path}.{expr.name}", type_, None)


def _check_within(
    machine: Machine,
    state: State,
    pointer: Pointer,
    whole: CType | None,
    expr: Expr,
    *,
    write: bool | None,
) -> None:
    """Check a pointer to a structure that may lie outside an array."""
    if whole is None or (not pointer.offset.terms and not pointer.offset.constant):
        return
    size = machine.types.size(whole.element)
    if size is not None and write is not None:
        check_access(machine, state, pointer, size, expr.span, write=write, how=How.INDEX)


def pointee_at(machine: Machine, state: State, expr: Deref, *, write: bool | None) -> Place | None:
    value = machine.value(state, expr.value)
    type_ = type_of(machine, expr)
    size = machine.types.size(type_) if type_ is not None else None
    pointer = pointer_to(state, value)
    if pointer is None or size is None or write is None:
        pointer = use(machine, state, value, expr.span)
    else:
        check_access(machine,
            state, pointer, size, expr.span, write=write, how=How.INDEX,
            element=size.number or 1,
        )  # fmt: skip
    if pointer is None:
        return None
    return at(pointer, type_)
