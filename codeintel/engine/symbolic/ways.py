"""The ways through the graph of a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.base import Choices, Frame, Infeasible, Stops, Thrown
from codeintel.engine.symbolic.declarations import Declarations
from codeintel.engine.symbolic.graph import EXIT
from codeintel.engine.symbolic.loops import enter_loop
from codeintel.engine.symbolic.memory import Pointer, Value
from codeintel.engine.symbolic.program import Node
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Binary, CType
from codeintel.engine.symbolic.waiting import Waiting

_MAX_RUNS = 40
_STEP = 5


class Exit(NamedTuple):
    """How a function was left: with a value, or by an exception."""

    state: State
    value: Value | None
    span: Span
    thrown: bool


class Ways(Declarations):
    """Goes all ways through a function."""

    def explore(self, state: State, frame: Frame) -> Iterator[Exit]:
        """Go all ways through a function."""
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
                self.drop_ways(frame)
            for each in waiting.states():
                self.work(_STEP)
                for target, after in self._statement(node, number, each, frame):
                    if isinstance(after, Exit):
                        yield after
                    elif target == EXIT:
                        end = Span(max(0, function.body.end - 1), function.body.end)
                        yield Exit(after, None, end, False)
                    else:
                        self._leave_loops(after, target, frame)
                        if target not in pending:
                            pending[target] = Waiting(target in joins)
                        pending[target].add(after)

    def _leave_loops(self, state: State, target: int, frame: Frame) -> None:
        """Forget the turns of the loops that a state is not in any more."""
        for key in [key for key in state.loops if key[0] == frame.prefix]:
            loop = frame.function.nodes[key[1]].loop
            if loop is not None and not key[1] <= target <= loop.last:
                del state.loops[key]

    def outcomes(
        self, state: State, action: Callable[[State], Value | None]
    ) -> Iterator[tuple[State, Value | None, bool]]:
        """All ways in which a statement may go: the state after each, what came out, and whether
        an exception was thrown."""
        pending: list[tuple[int, ...]] = [()]
        runs = 0
        while pending and runs < _MAX_RUNS:
            runs += 1
            self.work(_STEP)
            choices = self.choices = Choices(pending.pop())
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
                self.drop_ways(self.frame)
            if alive:
                yield twin, value, thrown
        if pending:
            self.drop_ways(self.frame)

    def _statement(
        self, node: Node, number: int, state: State, frame: Frame
    ) -> Iterator[tuple[int, State | Exit]]:
        kind = node.kind
        if kind == "do" and node.expr is not None:
            expr = node.expr
            yield from self._after(node, state, frame, lambda twin: self.value(twin, expr))
        elif kind == "declare":
            yield from self._after(node, state, frame, lambda twin: self.declare(twin, node))
        elif kind == "test":
            yield from self._test(node, state, frame)
        elif kind == "switch":
            yield from self._switch(node, state)
        elif kind == "return":
            yield from self._return(node, state, frame)
        elif kind == "throw":
            yield from self._throw(node, state, frame)
        elif kind == "loop":
            for each in enter_loop(self, node, number, state, frame):
                yield node.next, each
        elif kind == "try":
            for _, target in node.cases:
                yield target, state.copy()
            yield node.next, state
        elif kind == "leave":
            self._leave(node, state, frame)
            yield node.next, state
        else:
            yield node.next, state

    def _after(
        self, node: Node, state: State, frame: Frame, action: Callable[[State], Value | None]
    ) -> Iterator[tuple[int, State | Exit]]:
        for after, _, thrown in self.outcomes(state, action):
            if thrown:
                yield from self._caught(node, after, frame)
            else:
                yield node.next, after

    def _caught(self, node: Node, state: State, frame: Frame) -> Iterator[tuple[int, State | Exit]]:
        """An exception goes to the handlers around a statement, or out of the function."""
        handlers = frame.function.nodes[node.handler].cases if node.handler != EXIT else ()
        if not handlers:
            yield EXIT, Exit(state, None, node.span, True)
        for _, target in handlers:
            yield target, state.copy()

    def _test(self, node: Node, state: State, frame: Frame) -> Iterator[tuple[int, State | Exit]]:
        only, state.only = state.only, None
        expr = node.expr
        for truth, target in ((True, node.next), (False, node.other)):
            if only is not None and only[1] is not truth:
                continue
            if expr is None:
                yield target, state.copy()
                continue
            action = partial(self.assume, expr=expr, truth=truth)
            for after, _, thrown in self.outcomes(state, action):
                if thrown:
                    yield from self._caught(node, after, frame)
                else:
                    yield target, after

    def _switch(self, node: Node, state: State) -> Iterator[tuple[int, State | Exit]]:
        expr = node.expr
        labels = [value for value, _ in node.cases if value is not None]
        ways = list(node.cases)
        if not node.direct:
            ways.append((None, node.next))
        for label, target in ways:

            def action(twin: State, label: object = label) -> None:
                if expr is None:
                    return
                value = self.value(twin, expr)
                for other in labels if label is None else [label]:
                    made = Binary(node.span, "==" if label is not None else "!=", expr, other)  # type: ignore[arg-type]
                    given = self.value(twin, other)  # type: ignore[arg-type]
                    self.relate(twin, made, made.op, value, given)

            for after, _, thrown in self.outcomes(state, action):
                if not thrown:
                    yield target, after

    def _return(self, node: Node, state: State, frame: Frame) -> Iterator[tuple[int, State | Exit]]:
        expr = node.expr
        result = frame.function.result

        def action(twin: State) -> Value | None:
            if expr is None:
                return None
            value = self.returned(twin, expr, result)
            return self.converted(twin, value, result, node.span, self.type_of(expr))

        for after, value, thrown in self.outcomes(state, action):
            if thrown:
                yield from self._caught(node, after, frame)
            else:
                yield EXIT, Exit(after, value, node.span, False)

    def returned(self, state: State, expr: object, result: CType) -> Value:
        """The value of a return statement."""
        if result.reference:
            place = self.place(state, expr, write=None)  # type: ignore[arg-type]
            if place is not None and place.offset is not None:
                return Pointer(place.region, place.offset)
        value = self.value(state, expr)  # type: ignore[arg-type]
        if isinstance(value, Pointer) and not result.pointers and self.is_object(result):
            self.escape(state, value)
            return self.unknown(state, Span(0, 0))  # an object is copied
        return value

    def _throw(self, node: Node, state: State, frame: Frame) -> Iterator[tuple[int, State | Exit]]:
        expr = node.expr

        def action(twin: State) -> None:
            if expr is not None:
                self.value(twin, expr)

        for after, _, _ in self.outcomes(state, action):
            yield from self._caught(node, after, frame)

    def _leave(self, node: Node, state: State, frame: Frame) -> None:
        """The variables of a block end."""
        pointed = {value.region for value in state.cells.values() if isinstance(value, Pointer)}
        for each in node.names:
            name = f"{frame.prefix}{each}"
            region = state.regions.get(name)
            state.locks = tuple(held for held in state.locks if held.guard != name)
            if region is None:
                continue
            state.end(name)
            if name in pointed and region.kind == "stack":
                state.update(name, ended=True)
            elif region.kind != "container":
                del state.regions[name]
