"""Which function a call is of."""

from __future__ import annotations

import re

from codeintel.engine.symbolic.calls.methods import call_method
from codeintel.engine.symbolic.calls.own import call_own
from codeintel.engine.symbolic.calls.special import SPECIAL
from codeintel.engine.symbolic.calls.table import known_call
from codeintel.engine.symbolic.calls.unknown import unknown_call
from codeintel.engine.symbolic.expressions.conditions import (
    CLASSES,
    LIKELY,
    assume_at_most_zero,
    assume_class,
    assume_equal,
    assume_value,
)
from codeintel.engine.symbolic.expressions.values import extract
from codeintel.engine.symbolic.library import library
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import escape
from codeintel.engine.symbolic.memory.containers import container_of
from codeintel.engine.symbolic.memory.objects import move_away, pass_moved
from codeintel.engine.symbolic.program.syntax import Call, CType, Expr, Field, Var
from codeintel.engine.symbolic.program.walk import stripped
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, add, scale, shift
from codeintel.engine.symbolic.values.regions import Origin, Value
from codeintel.engine.symbolic.values.state import State

_LIMITS = re.compile(r"(?i)(?:.*_)?(?:min|max)(?:imum)?(?:_\w+)?")
_INPUT = frozenset({"stoi", "stol", "stoul", "stoll", "stoull"})


def call_function(machine: Machine, state: State, expr: Call) -> Value:
    if expr.object is not None:
        return call_method(machine, state, expr)
    if LIKELY.fullmatch(expr.name) and expr.args:
        return machine.value(state, expr.args[0])
    special = SPECIAL.get(expr.name)
    own = machine.source.functions.get(expr.name)
    if own is not None and len(own.parameters) == len(expr.args):
        return call_own(machine, state, expr, own)
    if special is not None and len(expr.args) >= special[1]:
        return special[0](machine, state, expr)
    known = library().get(expr.name)
    if known is not None:
        return known_call(machine, state, expr, known)
    if _LIMITS.fullmatch(expr.name) and len(expr.args) == 2:
        return _limit_of(machine, state, expr)
    return free_call(machine, state, expr)


def assume_call(machine: Machine, state: State, expr: Call, truth: bool) -> None:
    """Go on where a known predicate is true, or where it is not."""
    if expr.name in CLASSES and len(expr.args) == 1:
        assume_class(machine, state, expr, truth)
    elif LIKELY.fullmatch(expr.name) and expr.args:
        machine.assume(state, expr.args[0], truth)
    elif expr.object is None or not assume_method(machine, state, expr, truth):
        assume_value(machine, state, expr, truth)


def _limit_of(machine: Machine, state: State, expr: Call) -> Value:
    """The smaller or the greater one of two values."""
    values = [machine.value(state, arg) for arg in expr.args]
    chosen = machine.choose(2)
    one, other = values[chosen], values[1 - chosen]
    if isinstance(one, Poly) and isinstance(other, Poly):
        least = "min" in expr.name.lower()
        assume_at_most_zero(machine, state, add(one, other, -1) if least else add(other, one, -1))
    return one


def free_call(machine: Machine, state: State, expr: Call) -> Value:
    """A call of a function that is in no table."""
    if expr.name == "move" and len(expr.args) == 1:
        return move_away(machine, state, expr)
    if expr.name in _INPUT and expr.args:
        for arg in expr.args:
            machine.value(state, arg)
        return machine.fresh(state, machine.tag(state, "n", expr.span), Origin.INPUT,
                          type_=type_of(machine, expr) or CType("int"))  # fmt: skip
    if expr.name == "getline" and len(expr.args) >= 2:
        machine.value(state, expr.args[0])
        extract(machine, state, expr.args[1])
        return machine.unknown(state, expr.span)
    if expr.name in ("make_unique", "make_shared"):
        for arg in expr.args:
            escape(state, machine.value(state, arg))
        return machine.unknown(state, expr.span)
    pass_moved(machine, state, expr)
    for arg in expr.args:
        _seen_container(machine, state, arg)
    return unknown_call(machine, state, expr)


def _seen_container(machine: Machine, state: State, arg: Expr) -> None:
    """A container is passed on: nothing says that it is not changed."""
    name = container_of(machine, state, arg) if isinstance(stripped(arg), Var | Field) else None
    if name is not None and not _is_const(machine, arg) and _fixed(state, name):
        size = machine.fresh(state, machine.tag(state, "size", arg.span), low=0)
        state.update(name, size=size)


def _fixed(state: State, name: str) -> bool:
    return state.regions[name].kind == "container"


def _is_const(machine: Machine, arg: Expr) -> bool:
    type_ = type_of(machine, arg)
    return type_ is not None and (type_.const or type_.base in ("array", "string_view", "span"))


def assume_method(machine: Machine, state: State, expr: Call, truth: bool) -> bool:
    """Take a method's call to be true or not. False if it is not known."""
    if expr.name != "empty" or expr.args or expr.object is None:
        return False
    name = container_of(machine, state, expr.object)
    if name is None:
        return False
    size = state.regions[name].size or ZERO
    if truth:
        assume_equal(machine, state, size, ZERO)
    else:
        assume_at_most_zero(machine, state, shift(scale(size, -1), 1))
    return True
