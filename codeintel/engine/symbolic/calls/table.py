"""Calls of the functions in the table: check their arguments and apply their effects."""

from __future__ import annotations

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.library import Known
from codeintel.engine.symbolic.machine import Machine, Stops
from codeintel.engine.symbolic.memory.access import (
    How,
    check_access,
    escape,
    give_away,
    length_at,
    pointer_to,
    use,
)
from codeintel.engine.symbolic.memory.resources import allocate, check_size, check_sizeof, release
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import Call, CType, SizeOf, stripped
from codeintel.engine.symbolic.values.polynomials import ONE, ZERO, Poly, add, multiply, shift
from codeintel.engine.symbolic.values.state import Null, Origin, Pointer, Region, State, Value, at

_SIZED = frozenset({"memcpy", "memmove", "memset", "strncpy", "strncat", "snprintf", "memcmp",
                    "bzero", "fgets", "read", "recv", "strlcpy", "strlcat", "fread"})  # fmt: skip


def _read_arguments(
    machine: Machine, state: State, expr: Call, known: Known, values: list[Value]
) -> None:
    for position in (*known.uses, *known.strings):
        if position < len(values):
            use(machine, state, values[position], expr.args[position].span)
    for position in known.strings:
        if position < len(values):
            check_text(machine, state, values[position], expr.args[position].span)
    for address, *counts in known.reads:
        _touch(machine, state, expr, values, address, counts, write=False)


def check_text(machine: Machine, state: State, value: Value, span: Span) -> None:
    """Report a text that has no end or that was never written."""
    if not isinstance(value, Pointer):
        return
    region = state.regions.get(value.region)
    if region is None:
        return
    if not region.terminated:
        if region.written:
            machine.report(Fact.UNTERMINATED, span)
        elif region.kind in ("stack", "heap") and not region.passed:
            machine.report(Fact.UNINITIALISED, span)
        state.update(value.region, terminated=True)


def _write_arguments(
    machine: Machine, state: State, expr: Call, known: Known, values: list[Value]
) -> None:
    counts: dict[int, Poly] = {}
    for address, *positions in known.writes:
        count = _touch(machine, state, expr, values, address, positions, write=True)
        if count is not None:
            counts[address] = count
    if known.copies and max(known.copies) < len(values):
        to, from_ = known.copies
        _copied(machine, state, values[to], values[from_], counts.get(to))
    if known.sets is not None:
        _set_bytes(state, expr, known, values)
    for position in (*known.texts, *known.unterminated, *known.outside):
        if position < len(values) and isinstance(values[position], Pointer):
            _filled(machine, state, position, known, values[position], counts.get(position))
    handled = {*known.texts, *known.unterminated, *known.outside, *(known.copies or ())}
    handled |= {*known.uses, *known.strings, known.sets, *(each[0] for each in known.reads)}
    for position, value in enumerate(values):
        if position in known.fills or (position not in handled and not known.releases):
            fill(machine, state, value, expr.span)


def _touch(
    machine: Machine,
    state: State,
    expr: Call,
    values: list[Value],
    address: int,
    counts: list[int],
    *,
    write: bool,
) -> Poly | None:
    """Check the use of as many bytes at an address as the arguments say, and return that number.

    Return None if the number is unknown.
    """
    if address >= len(values) or any(position >= len(values) for position in counts):
        return None
    count: Poly | None = ONE
    for position in counts:
        factor = values[position]
        count = multiply(count, factor) if count and isinstance(factor, Poly) else None
    if count is None:
        use(machine, state, values[address], expr.args[address].span)
        return None
    check_count(machine, state, count, expr, counts[0])
    if values[address] != ZERO or count != ZERO:
        check_access(machine,
            state, values[address], count, expr.span, write=write, how=How.COPY
        )  # fmt: skip
    return count


def check_count(machine: Machine, state: State, count: Poly, expr: Call, position: int) -> None:
    """Report a byte count that wraps around because a subtracted number may be greater."""
    least = state.lower(count)
    negative = any(factor < 0 for _, factor in count.terms) or count.constant < 0
    if not count.terms or not negative or least is None or least >= 0:
        return
    chosen = (Origin.INPUT, Origin.PARAMETER, Origin.CONTENT, Origin.FIELD)
    if state.origin(count) in chosen and not any(map(state.floored, count.symbols)):
        machine.report(Fact.UNDERFLOW, expr.args[position].span)


