"""The acquisition and release of memory, files and locks."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Frame, Machine
from codeintel.engine.symbolic.memory.access import MEMORY, escape, may_be_negative, pointer_to
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import (
    AddressOf,
    Call,
    CType,
    Delete,
    Expr,
    New,
    Several,
    SizeOf,
    Var,
    root_name,
    stripped,
    walk,
)
from codeintel.engine.symbolic.values.polynomials import ONE, ZERO, Poly, multiply
from codeintel.engine.symbolic.values.state import (
    OUTSIDE,
    Held,
    Null,
    Origin,
    Pointer,
    Region,
    State,
    Value,
)

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
    """Declare an object that holds a lock for its lifetime. Return False for other declarations."""
    base = type_.base
    if base not in (*_GUARDS, "scoped_lock") or not isinstance(init, Several):
        return False
    locks = [part for part in init.parts if not _is_tag(part)]
    if len(locks) < len(init.parts) or len(locks) != 1:
        return True  # deferred, adopted, or several together: no order can be wrong
    take_lock(
        machine,
        state,
        lock_name(machine, state, AddressOf(span, locks[0])),
        span,
        f"{machine.frame.prefix}{name}",
    )
    return True


def take_lock(machine: Machine, state: State, name: str, span: Span, guard: str = "") -> None:
    """Take a lock, and report it if it is already held."""
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
            machine.report(Fact.LOCK_ORDER, span, (other, "taken in the opposite order here"))


def give_back_lock(machine: Machine, state: State, name: str) -> None:
    """Release a lock."""
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
    """Report the locks that are held to the end on one path and released on another."""
    for (name, place), span in machine.kept.items():
        if name in machine.unlocked:
            machine.report(Fact.LOCK_KEPT, place, (place, "taken here"), (span, "still held here"))


def lock_taken(machine: Machine, state: State, expr: Call) -> Value:
    """Execute a function that takes a lock."""
    name = lock_name(machine, state, expr.args[0])
    if expr.name.endswith("trylock") and machine.choose(2) == 1:
        return ONE
    take_lock(machine, state, name, expr.span)
    return ZERO


def lock_given_back(machine: Machine, state: State, expr: Call) -> Value:
    """Execute a function that releases a lock."""
    give_back_lock(machine, state, lock_name(machine, state, expr.args[0]))
    return ZERO


def lock_name(machine: Machine, state: State, expr: Expr) -> str:
    """Return a name for a lock: the place that holds it."""
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


RELEASERS = re.compile(
    r"(?i)free|release|destroy|close|delete|clean|dispose|unref|deinit|shutdown|drop|teardown"
)


# Allocation


def allocate(
    machine: Machine, state: State, span: Span, family: str, size: Poly | None, *, null: bool,
    zeroed: bool = False, written: bool = False,
) -> Pointer:  # fmt: skip
    """Add a new region that has to be released, and return its address."""
    name = machine.tag(state, "heap:", span)
    while name in state.regions:
        name += "'"
    state.regions[name] = Region(
        "heap" if family in MEMORY else family,
        size,
        family=family,
        null=Null.MAYBE if null else Null.NO,
        owned=True,
        written=written or zeroed,
        zeroed=zeroed,
        terminated=zeroed,
        length=ZERO if zeroed else None,
        place=span,
    )
    return Pointer(name, ZERO)


def check_size(
    machine: Machine, state: State, span: Span, size: Poly, parts: tuple[Expr, ...]
) -> None:
    """Report an allocation size that may overflow its type or be negative."""
    if _overflows(state, size):
        machine.report(Fact.ALLOCATION_OVERFLOW, span)
    elif may_be_negative(state, size):
        machine.report(Fact.SIZE_NEGATIVE, span)
    for part in parts:
        for each in walk(part):
            if isinstance(each, SizeOf) and each.value is not None:
                check_sizeof(machine, each, None)


def _overflows(state: State, size: Poly) -> bool:
    """Return whether a size is an unchecked product of untrusted numbers."""
    for monomial, factor in size.terms:
        chosen = [
            name for name in monomial
            if (known := state.symbols.get(name)) is not None and known.origin in OUTSIDE
            and known.origin is not Origin.LENGTH and known.high is None
        ]  # fmt: skip
        scaled = factor > 1 or len(monomial) > 1
        if not chosen or not scaled or any(map(state.capped, monomial)):
            continue
        if len(chosen) > 1 or _is_input(state, chosen[0]):
            return True
    return False


def _is_input(state: State, name: str) -> bool:
    known = state.symbols[name]
    return known.origin in (Origin.INPUT, Origin.CONTENT) or (
        known.origin is Origin.PARAMETER and not state.floored(name)
    )


def check_sizeof(machine: Machine, expr: SizeOf, target: Expr | None) -> None:
    """Report `sizeof` of a pointer where the size of its target is meant."""
    inner = stripped(expr.value) if expr.value is not None else None
    if not isinstance(inner, Var):
        return
    type_ = type_of(machine, inner)
    if type_ is None or not machine.types.resolve(type_).is_pointer:
        return
    if target is None or stripped(target) == inner._replace(span=stripped(target).span):
        machine.report(Fact.SIZE_OF_POINTER, expr.span)


def new_object(machine: Machine, state: State, expr: New) -> Value:
    """Return the value of `new`."""
    for each in expr.args:
        escape(state, machine.value(state, each))
    size = machine.types.size(expr.type)
    if expr.length is not None:
        count = machine.number(state, expr.length)
        size = multiply(count, size) if size is not None else None
        check_size(machine, state, expr.span, count, ())  # the product with the size is checked
    family = "new[]" if expr.length is not None else "new"
    built = bool(expr.args) or not machine.types.is_scalar(expr.type)
    return allocate(machine, state, expr.span, family, size, null=expr.nothrow, written=built)


# Release


def delete_object(machine: Machine, state: State, expr: Delete) -> Value:
    """Execute `delete`."""
    value = machine.value(state, expr.value)
    release(machine, state, value, "new[]" if expr.array else "new", expr.span)
    return ZERO


def release(machine: Machine, state: State, value: Value, family: str, span: Span) -> None:
    """Release what an address points to."""
    pointer = pointer_to(state, value)
    if pointer is None or value == ZERO:
        return
    name = state.root(pointer.region)
    region = state.regions.get(name)
    if region is None or region.null is Null.YES:
        return
    if region.released is not None:
        double = Fact.DOUBLE_FREE if family in MEMORY else Fact.DOUBLE_CLOSE
        machine.report(double, span, (region.released, "released here first"))
        return
    if family in MEMORY:
        _check_release(machine, state, pointer, region, family, span)
    if region.place.end:
        machine.released_places.add(region.place)
    state.update(name, released=span, owned=False, family=region.family or family)


def _check_release(
    machine: Machine, state: State, pointer: Pointer, region: Region, family: str, span: Span
) -> None:
    part = pointer.region != state.root(pointer.region)
    if region.kind in ("stack", "static", "text") and not region.parent:
        machine.report(Fact.FREE_OF_NON_HEAP, span, (region.place, "it was not allocated"))
    elif region.family in MEMORY and region.family != family:
        machine.report(Fact.MISMATCHED_FREE, span, (region.place, "acquired here"))
    elif region.family in MEMORY and not part:
        offset = pointer.offset
        if offset.number or (offset.terms and state.lower(offset) not in (None, 0)):
            machine.report(Fact.FREE_OF_OFFSET, span, (region.place, "acquired here"))


# Ends


def finish(machine: Machine, state: State, frame: Frame, value: Value | None, span: Span) -> None:
    """End a function: report what it loses. What it returns and what others can reach stays."""
    prefix = frame.prefix
    if isinstance(value, Pointer):
        _check_returned(machine, state, prefix, value, span)
    roots = {
        name for name, region in state.regions.items()
        if not name.startswith(prefix) and region.family == "" and not region.parent
    }  # fmt: skip
    if isinstance(value, Pointer):
        roots.add(value.region)
    kept = state.reachable(iter(roots))
    for name, region in list(state.regions.items()):
        if region.owned and region.null is not Null.YES and name not in kept:
            note_lost(machine, region, span)
            state.update(name, owned=False)
    check_locks(machine, state, frame, span)
    _end(state, prefix, value)


def _end(state: State, prefix: str, value: Value | None) -> None:
    kept = value.region if isinstance(value, Pointer) else ""
    pointed = {v.region for (region, _), v in state.cells.items()
               if isinstance(v, Pointer) and not region.startswith(prefix)}  # fmt: skip
    for name in [each for each in state.regions if each.startswith(prefix)]:
        if name == kept or name in pointed:
            state.update(name, ended=state.regions[name].kind != "static")
        else:
            del state.regions[name]
    for key in [each for each in state.cells if each[0].startswith(prefix)]:
        del state.cells[key]


def _check_returned(
    machine: Machine, state: State, prefix: str, value: Pointer, span: Span
) -> None:
    region = state.regions.get(state.root(value.region))
    own = state.root(value.region).startswith(prefix)
    if own and region is not None and region.kind == "stack":
        machine.report(Fact.STACK_ADDRESS, span, (region.place, "declared here"))


def note_lost(machine: Machine, region: Region, span: Span) -> None:
    if region.reallocated is not None:
        machine.report(Fact.REALLOC_LEAK, region.reallocated, (region.place, "acquired here"))
        return
    fact = Fact.MEMORY_LEAK if region.family in MEMORY else Fact.RESOURCE_LEAK
    known = machine.leaks.get(region.place)
    if known is None or (known[2] and not region.passed):
        machine.leaks[region.place] = (fact, span, region.passed)


def report_leaks(machine: Machine) -> None:
    """Report what was lost.

    What other functions have seen may belong to them, unless another path releases it.
    """
    for place, (fact, span, passed) in machine.leaks.items():
        if not passed or place in machine.released_places:
            machine.report(fact, place, (place, "acquired here"), (span, "lost here"))


def check_stack(machine: Machine, state: State, size: Poly, expr: Expr) -> None:
    """Report a size on the stack that untrusted input decides."""
    for name in size.symbols:
        known = state.symbols.get(name)
        open_ = known is not None and known.origin in OUTSIDE and known.high is None
        if open_ and not state.capped(name):
            machine.report(Fact.STACK_UNBOUNDED, expr.span)
            return
