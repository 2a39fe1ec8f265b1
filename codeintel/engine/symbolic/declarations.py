"""Declare variables on a path, and work out what the iterations of a loop change."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.symbolic.expressions.arithmetic import convert
from codeintel.engine.symbolic.expressions.values import initialise
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Frame, Machine
from codeintel.engine.symbolic.memory.access import escape, give_away, pointer_to
from codeintel.engine.symbolic.memory.cells import copy_record, counted_size
from codeintel.engine.symbolic.memory.containers import container_of
from codeintel.engine.symbolic.memory.objects import declare_container
from codeintel.engine.symbolic.memory.resources import check_stack, declare_guard
from codeintel.engine.symbolic.program import Loop, Node
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import Call, CType, Expr, Several, Text, stripped
from codeintel.engine.symbolic.values.polynomials import (
    ZERO,
    Poly,
    add,
    multiply,
    shift,
    substitute,
    symbol,
)
from codeintel.engine.symbolic.values.state import (
    Origin,
    Place,
    Pointer,
    Region,
    State,
    Unset,
    Value,
)
from codeintel.engine.symbolic.values.types import CONTIGUOUS

_ELEMENTS = frozenset({"front", "back", "at", "emplace_back"})


def declare(machine: Machine, state: State, node: Node) -> None:
    """Declare a variable, with its initial value if it has one."""
    type_ = node.type or CType("")
    init = node.expr
    if type_.base == "auto" and init is not None:
        known = type_of(machine, init)
        if known is not None:
            type_ = known._replace(reference=type_.reference, const=type_.const)
    machine.frame.types[node.name] = type_
    name = f"{machine.frame.prefix}{node.name}"
    place = Place(name, "", type_)
    if declare_guard(machine, state, node.name, machine.types.resolve(type_), init, node.span):
        state.regions[name] = Region("object", place=node.span)
        return
    state.end(name)
    if type_.reference and init is not None:
        _bind(machine, state, place, init, node)
    elif machine.types.is_container(type_):
        declare_container(machine, state, place, type_, init, node.span)
    elif machine.types.resolve(type_).dims:
        _declare_array(machine, state, place, type_, init, node)
    elif machine.types.is_scalar(type_):
        _declare_scalar(machine, state, place, type_, init, node)
    else:
        _declare_object(machine, state, place, type_, init, node)


def _declare_scalar(
    machine: Machine, state: State, place: Place, type_: CType, init: Expr | None, node: Node
) -> None:
    size = machine.types.size(type_)
    value: Value
    if init is None:
        value = ZERO if node.static else Unset(node.span)
        if node.static:
            value = machine.unknown(state, node.span)
    else:
        if isinstance(init, Several) and len(init.parts) <= 1 and (init.keys or node.direct):
            init = init.parts[0] if init.parts else None
        value = machine.value(state, init) if init is not None else ZERO
        if node.static:
            value = machine.unknown(state, node.span)
        source = type_of(machine, init) if init is not None else None
        value = convert(machine, state, value, type_, node.span, source)
        if type_.is_pointer and isinstance(value, Poly) and value.terms:
            value = pointer_to(state, value) or value
    kind = "static" if node.static else "stack"
    state.regions[place.region] = Region(kind, size, place=node.span)
    state.cells[place.region, ""] = value


def _bind(machine: Machine, state: State, place: Place, init: Expr, node: Node) -> None:
    """Bind a reference to the place, element or container that it refers to."""
    if isinstance(init, Several) and len(init.parts) == 1:
        init = init.parts[0]
    inner = stripped(init)
    name = container_of(machine, state, inner)
    state.regions[place.region] = Region("object", place=node.span)
    if name is not None:
        state.cells[place.region, ""] = Pointer(name, ZERO)
        return
    if isinstance(inner, Call) and inner.name in _ELEMENTS and inner.object is not None:
        owner = container_of(machine, state, inner.object)
        machine.value(state, init)
        if owner is not None and _moves_elements(machine, inner.object):
            generation = state.regions[owner].generation
            state.cells[place.region, ""] = Pointer(owner, ZERO, generation)
        return
    target = machine.place(state, inner, write=None)
    if target is None:
        machine.value(state, init)
        return
    region = state.regions.get(target.region)
    owner = target.region.removesuffix("/")
    known = state.regions.get(owner)
    if target.region.endswith("/") and known is not None:
        state.cells[place.region, ""] = Pointer(owner, ZERO, known.generation)
    elif target.offset is not None and region is not None:
        state.cells[place.region, ""] = Pointer(target.region, target.offset)


def _moves_elements(machine: Machine, container: Expr) -> bool:
    """Return whether a container moves its elements when it grows."""
    type_ = type_of(machine, container)
    return type_ is not None and machine.types.resolve(type_).base in CONTIGUOUS - {"deque"}


def _declare_array(
    machine: Machine, state: State, place: Place, type_: CType, init: Expr | None, node: Node
) -> None:
    resolved = machine.types.resolve(type_)
    size = machine.types.size(type_)
    if size is None and init is not None:
        size = counted_size(machine, type_, init)
    elif size is None and all(dim is not None for dim in resolved.dims):
        size = _variable_size(machine, state, resolved, node)
    zeroed = isinstance(init, Several) and resolved.pointers == 0
    plain = node.static or init is not None
    state.regions[place.region] = Region(
        "static" if node.static else "stack", size, written=plain or node.static,
        zeroed=zeroed, terminated=plain, place=node.span,
    )  # fmt: skip
    if isinstance(init, Text):
        _copied_literal(state, place, init)
    elif isinstance(init, Several):
        initialise(machine, state, place, init)


def _variable_size(machine: Machine, state: State, type_: CType, node: Node) -> Poly | None:
    """Return the size in bytes of a variable-length array, or None if it is unknown."""
    size = machine.types.size(type_._replace(dims=()))
    for dim in type_.dims:
        if dim is None or size is None:
            return None
        count = machine.number(state, dim)
        size = multiply(size, count)
    if size is not None and size.terms and type_.dims[0] is not None:
        check_stack(machine, state, size, type_.dims[0]._replace(span=node.span))
    return size


def _copied_literal(state: State, place: Place, init: Text) -> None:
    region = state.regions[place.region]
    known = region.size.number if region.size is not None else None
    fits = known is None or len(init.text) < known
    length = Poly(len(init.text)) if fits else None
    state.update(place.region, length=length, terminated=fits)


def _declare_object(
    machine: Machine, state: State, place: Place, type_: CType, init: Expr | None, node: Node
) -> None:
    record = machine.types.is_record(type_)
    plain = record and machine.source.language == "c"
    size = machine.types.size(type_)
    written = not plain or init is not None or node.static
    state.regions[place.region] = Region(
        "stack" if plain else "object", size, written=written,
        zeroed=isinstance(init, Several) and bool(init.keys), place=node.span,
    )  # fmt: skip
    if init is None:
        return
    if plain:
        source = machine.place(state, init, write=False)
        if source is not None:
            copy_record(state, place, source)
        elif isinstance(init, Several) and init.keys:
            initialise(machine, state, place, init)
        else:
            machine.value(state, init)
        return
    parts = init.parts if isinstance(init, Several) and (node.direct or init.keys) else (init,)
    for part in parts:
        value = machine.value(state, part)
        escape(state, value)
        give_away(state, value)
        if type_.base == "auto":
            state.cells[place.region, ""] = value


_MAX_TURNS = 3


def enter_loop(
    machine: Machine, node: Node, number: int, state: State, frame: Frame
) -> Iterator[State]:
    """Yield the states that leave a loop's head.

    The first visit yields a state that skips the loop with the values from before, and one in which
    the counting variables have the value of any iteration. Later visits yield only the latter.
    """
    loop = node.loop
    if loop is None:
        yield state
        return
    key = frame.prefix, number
    turn = state.loops.get(key, 0) + 1
    if turn > _MAX_TURNS:
        return
    state.loops[key] = turn
    nodes = frame.function.nodes
    first = nodes[node.next] if node.next >= 0 else None
    tested = first is not None and first.kind in ("test", "declare")
    if loop.container is not None:
        _check_container(machine, loop, state, turn)
    if turn == 1 and tested:
        skipped = state.copy()
        skipped.only = (number, False)
        for name in loop.changed:  # a variable that no iteration has set counts as set
            cell = f"{frame.prefix}{name}", ""
            if isinstance(skipped.cells.get(cell), Unset):
                skipped.cells[cell] = machine.fresh(skipped, f"skipped {cell[0]}")
        for name in loop.touched:
            _take_as_written(skipped, f"{frame.prefix}{name}")
        yield skipped
    _count(machine, loop, state, frame, turn)
    if loop.stepped:
        for name in loop.touched:  # earlier iterations may have written it
            _take_as_written(state, f"{frame.prefix}{name}")
    if turn == 1 and tested:
        state.only = (number, True)
    elif turn == _MAX_TURNS and tested:
        state.only = (number, False)
    yield state


def _take_as_written(state: State, name: str) -> None:
    """Mark what a loop writes as written, even if it may run zero times."""
    value = state.cells.get((name, ""))
    pointed = value.region if isinstance(value, Pointer) else name
    for each, region in list(state.regions.items()):
        if each == pointed or region.parent == pointed:
            state.update(each, written=True)


def _count(machine: Machine, loop: Loop, state: State, frame: Frame, turn: int) -> None:
    """Give each stepped variable the value of any iteration."""
    for name, direction in sorted(loop.stepped.items()):
        cell = f"{frame.prefix}{name}", ""
        value = state.cells.get(cell)
        made = f"{name}@{frame.prefix}{loop.number}.{_turns(state)}"
        if isinstance(value, Poly):
            state.cells[cell] = _any_turn(machine, loop, state, value, made, direction, turn)
        elif isinstance(value, Pointer) and value.generation < 0:
            type_ = frame.types.get(name)
            size = machine.types.size(type_.element) if type_ is not None else None
            step = size.number if size is not None else None
            if step:
                count = _any_count(machine, loop, state, made, direction)
                offset = add(value.offset, count, -step if direction < 0 else step)
            else:
                offset = _any_turn(machine, loop, state, value.offset, made, direction, turn)
            state.cells[cell] = value._replace(offset=offset)


def _any_count(machine: Machine, loop: Loop, state: State, name: str, direction: int) -> Poly:
    """Return the number of elements by which an address may have moved in any iteration."""
    made = machine.fresh(state, name, Origin.LOOP, low=0 if direction else None)
    state.symbols[name] = state.symbols[name]._replace(
        limited=loop.compares or direction == 0, signed=True
    )
    return made


def _turns(state: State) -> str:
    return ".".join(str(turn) for turn in state.loops.values())


def _any_turn(
    machine: Machine, loop: Loop, state: State, value: Poly, name: str, direction: int, turn: int
) -> Poly:
    origin = state.origin(value)
    kept = origin if origin not in (Origin.NONE, Origin.LOOP) and direction < 0 else Origin.LOOP
    facts = [fact for fact in state.facts if fact.symbols & value.symbols] if turn > 1 else []
    soft = [fact for fact in state.soft if fact.symbols & value.symbols] if turn > 1 else []
    made = machine.fresh(state, name, kept)
    state.symbols[name] = state.symbols[name]._replace(
        limited=loop.compares or direction == 0, signed=True
    )
    counted = symbol(name)
    if direction > 0:
        state.facts |= {add(value, made, -1)}
    elif direction < 0:
        state.facts |= {add(made, value, -1)}
    if len(value.terms) == 1 and value.terms[0][1] == 1 and len(value.terms[0][0]) == 1:
        before = value.terms[0][0][0]
        replaced = shift(counted, -value.constant)
        for fact in facts:  # what held for the value before the step holds for the new one
            if (moved := substitute(fact, before, replaced)) is not None and moved.terms:
                state.facts |= {moved}
        for fact in soft:
            if (moved := substitute(fact, before, replaced)) is not None:
                state.suppose(moved)
    return made


def _check_container(machine: Machine, loop: Loop, state: State, turn: int) -> None:
    """Report a loop over a container whose body has changed the container."""
    if loop.container is None:
        return
    name = container_of(machine, state, loop.container)
    if name is None:
        return
    key = f"{name}/", f"loop {loop.number}"
    region = state.regions[name]
    before: Value | None = state.cells.get(key)
    if turn > 1 and isinstance(before, Poly) and before.constant != region.generation:
        place = region.changed or loop.span
        machine.report(Fact.ITERATOR_INVALID, place, (loop.span, "the loop iterates over it"))
    state.cells[key] = Poly(region.generation)
