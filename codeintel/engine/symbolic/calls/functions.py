"""Calls of functions in the file, which are entered, and of unknown functions."""

from __future__ import annotations

import re

from codeintel.engine.symbolic.expressions.arithmetic import convert
from codeintel.engine.symbolic.machine import Frame, Machine, Stops, Thrown
from codeintel.engine.symbolic.memory.access import escape, give_away, use
from codeintel.engine.symbolic.memory.cells import variable
from codeintel.engine.symbolic.memory.containers import container_of
from codeintel.engine.symbolic.memory.resources import RELEASERS, finish
from codeintel.engine.symbolic.paths import Exit, explore
from codeintel.engine.symbolic.program import Function, Parameter
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import Call, Expr, Lambda, Var
from codeintel.engine.symbolic.values.polynomials import ZERO
from codeintel.engine.symbolic.values.state import (
    Null,
    Origin,
    Pointer,
    Region,
    State,
    Unset,
    Value,
)

_INPUT = re.compile(
    r"(?i)(?:read|recv|receive|get|fetch|parse|ask|prompt|input)_?"
    r"(?:user|input|line|packet|data|request|int|num|param|arg|value|choice|size|len|count|index)"
)
_ENDS = re.compile(
    r"(?i)(?:^|_)(?:die|fatal|panic|bail|abort|bug|oom|out_of_memory|errx?_?exit)(?:_|$)|unreachable"
)
_FAILS = re.compile(r"(?i)err|fail|usage|exit|quit|stop|raise|throw")


def unknown_call(
    machine: Machine, state: State, expr: Call, values: list[Value] | None = None
) -> Value:
    """Execute a call of an unknown function, which may do anything with what it can reach.

    :param values: the arguments, if they have been evaluated.
    """
    if _ENDS.search(expr.name) and expr.object is None:
        for arg in expr.args if values is None else ():
            machine.value(state, arg)
        raise Stops
    if _FAILS.search(expr.name):
        state.forget_nulls()
    types = machine.source.prototypes.get(expr.name, ())
    releases = RELEASERS.search(expr.name) is not None
    if values is None:
        if expr.name not in machine.source.prototypes:
            _take_references(machine, state, expr)
        values = [machine.value(state, arg) for arg in expr.args]
    for position, (arg, value) in enumerate(zip(expr.args, values, strict=True)):
        type_ = types[position] if position < len(types) else None
        const = type_ is not None and type_.const and type_.pointers == 1
        if isinstance(value, Pointer):
            _seen_outside(machine, state, arg, value, const=const, releases=releases)
    for name in [each for each in state.regions if each.startswith("::")]:
        if not _is_constant(machine, name):
            state.drop(name)
    known = machine.source.functions.get(expr.name)
    result = known.result if known is not None else None
    if _INPUT.search(expr.name):
        return machine.fresh(state, machine.tag(state, "n", expr.span), Origin.INPUT, type_=result)
    return machine.fresh(state, machine.tag(state, "n", expr.span), type_=result)


def _take_references(machine: Machine, state: State, expr: Call) -> None:
    """Count the arguments as set, because a macro or a reference parameter may set them."""
    for arg in expr.args:
        place = variable(machine, state, arg.name) if isinstance(arg, Var) else None
        if place is None:
            continue
        key = place.region, place.path
        if isinstance(state.cells.get(key), Unset):
            state.cells[key] = machine.unknown(state, arg.span)


def _is_constant(machine: Machine, region: str) -> bool:
    known = machine.source.globals.get(region[2:])
    return known is not None and known[2]


def _seen_outside(
    machine: Machine, state: State, arg: Expr, value: Pointer, *, const: bool, releases: bool
) -> None:
    """Note that an unknown function has received an address."""
    name = state.root(value.region)
    region = state.regions.get(name)
    if region is None:
        return
    if region.released is not None and not releases:
        use(machine, state, value, arg.span)
        return
    if const:
        return
    for each in state.reachable(iter([name])):
        known = state.regions.get(each)
        if known is None or known.kind == "text":
            continue
        if known.family or each == name:
            state.update(each, passed=True)
        forget_content(state, each, releases=releases)


def forget_content(state: State, name: str, *, releases: bool = False) -> None:
    """Forget the contents of a region."""
    region = state.regions[name]
    if region.kind == "container":
        return
    for key, value in state.cells_of(name):
        if not isinstance(value, Pointer) or region.kind != "stack":
            state.disown(value)
            del state.cells[key]
    for child, each in list(state.regions.items()):
        if each.parent == name:
            forget_content(state, child, releases=releases)
    state.update(
        name, written=True, zeroed=False, length=None, terminated=True,
        owned=region.owned and not releases, used=region.used,
    )  # fmt: skip


def capture(machine: Machine, state: State, expr: Lambda) -> Value:
    """Note that a lambda has seen the variables that it captures."""
    for name in expr.names:
        place = variable(machine, state, name)
        if place is None:
            continue
        value = state.cells.get((place.region, place.path))
        if isinstance(value, Pointer):
            escape(state, value)
            give_away(state, value)
        if place.region in state.regions and place.region.startswith(machine.frame.prefix):
            state.cells.pop((place.region, place.path), None)
            state.update(place.region, passed=True)
    return machine.unknown(state, expr.span)


MAX_OUTCOMES = 6
MAX_DEPTH = 3


def call_own(machine: Machine, state: State, expr: Call, function: Function) -> Value:
    """Execute a call of a function of this file."""
    values = [machine.value(state, arg) for arg in expr.args]
    return _enter(machine, state, expr, function, values)


def call_own_method(
    machine: Machine, state: State, expr: Call, function: Function, receiver: Value
) -> Value:
    """Execute a call of a method of this file."""
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
    """Return the distinct ways in which a function returns. Equal ones are joined."""
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
    """Pass an argument to a parameter."""
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
    """Return whether a function took a pointer for null that is unknown to its caller.

    A check for null does not show that null occurs.
    """
    return any(
        after.regions[name].null is Null.YES
        for name, region in before.regions.items()
        if region.null is Null.UNKNOWN and name in after.regions
    )
