"""Locks: in what order they are taken, and whether they are given back."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Frame, Machine
from codeintel.engine.symbolic.program.syntax import AddressOf, Call, CType, Expr, Several, Var
from codeintel.engine.symbolic.program.walk import root_name, stripped
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.values.polynomials import ONE, ZERO
from codeintel.engine.symbolic.values.regions import Held, Pointer, Value
from codeintel.engine.symbolic.values.state import State

_GUARDS = frozenset({"lock_guard", "unique_lock", "shared_lock"})
_MUTEX = re.compile(r"mutex")
_LOCKERS = re.compile(r"(?i)lock|acquire|enter|begin|guard|wait")


def _is_tag(expr: Expr) -> bool:
    return isinstance(expr, Var) and expr.name.endswith(
        ("defer_lock", "adopt_lock", "try_to_lock")
    )  # fmt: skip


def call_lock(machine: Machine, state: State, expr: Call, target: Expr) -> Value:
    name = lock_name(machine, state, AddressOf(target.span, target))
    if expr.name == "unlock":
        give_back_lock(machine, state, name)
    elif _is_mutex(machine, target):
        if expr.name == "try_lock" and machine.choose(2) == 1:
            return ZERO
        take_lock(machine, state, name, expr.span)
    return ONE


def _is_mutex(machine: Machine, target: Expr) -> bool:
    type_ = type_of(machine, target)
    if type_ is None:
        return re.search(r"(?i)mutex|mtx|lock|^m_?$", root_name(target)) is not None
    base = machine.types.resolve(type_).base
    return _MUTEX.search(base) is not None and "recursive" not in base


def declare_guard(
    machine: Machine, state: State, name: str, type_: CType, init: Expr | None, span: Span
) -> bool:
    """The declaration of an object that holds a lock as long as it lives."""
    base = type_.base
    if base not in (*_GUARDS, "scoped_lock") or not isinstance(init, Several):
        return False
    locks = [part for part in init.parts if not _is_tag(part)]
    if len(locks) < len(init.parts) or len(locks) != 1:
        return True  # deferred, adopted, or several at once: no order can be wrong
    take_lock(
        machine,
        state,
        lock_name(machine, state, AddressOf(span, locks[0])),
        span,
        f"{machine.frame.prefix}{name}",
    )
    return True


def take_lock(machine: Machine, state: State, name: str, span: Span, guard: str = "") -> None:
    """A lock is taken."""
    if guard:
        state.locks = tuple(held for held in state.locks if held.guard != guard)
    if any(held.name == name for held in state.locks):
        machine.report(Fact.LOCK_TWICE, span)
    for held in state.locks:
        _check_order(machine, held, name, span)
    state.locks = (*state.locks, Held(name, span, guard))


def _check_order(machine: Machine, held: Held, name: str, span: Span) -> None:
    if held.name != name:
        machine.lock_pairs.setdefault((held.name, name), span)
        if (other := machine.lock_pairs.get((name, held.name))) is not None:
            machine.report(Fact.LOCK_ORDER, span, (other, "taken in the other order here"))


def give_back_lock(machine: Machine, state: State, name: str) -> None:
    """A lock is given back."""
    machine.unlocked.add(name)
    state.locks = tuple(held for held in state.locks if name not in (held.name, held.guard))


def check_locks(machine: Machine, state: State, frame: Frame, span: Span) -> None:
    inside = frame.function.span
    for held in state.locks:
        if held.guard or not inside.start <= held.place.start < inside.end:
            continue
        if _LOCKERS.search(frame.function.name):
            continue
        machine.kept.setdefault((held.name, held.place), span)
    state.locks = tuple(
        held for held in state.locks if not held.guard.startswith(frame.prefix) or not held.guard
    )


def report_locks(machine: Machine) -> None:
    """Report the locks that are kept on some path and given back on another."""
    for (name, place), span in machine.kept.items():
        if name in machine.unlocked:
            machine.report(Fact.LOCK_KEPT, place, (place, "taken here"), (span, "kept here"))


def lock_taken(machine: Machine, state: State, expr: Call) -> Value:
    """A function that takes a lock."""
    name = lock_name(machine, state, expr.args[0])
    if expr.name.endswith("trylock") and machine.choose(2) == 1:
        return ONE
    take_lock(machine, state, name, expr.span)
    return ZERO


def lock_given_back(machine: Machine, state: State, expr: Call) -> Value:
    """A function that gives a lock back."""
    give_back_lock(machine, state, lock_name(machine, state, expr.args[0]))
    return ZERO


def lock_name(machine: Machine, state: State, expr: Expr) -> str:
    """A name for a lock: the place where it is."""
    expr = stripped(expr)
    inner = stripped(expr.value) if isinstance(expr, AddressOf) else expr
    place = machine.place(state, inner, write=None)
    if place is None:
        return str(getattr(inner, "name", inner.span.start))
    if isinstance(expr, AddressOf):
        return f"{place.region}{place.path}"
    value = state.cells.get((place.region, place.path))
    if isinstance(value, Pointer):
        return f"{value.region}{value.offset.constant or ''}"
    return f"{place.region}{place.path}"
