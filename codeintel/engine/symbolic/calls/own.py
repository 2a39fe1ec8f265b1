"""Calls of functions of the file: they are entered."""

from __future__ import annotations

from codeintel.engine.symbolic.calls.unknown import unknown_call
from codeintel.engine.symbolic.expressions.arithmetic import convert
from codeintel.engine.symbolic.machine import Frame, Machine, Stops, Thrown
from codeintel.engine.symbolic.memory.containers import container_of
from codeintel.engine.symbolic.memory.resources import finish
from codeintel.engine.symbolic.paths.explore import Exit, explore
from codeintel.engine.symbolic.program.functions import Function, Parameter
from codeintel.engine.symbolic.program.syntax import Call, Expr
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.values.polynomials import ZERO
from codeintel.engine.symbolic.values.regions import Null, Pointer, Region, Value
from codeintel.engine.symbolic.values.state import State

MAX_OUTCOMES = 6
MAX_DEPTH = 3


def call_own(machine: Machine, state: State, expr: Call, function: Function) -> Value:
    """A call of a function of this file."""
    values = [machine.value(state, arg) for arg in expr.args]
    return _enter(machine, state, expr, function, values)


def call_own_method(
    machine: Machine, state: State, expr: Call, function: Function, receiver: Value
) -> Value:
    """A call of a method of this file."""
    values = [machine.value(state, arg) for arg in expr.args]
    if not isinstance(receiver, Pointer) or receiver.offset != ZERO:
        return unknown_call(machine, state, expr, values)
    return _enter(machine, state, expr, function, values, receiver.region)


def _enter(
    machine: Machine, state: State, expr: Call, function: Function, values: list[Value],
    this: str = "this",
) -> Value:  # fmt: skip
    deep = len(machine.frames) > MAX_DEPTH
    if deep or any(frame.function is function for frame in machine.frames):
        return unknown_call(machine, state, expr, values)
    prefix = f"{machine.frame.prefix}{function.name}@{expr.span.start}/"
    frame = Frame(function, prefix, this)
    choices = machine.choices
    inner = state.copy()
    for parameter, value, arg in zip(function.parameters, values, expr.args, strict=True):
        _pass_argument(machine, inner, frame, parameter, value, arg)
    machine.frames.append(frame)
    try:
        exits = _merged(machine, frame, list(explore(machine, inner, frame)))
    finally:
        machine.frames.pop()
        machine.choices = choices
    if not exits:
        raise Stops
    exits = [each for each in exits if not _supposes_null(state, each.state)] or exits
    chosen = exits[machine.choose(len(exits))]
    state.become(chosen.state)
    if chosen.thrown:
        raise Thrown
    return chosen.value if chosen.value is not None else ZERO


def _merged(machine: Machine, frame: Frame, exits: list[Exit]) -> list[Exit]:
    """The different ways in which a function returns."""
    found: dict[object, Exit] = {}
    for each in exits:
        finish(machine, each.state, frame, each.value, each.span)
        key = (each.state.key(), each.value, each.thrown)
        known = found.get(key)
        if known is None:
            found[key] = each
        else:
            known.state.join(each.state)
    if len(found) > MAX_OUTCOMES:
        machine.drop_paths(frame)
    return list(found.values())[:MAX_OUTCOMES]


def _pass_argument(
    machine: Machine, state: State, frame: Frame, parameter: Parameter, value: Value, arg: Expr
) -> None:
    """An argument becomes a parameter."""
    name = f"{frame.prefix}{parameter.name}"
    type_ = parameter.type
    frame.types[parameter.name] = type_
    size = machine.types.size(type_)
    if type_.reference or machine.types.is_object(type_):
        container = container_of(machine, state, arg)
        state.regions[name] = Region("object")
        if container is not None and type_.reference:
            state.cells[name, ""] = Pointer(container, ZERO)
            return
        if container is not None:
            state.regions[name] = state.regions[container]
            return
        place = machine.place(state, arg, write=None) if type_.reference else None
        if place is not None and place.offset is not None:
            state.cells[name, ""] = Pointer(place.region, place.offset)
        return
    state.regions[name] = Region("stack", size, place=parameter.span)
    source = type_of(machine, arg)
    state.cells[name, ""] = convert(machine, state, value, type_, parameter.span, source)


def _supposes_null(before: State, after: State) -> bool:
    """Whether a function has taken a pointer to be null of which its caller knows nothing: that it
    asks is no sign that it happens."""
    return any(
        after.regions[name].null is Null.YES
        for name, region in before.regions.items()
        if region.null is Null.UNKNOWN and name in after.regions
    )