def _copied(
    machine: Machine, state: State, target: Value, source: Value, count: Poly | None
) -> None:
    """Note that bytes were copied. A text may have been copied without its end."""
    if not isinstance(target, Pointer) or target.region not in state.regions:
        return
    state.drop(target.region)
    region = state.regions[target.region]
    known = state.regions.get(source.region) if isinstance(source, Pointer) else None
    terminated, outside = True, region.outside
    if known is not None and isinstance(source, Pointer):
        outside = known.outside or known.kind == "outside"
        without_end = known.length is not None and count == length_at(machine, state, source)
        terminated = known.terminated and (not without_end or region.zeroed)
    state.update(
        target.region, written=True, zeroed=False, length=None, terminated=terminated,
        outside=outside,
    )  # fmt: skip


def _set_bytes(state: State, expr: Call, known: Known, values: list[Value]) -> None:
    target = values[known.sets or 0]
    if not isinstance(target, Pointer) or target.region not in state.regions:
        return
    state.drop(target.region)
    zero = expr.name not in ("memset", "memset_s") or values[1:2] == [ZERO]
    region = state.regions[target.region]
    state.update(
        target.region, written=True, zeroed=zero, terminated=zero or region.terminated,
        length=ZERO if zero else None,
    )  # fmt: skip


def _filled(
    machine: Machine, state: State, position: int, known: Known, value: Value, count: Poly | None
) -> None:
    """Note that a buffer has new contents."""
    if not isinstance(value, Pointer) or value.region not in state.regions:
        return
    region = state.regions[value.region]
    state.drop(value.region)
    terminated = region.terminated and region.written
    if position in known.texts:
        terminated = True
    elif position in known.unterminated:
        room = add(count, region.size, -1) if count is not None and region.size else None
        most = state.upper(add(room, value.offset)) if room is not None else None
        terminated = region.zeroed and most is not None and most < 0
    outside = region.outside or position in known.outside
    state.update(
        value.region, written=True, terminated=terminated, outside=outside, length=None,
        zeroed=False,
    )  # fmt: skip
    if position in known.texts and count is not None:
        length = length_at(machine, state, value)
        state.assume(shift(add(length, count, -1), 1))


def fill(machine: Machine, state: State, value: Value, span: Span) -> None:
    """Put an unknown value at the place that an address points to."""
    if not isinstance(value, Pointer) or value.region not in state.regions:
        return
    state.drop(value.region)
    part = state.regions[value.region].parent
    if part:
        state.drop(part, value.region[len(part) :])
    region = state.regions[value.region]
    if region.kind == "text":
        return
    state.update(value.region, written=True, zeroed=False, length=None, terminated=True)
    if value.offset == ZERO:
        place = at(value, None)
        name = machine.tag(state, f"filled:{value.region}", span)
        state.cells[place.region, place.path] = machine.fresh(state, name)


def check_size_of_pointer(machine: Machine, expr: Call) -> None:
    if expr.name in _SIZED:
        for size in expr.args[1:]:
            found = stripped(size)
            if isinstance(found, SizeOf):
                for target in expr.args[:2]:
                    check_sizeof(machine, found, target)


def known_call(machine: Machine, state: State, expr: Call, known: Known) -> Value:
    """Execute a call of a function of the table."""
    if known.exits:
        for arg in expr.args:
            machine.value(state, arg)
        raise Stops
    values = [machine.value(state, arg) for arg in expr.args]
    if len(values) < known.arity:
        return machine.unknown(state, expr.span)
    check_size_of_pointer(machine, expr)
    _read_arguments(machine, state, expr, known, values)
    _write_arguments(machine, state, expr, known, values)
    for position in known.keeps:
        if position < len(values):
            escape(state, values[position])
            give_away(state, values[position])
    if known.releases and values:
        release(machine, state, values[0], known.releases, expr.span)
        return ZERO
    if known.allocates and _allocates(known, values):
        return _allocated(machine, state, expr, known, values)
    return _result(machine, state, expr, known, values)


def _allocates(known: Known, values: list[Value]) -> bool:
    position = known.only_without
    return position is None or (position < len(values) and values[position] == ZERO)


