"""Check that memory is live, not null, and used within its bounds."""

from __future__ import annotations

from enum import Enum, auto

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, add, residues, scale, shift
from codeintel.engine.symbolic.values.state import (
    OUTSIDE,
    Null,
    Origin,
    Pointer,
    Region,
    State,
    Value,
)

MEMORY = frozenset({"memory", "new", "new[]"})


class How(Enum):
    """The way in which memory is used."""

    INDEX = auto()
    COPY = auto()
    """As many bytes as a number says."""
    TEXT = auto()
    """As many bytes as a text has."""


def pointer_to(state: State, value: Value) -> Pointer | None:
    """Return a value as an address. An unknown value gets an unknown region that it points to."""
    if isinstance(value, Pointer):
        return value
    if not isinstance(value, Poly) or len(value.symbols) != 1 or len(value.terms) != 1:
        return None
    (monomial, factor), *_ = value.terms
    if factor != 1 or len(monomial) != 1:
        return None
    name = f"@{monomial[0]}"
    if name not in state.regions:
        known = state.symbols.get(monomial[0])
        outside = known is not None and known.origin in OUTSIDE
        null = Null.YES if _is_zero(state, value) else Null.UNKNOWN
        state.regions[name] = Region("outside", outside=outside, null=null)
    return Pointer(name, Poly(value.constant))


def _is_zero(state: State, value: Poly) -> bool:
    return state.upper(value) == 0 and state.lower(value) == 0


# Live and not null


def use(machine: Machine, state: State, value: Value, place: Span) -> Pointer | None:
    """Check that the target of an address may be used, and return the address.

    Return None if the value is null or no address.
    """
    if value == ZERO or (isinstance(value, Poly) and value.terms and _is_zero(state, value)):
        machine.report(Fact.NULL_DEREFERENCE, place)
        return None
    pointer = pointer_to(state, value)
    if pointer is None:
        return None
    name = state.root(pointer.region)
    region = state.regions.get(name)
    if region is None:
        return pointer
    if region.released is not None:
        fact = Fact.USE_AFTER_FREE if region.family in MEMORY else Fact.USE_AFTER_CLOSE
        machine.report(fact, place, *_history(region))
        state.update(name, released=None, owned=False)
    elif region.ended:
        machine.report(Fact.USE_AFTER_SCOPE, place)
        state.update(name, ended=False)
    _use_null(machine, state, name, region, place)
    _use_generation(machine, state, pointer, place)
    return pointer


def _use_null(machine: Machine, state: State, name: str, region: Region, place: Span) -> None:
    unseen = region.null is Null.YES and region.place.end and not region.tested
    if region.null is Null.MAYBE or unseen:
        machine.report(Fact.NULL_UNCHECKED, place, (region.place, "may be null from here"))
        state.update(name, null=Null.NO)
    elif region.null is Null.YES:
        machine.report(Fact.NULL_DEREFERENCE, place)
        state.update(name, null=Null.NO)
    elif region.null is Null.UNKNOWN and region.used is None:
        state.update(name, used=place)


def _use_generation(machine: Machine, state: State, pointer: Pointer, place: Span) -> None:
    if pointer.generation < 0:
        return
    region = state.regions.get(pointer.region)
    if region is not None and region.generation != pointer.generation:
        changed = region.changed
        steps = ((changed, "the container changes here"),) if changed else ()
        machine.report(Fact.ITERATOR_INVALID, place, *steps)
        for key, value in list(state.cells.items()):  # one report is enough
            if isinstance(value, Pointer) and value == pointer:
                state.cells[key] = pointer._replace(generation=region.generation)


# Bounds


def check_access(
    machine: Machine,
    state: State,
    value: Value,
    count: Poly,
    place: Span,
    *,
    write: bool,
    how: How,
    element: int = 1,
) -> None:
    """Check that `count` bytes at an address may be used, and assume afterwards that they may.

    :param element: the size of the accessed elements, in bytes.
    """
    pointer = use(machine, state, value, place)
    if pointer is None:
        return
    region = state.regions.get(pointer.region)
    if region is None or region.size is None:
        return
    machine.work(len(state.facts))
    over = add(add(pointer.offset, count), region.size, -1)
    if (fact := _beyond(state, over, region, write=write, how=how, element=element)) or (
        fact := _before(state, pointer, count, region, write=write, how=how)
    ):
        # Report each text that is copied in, even after an earlier overrun, because each needs a
        # fix.
        if not region.overrun or (write and how is How.TEXT):
            machine.report(fact, place, *_allocation(region))
        state.update(pointer.region, overrun=True)
        return
    if region.overrun:
        return
    for limit in (over, scale(pointer.offset, -1)):
        state.suppose(limit)


def _beyond(
    state: State, over: Poly, region: Region, *, write: bool, how: How, element: int
) -> Fact | None:
    """Return the fact to report if `over` may be greater than zero, or None."""
    most_known = state.upper(over)
    if most_known is not None and most_known <= 0:
        return None
    found = [
        residue
        for residue in residues(over, state.facts, state.chosen_ranges, rising=True)
        if not any(name.startswith("sizeof(") for name in residue.symbols)
    ]  # fmt: skip
    bounds = [each.constant for each in found if not each.terms]
    if not bounds:
        open_ = found and all(_is_open(state, each, write=write) for each in found)
        return _open_fact(state, over, write=write, how=how) if open_ else None
    most = min(bounds)
    if most <= 0:
        return None
    if not _is_limited(state, over):
        outside = _is_outside_number(state, over)
        return _open_fact(state, over, write=write, how=how) if outside else None
    if most == element and how is not How.COPY and write:
        return Fact.OVERFLOW_BY_ONE
    if not write:
        return Fact.READ_OUTSIDE
    return Fact.OVERFLOW_HEAP if region.family in MEMORY else Fact.OVERFLOW_STACK


