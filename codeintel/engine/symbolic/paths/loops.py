"""What is known of variables that a loop counts with, in any of its turns."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.machine import Frame, Machine
from codeintel.engine.symbolic.memory.containers import container_of
from codeintel.engine.symbolic.program.functions import Loop, Node
from codeintel.engine.symbolic.values.polynomials import Poly, add, shift, substitute, symbol
from codeintel.engine.symbolic.values.regions import Origin, Pointer, Unset, Value
from codeintel.engine.symbolic.values.state import State

_MAX_TURNS = 3


def enter_loop(
    machine: Machine, node: Node, number: int, state: State, frame: Frame
) -> Iterator[State]:
    """The states with which a loop's head is left.

    The first time that is one that does not go into the loop, with the values from before, and one
    in which the counting variables have the value of any turn. Later all are such.
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
        for name in loop.changed:  # what no turn has set is not taken to be unset
            cell = f"{frame.prefix}{name}", ""
            if isinstance(skipped.cells.get(cell), Unset):
                skipped.cells[cell] = machine.fresh(skipped, f"skipped {cell[0]}")
        for name in loop.touched:
            _take_as_written(skipped, f"{frame.prefix}{name}")
        yield skipped
    _count(machine, loop, state, frame, turn)
    if loop.stepped:
        for name in loop.touched:  # by turns before this one
            _take_as_written(state, f"{frame.prefix}{name}")
    if turn == 1 and tested:
        state.only = (number, True)
    elif turn == _MAX_TURNS and tested:
        state.only = (number, False)
    yield state


def _take_as_written(state: State, name: str) -> None:
    """What a loop writes to is not taken to be unset where no turn was made."""
    value = state.cells.get((name, ""))
    pointed = value.region if isinstance(value, Pointer) else name
    for each, region in list(state.regions.items()):
        if each == pointed or region.parent == pointed:
            state.update(each, written=True)


def _count(machine: Machine, loop: Loop, state: State, frame: Frame, turn: int) -> None:
    """Give the variables that are stepped the value of any turn."""
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
    """How many elements further than before an address may be in any turn."""
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
        for fact in facts:  # what held of the value before the step holds of the new one
            if (moved := substitute(fact, before, replaced)) is not None and moved.terms:
                state.facts |= {moved}
        for fact in soft:
            if (moved := substitute(fact, before, replaced)) is not None:
                state.suppose(moved)
    return made


def _check_container(machine: Machine, loop: Loop, state: State, turn: int) -> None:
    """A loop over a container whose body has changed it."""
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
        machine.report(Fact.ITERATOR_INVALID, place, (loop.span, "the loop goes over it"))
    state.cells[key] = Poly(region.generation)