def _allocated(
    machine: Machine, state: State, expr: Call, known: Known, values: list[Value]
) -> Value:
    size: Poly | None = None
    if known.size and all(position < len(values) for position in known.size):
        size = ONE
        for position in known.size:
            factor = values[position]
            size = multiply(size, factor) if size and isinstance(factor, Poly) else None
        if size is not None and len(known.size) == 1:
            check_size(machine, state, expr.span, size, expr.args)
    if known.text is not None and known.text < len(values):
        source = pointer_to(state, values[known.text])
        size = shift(length_at(machine, state, source), 1) if source is not None else None
    made = allocate(machine,
        state, expr.span, known.allocates, size, null=not known.never_null,
        zeroed=known.zeroed, written=not known.size,
    )  # fmt: skip
    if known.text is not None and size is not None:
        source = pointer_to(state, values[known.text])
        outside = source is not None and state.regions[source.region].outside
        state.update(
            made.region, length=shift(size, -1), terminated=True, outside=outside
        )  # fmt: skip
    elif not known.size:
        state.update(made.region, terminated=True)
    return made


def _result(machine: Machine, state: State, expr: Call, known: Known, values: list[Value]) -> Value:
    if known.nullable:
        return _nullable(machine, state, expr, known, values)
    if known.short_text:
        name = machine.tag(state, "short:", expr.span)
        state.regions[name] = Region("static", Poly(known.short_text))
        return Pointer(name, ZERO)
    return _number_result(machine, state, expr, known, values)


def _nullable(
    machine: Machine, state: State, expr: Call, known: Known, values: list[Value]
) -> Value:
    name = machine.tag(state, "got:", expr.span)
    outside = known.outside_text
    if known.within is not None and known.within < len(values):
        inside = values[known.within]
        if isinstance(inside, Pointer) and machine.choose(2) == 0:
            made = machine.fresh(state, name, low=0)
            state.assume(shift(add(made, length_at(machine, state, inside), -1), 1))
            return Pointer(inside.region, add(inside.offset, made))
        if isinstance(inside, Pointer):
            state.regions[name] = Region("outside", null=Null.YES, place=expr.span)
            return Pointer(name, ZERO)
    state.regions[name] = Region(
        "outside" if outside else "unknown", null=Null.MAYBE, outside=outside, place=expr.span
    )
    return Pointer(name, ZERO)


def _number_result(
    machine: Machine, state: State, expr: Call, known: Known, values: list[Value]
) -> Value:
    name = machine.tag(state, "n", expr.span)
    kind = known.result
    if kind == "first" and values:
        return values[0]
    if kind == "first_or_null" and values:
        if machine.choose(2) == 1:
            return ZERO
        if isinstance(values[0], Pointer) and state.root(values[0].region) in state.regions:
            state.update(state.root(values[0].region), null=Null.NO)
        return values[0]
    if kind == "length" and values:
        source = pointer_to(state, values[0])
        return (
            length_at(machine, state, source) if source is not None else machine.fresh(state, name)
        )
    if kind in ("count", "items", "length_within"):
        return _counted(machine, state, expr, name, kind, values)
    if kind == "span" and values:
        source = pointer_to(state, values[0])
        made = machine.fresh(state, name, low=0)
        if source is not None:
            state.assume(add(made, length_at(machine, state, source), -1))
        return made
    if kind == "input":
        return machine.fresh(
            state, name, Origin.INPUT, type_=type_of(machine, expr) or CType("int")
        )
    if kind == "network":
        origin = state.origin(values[0]) if values and isinstance(values[0], Poly) else None
        return machine.fresh(state, name, origin or Origin.NONE, type_=type_of(machine, expr))
    if kind == "character":
        read = expr.name not in ("toupper", "tolower")
        origin = Origin.INPUT if read else Origin.NONE
        return machine.fresh(state, name, origin, low=-1, high=255)
    if kind == "natural":
        return machine.fresh(state, name, low=0)
    return machine.fresh(state, name)


def _counted(
    machine: Machine, state: State, expr: Call, name: str, kind: str, values: list[Value]
) -> Value:
    """Return the number of items read: at most the number requested, or -1 on failure."""
    made = machine.fresh(state, name, low=-1 if kind == "count" else 0)
    state.symbols[name] = state.symbols[name]._replace(fails=kind == "count")
    position = {"count": 2, "items": 2, "length_within": 1}[kind]
    if expr.name == "SSL_read":
        position = 2
    limit = values[position] if position < len(values) else None
    if isinstance(limit, Poly):
        state.assume(add(made, limit, -1))
    return made
