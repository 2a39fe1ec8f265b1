"""C++ objects that are moved, assigned and declared."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import escape, give_away
from codeintel.engine.symbolic.memory.cells import part_of, variable
from codeintel.engine.symbolic.memory.containers import container_of, fixed_size
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import (
    Assign,
    Call,
    CType,
    Expr,
    Field,
    Number,
    Several,
    Text,
    Var,
    stripped,
)
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, add
from codeintel.engine.symbolic.values.state import Origin, Place, Pointer, Region, State, Value
from codeintel.engine.symbolic.values.types import CONTIGUOUS

_FRESHENS = frozenset({"clear", "assign", "reset", "resize", "swap", "operator=", "open"})
_HARMLESS_AFTER_MOVE = frozenset({"empty", "clear", "assign", "reset", "swap", "valid", "joinable",
                                  "has_value", "get", "resize"})  # fmt: skip
_SETS = re.compile(
    r"(?i)(?:try_?)?(?:read|next|get|fill|parse|load|recv|receive|pop|take|fetch|dequeue|poll|wait|"
    r"reset|init|clear|swap|scan|decode|extract|assign|set|make|build|advance)"
)
"""Matches names of unknown functions that seem to set their arguments."""


def move_away(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `std::move(variable)`."""
    inner = stripped(expr.args[0])
    value = machine.value(state, inner)
    if isinstance(inner, Var):
        place = variable(machine, state, inner.name)
        type_ = type_of(machine, inner)
        scalar = type_ is not None and machine.types.is_scalar(type_._replace(reference=False))
        if place is not None and not scalar and place.region in state.regions:
            region = state.regions[place.region]
            if region.moved is not None:
                machine.report(Fact.USE_AFTER_MOVE, expr.span, (region.moved, "moved here"))
            state.update(place.region, moved=expr.span)
    return value


def check_receiver(machine: Machine, state: State, target: Expr, expr: Call) -> None:
    inner = stripped(target)
    if not isinstance(inner, Var):
        return
    if expr.name in _FRESHENS:
        settle(machine, state, inner)
    elif expr.name not in _HARMLESS_AFTER_MOVE:
        check_moved(machine, state, inner)


def settle(machine: Machine, state: State, expr: Expr) -> None:
    """Note that a moved-from variable has, or may have, a new value."""
    expr = stripped(expr)
    place = machine.place(state, expr, write=None) if isinstance(expr, Var) else None
    if place is not None and place.region in state.regions:
        state.update(place.region, moved=None)


def pass_moved(machine: Machine, state: State, expr: Call) -> None:
    """Execute the passing of arguments. A non-const reference counts as set by the function."""
    types = machine.source.prototypes.get(expr.name, ())
    for position, arg in enumerate(expr.args):
        type_ = types[position] if position < len(types) else None
        if type_ is None:
            sets = _SETS.match(expr.name) is not None
        else:
            sets = type_.reference and not type_.const
        if sets:
            settle(machine, state, arg)
        else:
            check_moved(machine, state, arg)


def check_moved(machine: Machine, state: State, expr: Expr) -> None:
    """Report the use of a variable whose value may have been moved away."""
    expr = stripped(expr)
    if not isinstance(expr, Var):
        return
    place = variable(machine, state, expr.name)
    region = state.regions.get(place.region) if place is not None else None
    if place is not None and region is not None and region.moved is not None:
        machine.report(Fact.USE_AFTER_MOVE, expr.span, (region.moved, "moved here"))
        state.update(place.region, moved=None)


def object_value(machine: Machine, state: State, place: Place) -> Value:
    """Return the address that stands for an object."""
    region = state.regions.get(place.region)
    if region is not None and region.moved is not None and not place.path:
        return Pointer(place.region, ZERO)
    type_ = place.type
    if type_ is not None and type_.reference:
        bound = state.cells.get((place.region, place.path))
        if isinstance(bound, Pointer):
            return bound
    name = part_of(machine, state, place)
    if name not in state.regions:
        state.regions[name] = Region("object")
    return Pointer(name, ZERO)


def assign_object(machine: Machine, state: State, expr: Assign, value: Value) -> None:
    """Execute `object = value`."""
    escape(state, value)
    give_away(state, value)
    target = stripped(expr.target)
    name = container_of(machine, state, target)
    if name is not None:
        region = state.regions[name]
        state.update(
            name, generation=region.generation + 1, changed=expr.span,
            size=_assigned_size(machine, state, expr.value, expr.span),
        )  # fmt: skip
    settle(machine, state, target)


def extend_object(machine: Machine, state: State, expr: Assign) -> None:
    """Execute `object += value`."""
    name = container_of(machine, state, expr.target)
    if name is not None:
        region = state.regions[name]
        inner = stripped(expr.value)
        by = Poly(len(inner.text)) if isinstance(inner, Text) else None
        size = region.size if region.size is not None else ZERO
        made = add(size, by) if by is not None else machine.fresh(
            state, machine.tag(state, "size", expr.span),
            Origin.LENGTH if region.outside else Origin.NONE, low=0,
        )  # fmt: skip
        state.update(name, size=made, generation=region.generation + 1, changed=expr.span)


def _assigned_size(machine: Machine, state: State, init: Expr, span: Span) -> Poly:
    inner = stripped(init)
    if isinstance(inner, Text):
        return Poly(len(inner.text))
    if isinstance(inner, Several) and inner.keys:
        return Poly(len(inner.parts))
    known = container_of(machine, state, inner) if isinstance(inner, Var | Field) else None
    if known is not None:
        return state.regions[known].size or ZERO
    return machine.fresh(state, machine.tag(state, "size", span), low=0)


def declare_container(
    machine: Machine, state: State, place: Place, type_: CType, init: Expr | None, span: Span
) -> None:
    """Declare a container, with its size if that is known."""
    size = fixed_size(machine, type_)
    values: list[Value] = []
    outside = False
    if isinstance(init, Several):
        values = [machine.value(state, part) for part in init.parts]
        braces = bool(init.keys)
        first = init.parts[0] if init.parts else None
        if size is None:
            size = _constructed(machine, state, type_, first, values, braces, span)
    elif init is not None:
        value = machine.value(state, init)
        source = state.regions.get(value.region) if isinstance(value, Pointer) else None
        outside = source is not None and (source.outside or source.kind == "outside")
        if size is None:
            size = _assigned_size(machine, state, init, span)
    elif size is None:
        size = ZERO
    for value in values:
        region = state.regions.get(value.region) if isinstance(value, Pointer) else None
        outside = outside or (region is not None and (region.outside or region.kind == "outside"))
    state.regions[place.region] = Region("container", size, outside=outside, place=span)


def _constructed(
    machine: Machine,
    state: State,
    type_: CType,
    first: Expr | None,
    values: list[Value],
    braces: bool,
    span: Span,
) -> Poly:
    base = machine.types.resolve(type_).base
    if first is None:
        return ZERO
    inner = stripped(first)
    if isinstance(inner, Text):
        return Poly(len(inner.text))
    if braces and base != "string" and not isinstance(inner, Var | Call):
        return Poly(len(values))
    if braces and len(values) > 1:
        return Poly(len(values))
    known = type_of(machine, inner)
    numeric = isinstance(inner, Number) or machine.types.is_integer(known)
    if not braces and numeric and isinstance(values[0], Poly) and base in CONTIGUOUS:
        return values[0]
    return _assigned_size(machine, state, inner, span) if len(values) == 1 else machine.fresh(
        state, machine.tag(state, "size", span), low=0
    )  # fmt: skip
