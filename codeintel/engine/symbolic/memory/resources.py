"""What is acquired and released: memory, files."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Frame, Machine
from codeintel.engine.symbolic.memory.access import MEMORY, escape, may_be_negative, pointer_to
from codeintel.engine.symbolic.memory.locks import check_locks
from codeintel.engine.symbolic.program.syntax import Delete, Expr, New, SizeOf, Var
from codeintel.engine.symbolic.program.walk import stripped, walk
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, multiply
from codeintel.engine.symbolic.values.regions import OUTSIDE, Null, Origin, Pointer, Region, Value
from codeintel.engine.symbolic.values.state import State

RELEASERS = re.compile(
    r"(?i)free|release|destroy|close|delete|clean|dispose|unref|deinit|shutdown|drop|teardown"
)


# Allocation


def allocate(
    machine: Machine, state: State, span: Span, family: str, size: Poly | None, *, null: bool,
    zeroed: bool = False, written: bool = False,
) -> Pointer:  # fmt: skip
    """Something new that has to be released."""
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
    """A size that may be too great for its type, or negative."""
    if _overflows(state, size):
        machine.report(Fact.ALLOCATION_OVERFLOW, span)
    elif may_be_negative(state, size):
        machine.report(Fact.SIZE_NEGATIVE, span)
    for part in parts:
        for each in walk(part):
            if isinstance(each, SizeOf) and each.value is not None:
                check_sizeof(machine, each, None)


def _overflows(state: State, size: Poly) -> bool:
    """Whether it is a product of what somebody outside chooses, unchecked."""
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
    """`sizeof` of an address where the size of what it points to is meant."""
    inner = stripped(expr.value) if expr.value is not None else None
    if not isinstance(inner, Var):
        return
    type_ = type_of(machine, inner)
    if type_ is None or not machine.types.resolve(type_).is_pointer:
        return
    if target is None or stripped(target) == inner._replace(span=stripped(target).span):
        machine.report(Fact.SIZE_OF_POINTER, expr.span)


def new_object(machine: Machine, state: State, expr: New) -> Value:
    """The value of `new`."""
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
    """`delete`."""
    value = machine.value(state, expr.value)
    release(machine, state, value, "new[]" if expr.array else "new", expr.span)
    return ZERO


def release(machine: Machine, state: State, value: Value, family: str, span: Span) -> None:
    """What an address points to is released."""
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
    """A function returns: what it had is gone, what it returns and what others see is not."""
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
    """Report what was lost. What other functions have seen may be theirs, unless it is
    released on another path."""
    for place, (fact, span, passed) in machine.leaks.items():
        if not passed or place in machine.released_places:
            machine.report(fact, place, (place, "acquired here"), (span, "lost here"))


def check_stack(machine: Machine, state: State, size: Poly, expr: Expr) -> None:
    """A size on the stack that somebody outside chooses."""
    for name in size.symbols:
        known = state.symbols.get(name)
        open_ = known is not None and known.origin in OUTSIDE and known.high is None
        if open_ and not state.capped(name):
            machine.report(Fact.STACK_UNBOUNDED, expr.span)
            return