def _open_fact(state: State, over: Poly, *, write: bool, how: How) -> Fact:
    """Return the fact for a use of memory that no check limits."""
    if how is How.INDEX:
        loops = any(
            state.symbols[s].origin is Origin.LOOP for s in over.symbols if s in state.symbols
        )
        return Fact.COPY_UNBOUNDED if loops and write else Fact.INDEX_UNCHECKED
    return Fact.COPY_UNBOUNDED if how is How.TEXT else Fact.SIZE_UNCHECKED


def _is_limited(state: State, number: Poly) -> bool:
    """Return whether conditions limit a number's greatest value."""
    return all(
        state.capped(name, surely=True) or name not in state.symbols
        for monomial, factor in number.terms
        if factor > 0
        for name in monomial
    )


def _is_outside_number(state: State, number: Poly) -> bool:
    """Return whether untrusted input may reach the greatest value of its type."""
    return all(
        state.symbols[name].origin in OUTSIDE
        for monomial, factor in number.terms
        if factor > 0
        for name in monomial
        if name in state.symbols and not state.capped(name, surely=True)
    )


def _is_open(state: State, residue: Poly, *, write: bool) -> bool:
    """Return whether only untrusted input, or a loop without a limit, decides how great a number
    is.
    """
    positive = [name for monomial, factor in residue.terms if factor > 0 for name in monomial]
    for name in positive:
        known = state.symbols.get(name)
        if known is None or state.capped(name):
            return False
        if known.origin is Origin.LOOP:
            if known.limited or not write:
                return False
        elif known.origin not in OUTSIDE or known.origin is Origin.FIELD:
            return False
    return bool(positive)


def _before(
    state: State, pointer: Pointer, count: Poly, region: Region, *, write: bool, how: How
) -> Fact | None:
    """Return the fact to report if the access starts before the region or has a negative size."""
    offset = pointer.offset
    if offset.number is not None and offset.number < 0:
        if not write:
            return Fact.READ_OUTSIDE
        return Fact.OVERFLOW_HEAP if region.family in MEMORY else Fact.OVERFLOW_STACK
    if how is How.COPY and may_be_negative(state, count):
        return Fact.SIZE_NEGATIVE
    if how is How.INDEX and may_be_negative(state, offset):
        return Fact.INDEX_NEGATIVE
    if how is How.INDEX and _may_have_failed(state, offset):
        return Fact.FAILURE_AS_INDEX
    return None


def _may_have_failed(state: State, offset: Poly) -> bool:
    """Return whether an index comes from a function that returns -1 on failure."""
    least = state.lower(offset)
    if least is None or least >= 0 or len(offset.terms) != 1:
        return False
    (monomial, factor), *_ = offset.terms
    known = state.symbols.get(monomial[0]) if len(monomial) == 1 else None
    return factor > 0 and known is not None and known.fails


def may_be_negative(state: State, number: Poly) -> bool:
    """Return whether untrusted input is signed and was checked against an upper limit only."""
    least = state.lower(number)
    if least is not None and least >= 0:
        return False
    for monomial, factor in number.terms:
        for name in monomial if factor > 0 else ():
            known = state.symbols.get(name)
            if (
                known is not None
                and known.signed
                and (known.low is None or known.low < 0)
                and known.origin in (Origin.PARAMETER, Origin.INPUT, Origin.CONTENT)
                and state.capped(name, surely=True)
                and not state.floored(name)
            ):
                return True
    return False


# Texts


def length_at(machine: Machine, state: State, pointer: Pointer) -> Poly:
    """Return the length of the text at an address."""
    region = state.regions.get(pointer.region)
    if region is None:
        return machine.fresh(state, f"len({pointer.region})", low=0)
    if region.length is None:
        name = f"len({pointer.region})"
        while name in state.symbols:
            name += "'"
        size = region.size.number if region.size is not None else None
        outside = region.outside or region.kind == "outside"
        made = machine.fresh(
            state, name, Origin.LENGTH if outside else Origin.NONE, low=0,
            high=None if size is None else size - 1,
        )  # fmt: skip
        if region.size is not None and size is None:
            state.assume(shift(add(made, region.size, -1), 1))
        state.update(pointer.region, length=made)
        return add(made, pointer.offset, -1)
    return add(region.length, pointer.offset, -1)


def _history(region: Region) -> tuple[tuple[Span, str], ...]:
    found = [(region.place, "acquired here")] if region.place.end else []
    if region.released is not None:
        found.append((region.released, "released here"))
    return tuple(found)


def _allocation(region: Region) -> tuple[tuple[Span, str], ...]:
    return ((region.place, "its size is set here"),) if region.place.end else ()


def escape(state: State, value: Value) -> None:
    """Note that a value has left the code that is followed, so other code may release it."""
    if isinstance(value, Pointer):
        name = state.root(value.region)
        if name in state.regions:
            state.update(name, passed=True)


def is_null(state: State, value: Value) -> bool:
    """Return whether a value is certainly a null pointer."""
    return value == ZERO or (isinstance(value, Pointer) and null_of(state, value) is Null.YES)


def null_of(state: State, pointer: Pointer) -> Null:
    """Return whether an address may be null."""
    region = state.regions.get(state.root(pointer.region))
    return region.null if region is not None else Null.NO


def give_away(state: State, value: Value) -> None:
    if isinstance(value, Pointer) and value.region in state.regions:
        state.update(value.region, owned=False)
