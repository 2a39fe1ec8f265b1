"""Places in memory: variables, fields, and what addresses lead to."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import How, check_access, pointer_to, use
from codeintel.engine.symbolic.program.syntax import CType, Deref, Expr, Field, Several, Text, Var
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, multiply
from codeintel.engine.symbolic.values.regions import Place, Pointer, Region, at, path_of
from codeintel.engine.symbolic.values.state import State


def counted_size(machine: Machine, type_: CType, init: Expr) -> Poly | None:
    """The size of an array that its initialiser sets."""
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
    """Where a variable is. None for a name that is no variable as far as is known."""
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
    """The object that a method is called on."""
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
    """Where a variable is, however it is used."""
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
    """Check a pointer to a structure that may lie outside of an array."""
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
