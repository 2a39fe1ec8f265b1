"""What assignments, steps and initialisers change."""

from __future__ import annotations

from codeintel.engine.symbolic.expressions.arithmetic import add_values, compute, convert
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import escape, pointer_to, use
from codeintel.engine.symbolic.memory.cells import copy_record, read, write
from codeintel.engine.symbolic.memory.objects import assign_object, extend_object
from codeintel.engine.symbolic.program.syntax import (
    Assign,
    Binary,
    CType,
    Number,
    Several,
    Step,
    Var,
)
from codeintel.engine.symbolic.program.walk import stripped
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.values.polynomials import ONE, ZERO, Poly
from codeintel.engine.symbolic.values.regions import Place, Pointer, Value
from codeintel.engine.symbolic.values.state import State


def assign(machine: Machine, state: State, expr: Assign) -> Value:
    type_ = type_of(machine, expr.target)
    if not expr.op and type_ is not None and _is_plain_record(machine, type_):
        return _assign_record(machine, state, expr)
    value = machine.value(state, expr.value)
    if expr.op:
        place = machine.place(state, expr.target, write=None)
        if type_ is not None and machine.types.is_object(type_):
            extend_object(machine, state, expr)
            return value
        before = read(machine, state, place, expr.span) if place is not None else ZERO
        made = Binary(expr.span, expr.op, expr.target, expr.value)
        value = compute(machine, state, made, before, value)
    if type_ is not None and machine.types.is_object(type_):
        assign_object(machine, state, expr, value)
        return value
    value = convert(machine, state, value, type_, expr.span, type_of(machine, expr.value))
    place = machine.place(state, expr.target, write=True)
    if place is not None:
        if type_ is not None and type_.is_pointer and isinstance(value, Poly) and value.terms:
            value = pointer_to(state, value) or value
        write(machine, state, place, value, expr.span)
    elif isinstance(expr.target, Var):
        state.forget(f"::{expr.target.name}")
    else:
        escape(state, value)
    return value


def _is_plain_record(machine: Machine, type_: CType) -> bool:
    return machine.types.is_record(type_) and machine.source.language == "c"


def _assign_record(machine: Machine, state: State, expr: Assign) -> Value:
    place = machine.place(state, expr.target, write=True)
    inner = stripped(expr.value)
    source = machine.place(state, inner, write=False)
    if place is not None and source is not None:
        copy_record(state, place, source)
    elif place is not None:
        machine.value(state, expr.value)
        state.drop(place.region, f"{place.path}.")
        state.update(place.region, written=True)
        if isinstance(inner, Several):
            initialise(machine, state, place, inner)
    else:
        machine.value(state, expr.value)
    return machine.unknown(state, expr.span)


def step(machine: Machine, state: State, expr: Step) -> Value:
    type_ = type_of(machine, expr.target)
    if type_ is not None and machine.types.is_object(type_):
        before = machine.value(state, expr.target)
        use(machine, state, before, expr.span)
        return before
    place = machine.place(state, expr.target, write=None)
    if place is None:
        return machine.unknown(state, expr.span)
    before = read(machine, state, place, expr.span)
    made = Binary(expr.span, "+" if expr.by > 0 else "-", expr.target, Number(expr.span, 1))
    if isinstance(before, Pointer) and before.generation >= 0:
        use(machine, state, before, expr.span)
        after = read(machine, state, place, expr.span)
    else:
        after = add_values(machine, state, made, before, ONE, type_, CType("int"))
    write(machine, state, place, after, expr.span)
    return after if expr.prefix else before


def initialise(machine: Machine, state: State, place: Place, init: Several) -> None:
    type_ = machine.types.resolve(place.type) if place.type is not None else CType("")
    fields = _field_names(machine, type_)
    for number, part in enumerate(init.parts):
        value = machine.value(state, part)
        key = init.keys[number] if number < len(init.keys) else ""
        if key.startswith("."):
            state.cells[place.region, f"{place.path}{key}"] = value
        elif fields and number < len(fields) and not isinstance(part, Several):
            state.cells[place.region, f"{place.path}.{fields[number]}"] = value
        elif type_.dims and isinstance(value, Pointer) and not isinstance(part, Several):
            size = machine.types.size(type_.element)
            offset = size.number * number if size is not None and size.number else None
            if offset is not None:
                state.cells[place.region, f"[{offset}]" if offset else ""] = value


def _field_names(machine: Machine, type_: CType) -> list[str]:
    record = machine.source.records.get(type_.base) if not type_.dims else None
    return list(record.members) if record is not None else []
