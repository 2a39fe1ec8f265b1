"""Follow the paths through the graph of a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.declarations import declare, enter_loop
from codeintel.engine.symbolic.expressions.arithmetic import convert
from codeintel.engine.symbolic.expressions.conditions import relate
from codeintel.engine.symbolic.machine import Choices, Frame, Infeasible, Machine, Stops, Thrown
from codeintel.engine.symbolic.memory.access import escape
from codeintel.engine.symbolic.program import EXIT, Node
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import Binary, CType, Expr
from codeintel.engine.symbolic.values.state import Pointer, State, Value

MAX_STATES = 32
MAX_EXACT = 12


class Waiting:
    """The states that wait at one node.

    :param joins: whether paths come together at the node, so that states may be equal.
    """

    def __init__(self, joins: bool) -> None:
        self._joins = joins
        self._states: dict[object, list[State]] = {}
        self._count = 0
        self._joined = False

    def add(self, state: State) -> None:
        """Add a state. When there are many, states that differ only in conditions are joined."""
        if not self._joins:
            self._states.setdefault(None, []).append(state)
            return
        same = self._states.setdefault(state.key(), [])
        if same and self._joined:
            same[0].join(state)
            return
        if any(each.says_the_same(state) for each in same):
            return
        same.append(state)
        self._count += 1
        if self._count > MAX_EXACT and not self._joined:
            self._join()

    def _join(self) -> None:
        self._joined = True
        for same in self._states.values():
            for each in same[1:]:
                same[0].join(each)
            del same[1:]

    @property
    def drops(self) -> bool:
        """Whether more states wait than are followed."""
        return sum(map(len, self._states.values())) > MAX_STATES

    def states(self) -> list[State]:
        """Return the states to follow: the first ones if there are too many."""
        return [state for same in self._states.values() for state in same][:MAX_STATES]


_MAX_RUNS = 40
_STEP = 5


class Exit(NamedTuple):
    """How a function was left: with a value, or by an exception."""

    state: State
    value: Value | None
    span: Span
    thrown: bool


class Here(NamedTuple):
    """A statement that is being executed: its node in the graph of a frame's function."""

    node: Node
    number: int
    frame: Frame


Next = tuple[int, State | Exit]
"""The number of the next node with its state, or how the statement left the function."""


def explore(machine: Machine, state: State, frame: Frame) -> Iterator[Exit]:
    """Yield the exits of all paths through a function."""
    function = frame.function
    order = function.order
    joins = function.joins
    pending = {function.entry: Waiting(False)}
    pending[function.entry].add(state)
    while pending:
        number = min(pending, key=order.__getitem__)
        node = function.nodes[number]
        waiting = pending.pop(number)
        if waiting.drops:
            machine.drop_paths(frame)
        execute = _STATEMENTS.get(node.kind, _go_on)
        here = Here(node, number, frame)
        for each in waiting.states():
            machine.work(_STEP)
            for target, after in execute(machine, each, here):
                if isinstance(after, Exit):
                    yield after
                elif target == EXIT:
                    end = Span(max(0, function.body.end - 1), function.body.end)
                    yield Exit(after, None, end, False)
                else:
                    _leave_loops(after, target, frame)
                    if target not in pending:
                        pending[target] = Waiting(target in joins)
                    pending[target].add(after)


def _leave_loops(state: State, target: int, frame: Frame) -> None:
    """Forget the iterations of the loops that a state has left."""
    for key in [key for key in state.loops if key[0] == frame.prefix]:
        loop = frame.function.nodes[key[1]].loop
        if loop is not None and not key[1] <= target <= loop.last:
            del state.loops[key]


def outcomes(
    machine: Machine, state: State, action: Callable[[State], Value | None]
) -> Iterator[tuple[State, Value | None, bool]]:
    """Yield all outcomes of a statement: the state, the value, and whether it threw."""
    pending: list[tuple[int, ...]] = [()]
    runs = 0
    while pending and runs < _MAX_RUNS:
        runs += 1
        machine.work(_STEP)
        choices = machine.choices = Choices(pending.pop())
        twin = state.copy()
        twin.collect()
        thrown = False
        value: Value | None = None
        try:
            value = action(twin)
            alive = True
        except Infeasible:
            alive = False
        except Stops:
            alive = False
        except Thrown:
            alive, thrown = True, True
        pending.extend(choices.untaken)
        if choices.dropped:
            machine.drop_paths(machine.frame)
        if alive:
            yield twin, value, thrown
    if pending:
        machine.drop_paths(machine.frame)


def _go_on(_machine: Machine, state: State, here: Here) -> Iterator[Next]:
    yield here.node.next, state


def _do(machine: Machine, state: State, here: Here) -> Iterator[Next]:
    expr = here.node.expr
    if expr is None:
        yield here.node.next, state
    else:
        yield from _after(machine, here, state, lambda twin: machine.value(twin, expr))


