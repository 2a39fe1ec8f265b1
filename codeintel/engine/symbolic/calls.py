"""Calls of functions that nothing is known of."""

from __future__ import annotations

import re

from codeintel.engine.symbolic.base import Stops
from codeintel.engine.symbolic.memory import Origin, Pointer, Unset, Value
from codeintel.engine.symbolic.resources import RELEASERS
from codeintel.engine.symbolic.results import Results
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Call, Expr, Lambda, Var

_INPUT = re.compile(
    r"(?i)(?:read|recv|receive|get|fetch|parse|ask|prompt|input)_?"
    r"(?:user|input|line|packet|data|request|int|num|param|arg|value|choice|size|len|count|index)"
)
_ENDS = re.compile(
    r"(?i)(?:^|_)(?:die|fatal|panic|bail|abort|bug|oom|out_of_memory|errx?_?exit)(?:_|$)|unreachable"
)
_FAILS = re.compile(r"(?i)err|fail|usage|exit|quit|stop|raise|throw")


class Calls(Results):
    """Calls unknown functions."""

    def unknown_call(self, state: State, expr: Call, values: list[Value] | None = None) -> Value:
        """A call of a function that nothing is known of: it may do anything with what it sees.

        :param values: its arguments, if they were evaluated before.
        """
        if _ENDS.search(expr.name) and expr.object is None:
            for arg in expr.args if values is None else ():
                self.value(state, arg)
            raise Stops
        if _FAILS.search(expr.name):
            state.forget_nulls()
        types = self.source.prototypes.get(expr.name, ())
        releases = RELEASERS.search(expr.name) is not None
        if values is None:
            if expr.name not in self.source.prototypes:
                self._take_references(state, expr)
            values = [self.value(state, arg) for arg in expr.args]
        for position, (arg, value) in enumerate(zip(expr.args, values, strict=True)):
            type_ = types[position] if position < len(types) else None
            const = type_ is not None and type_.const and type_.pointers == 1
            if isinstance(value, Pointer):
                self._seen_outside(state, arg, value, const=const, releases=releases)
        for name in [each for each in state.regions if each.startswith("::")]:
            if not self._is_constant(name):
                state.drop(name)
        known = self.source.functions.get(expr.name)
        result = known.result if known is not None else None
        if _INPUT.search(expr.name):
            return self.fresh(state, self.tag(state, "n", expr.span), Origin.INPUT, type_=result)
        return self.fresh(state, self.tag(state, "n", expr.span), type_=result)

    def _take_references(self, state: State, expr: Call) -> None:
        """A macro, or a function that takes references, may set the variables that it is given."""
        for arg in expr.args:
            place = self.variable(state, arg.name) if isinstance(arg, Var) else None
            if place is None:
                continue
            key = place.region, place.path
            if isinstance(state.cells.get(key), Unset):
                state.cells[key] = self.unknown(state, arg.span)

    def _is_constant(self, region: str) -> bool:
        known = self.source.globals.get(region[2:])
        return known is not None and known[2]

    def _seen_outside(
        self, state: State, arg: Expr, value: Pointer, *, const: bool, releases: bool
    ) -> None:
        """An unknown function has got an address."""
        name = state.root(value.region)
        region = state.regions.get(name)
        if region is None:
            return
        if region.released is not None and not releases:
            self.use(state, value, arg.span)
            return
        if const:
            return
        for each in state.reachable(iter([name])):
            known = state.regions.get(each)
            if known is None or known.kind == "text":
                continue
            if known.family or each == name:
                state.update(each, passed=True)
            self.forget_content(state, each, releases=releases)

    def forget_content(self, state: State, name: str, *, releases: bool = False) -> None:
        """What stands in a region is not known any more."""
        region = state.regions[name]
        if region.kind == "container":
            return
        for key, value in state.cells_of(name):
            if not isinstance(value, Pointer) or region.kind != "stack":
                state.disown(value)
                del state.cells[key]
        for child, each in list(state.regions.items()):
            if each.parent == name:
                self.forget_content(state, child, releases=releases)
        state.update(
            name, written=True, zeroed=False, length=None, terminated=True,
            owned=region.owned and not releases, used=region.used,
        )  # fmt: skip

    def captured(self, state: State, expr: Lambda) -> None:
        for name in expr.names:
            place = self.variable(state, name)
            if place is None:
                continue
            value = state.cells.get((place.region, place.path))
            if isinstance(value, Pointer):
                self.escape(state, value)
                self._given_away(state, value)
            if place.region in state.regions and place.region.startswith(self.frame.prefix):
                state.cells.pop((place.region, place.path), None)
                state.update(place.region, passed=True)