def _declare(machine: Machine, state: State, here: Here) -> Iterator[Next]:
    yield from _after(machine, here, state, lambda twin: declare(machine, twin, here.node))


def _loop(machine: Machine, state: State, here: Here) -> Iterator[Next]:
    for each in enter_loop(machine, here.node, here.number, state, here.frame):
        yield here.node.next, each


def _try(_machine: Machine, state: State, here: Here) -> Iterator[Next]:
    for _, target in here.node.cases:
        yield target, state.copy()
    yield here.node.next, state


def _after(
    machine: Machine, here: Here, state: State, action: Callable[[State], Value | None]
) -> Iterator[Next]:
    for after, _, thrown in outcomes(machine, state, action):
        if thrown:
            yield from _caught(after, here)
        else:
            yield here.node.next, after


def _caught(state: State, here: Here) -> Iterator[Next]:
    """Pass an exception to the handlers around a statement, or out of the function."""
    node, nodes = here.node, here.frame.function.nodes
    handlers = nodes[node.handler].cases if node.handler != EXIT else ()
    if not handlers:
        yield EXIT, Exit(state, None, node.span, True)
    for _, target in handlers:
        yield target, state.copy()


def _test(machine: Machine, state: State, here: Here) -> Iterator[Next]:
    node, only = here.node, state.only
    state.only, expr = None, node.expr
    for truth, target in ((True, node.next), (False, node.other)):
        if only is not None and only[1] is not truth:
            continue
        if expr is None:
            yield target, state.copy()
            continue
        action = partial(machine.assume, expr=expr, truth=truth)
        for after, _, thrown in outcomes(machine, state, action):
            if thrown:
                yield from _caught(after, here)
            else:
                yield target, after


def _switch(machine: Machine, state: State, here: Here) -> Iterator[Next]:
    node, expr = here.node, here.node.expr
    labels = [value for value, _ in node.cases if value is not None]
    cases = list(node.cases)
    if not node.direct:
        cases.append((None, node.next))
    for label, target in cases:

        def action(twin: State, label: Expr | None = label) -> None:
            if expr is None:
                return
            value = machine.value(twin, expr)
            for other in labels if label is None else [label]:
                made = Binary(node.span, "==" if label is not None else "!=", expr, other)
                given = machine.value(twin, other)
                relate(machine, twin, made, made.op, value, given)

        for after, _, thrown in outcomes(machine, state, action):
            if not thrown:
                yield target, after


def _return(machine: Machine, state: State, here: Here) -> Iterator[Next]:
    node, expr = here.node, here.node.expr
    result = here.frame.function.result

    def action(twin: State) -> Value | None:
        if expr is None:
            return None
        value = _returned(machine, twin, expr, result)
        return convert(machine, twin, value, result, node.span, type_of(machine, expr))

    for after, value, thrown in outcomes(machine, state, action):
        if thrown:
            yield from _caught(after, here)
        else:
            yield EXIT, Exit(after, value, node.span, False)


def _returned(machine: Machine, state: State, expr: Expr, result: CType) -> Value:
    """Return the value of a return statement."""
    if result.reference:
        place = machine.place(state, expr, write=None)
        if place is not None and place.offset is not None:
            return Pointer(place.region, place.offset)
    value = machine.value(state, expr)
    if isinstance(value, Pointer) and not result.pointers and machine.types.is_object(result):
        escape(state, value)
        return machine.unknown(state, Span(0, 0))  # the caller gets a copy of the object
    return value


def _throw(machine: Machine, state: State, here: Here) -> Iterator[Next]:
    expr = here.node.expr

    def action(twin: State) -> None:
        if expr is not None:
            machine.value(twin, expr)

    for after, _, _ in outcomes(machine, state, action):
        yield from _caught(after, here)


def _leave(_machine: Machine, state: State, here: Here) -> Iterator[Next]:
    """End the variables of a block."""
    pointed = {value.region for value in state.cells.values() if isinstance(value, Pointer)}
    for each in here.node.names:
        name = f"{here.frame.prefix}{each}"
        region = state.regions.get(name)
        state.locks = tuple(held for held in state.locks if held.guard != name)
        if region is None:
            continue
        state.end(name)
        if name in pointed and region.kind == "stack":
            state.update(name, ended=True)
        elif region.kind != "container":
            del state.regions[name]
    yield here.node.next, state


_STATEMENTS: dict[str, Callable[[Machine, State, Here], Iterator[Next]]] = {
    "do": _do,
    "declare": _declare,
    "test": _test,
    "switch": _switch,
    "return": _return,
    "throw": _throw,
    "loop": _loop,
    "try": _try,
    "leave": _leave,
}
"""The functions that execute a node, by its kind. Other kinds need no work."""
