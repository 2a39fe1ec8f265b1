"""Executing functions: one way after the other through their graphs."""

from __future__ import annotations

from codeintel.engine.symbolic.base import Exhausted, Frame, Stops, Thrown
from codeintel.engine.symbolic.memory import Null, Origin, Pointer, Region, Value
from codeintel.engine.symbolic.poly import ZERO
from codeintel.engine.symbolic.program import Function, Parameter, Source
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import Call
from codeintel.engine.symbolic.ways import Exit, Ways

MAX_WORK = 300_000
MAX_FUNCTION_WORK = 80_000
MAX_OUTCOMES = 6
MAX_DEPTH = 3


class Machine(Ways):
    """Executes functions."""

    def __init__(self, source: Source, deadline: float) -> None:
        super().__init__(source, deadline)
        self.released_places = set()
        self.lock_pairs = {}
        self.unlocked = set()
        self.leaks = {}
        self.kept = {}

    def run(self, function: Function) -> None:
        """Execute a function as if anybody called it."""
        self.leaks, self.kept, self.unlocked = {}, {}, set()
        self.released_places = set()
        self.limit = min(MAX_WORK, self.done + MAX_FUNCTION_WORK)
        state = State()
        frame = Frame(function, f"{function.name}/")
        called = function.static and self.source.calls.get(function.name, 0) > 0
        for parameter in function.parameters:
            frame.types[parameter.name] = parameter.type
        self.frames = [frame]
        for parameter in function.parameters:
            self._given(state, frame, parameter, outside=not called)
        main = function.name == "main" and not function.owner
        try:
            for found in self.explore(state, frame):
                if not main:
                    self._finish(found, frame)
                else:
                    self._check_main(found, frame)
        except Exhausted as exhausted:
            self.early.add(exhausted.why, function.name)
        self.frames = []
        self.report_leaks()
        self.report_locks()

    def _finish(self, found: Exit, frame: Frame) -> None:
        self.finish(found.state, frame, found.value, found.span)

    def _check_main(self, found: Exit, frame: Frame) -> None:
        """What `main` has not released is released with the program, but for what realloc lost."""
        for region in found.state.regions.values():
            if region.reallocated is not None and region.owned:
                self._lost(region, found.span)
        del frame

    def _given(self, state: State, frame: Frame, parameter: Parameter, *, outside: bool) -> None:
        """A parameter's value: whatever a caller gives."""
        name = f"{frame.prefix}{parameter.name}"
        type_ = self.types.resolve(parameter.type)
        state.regions[name] = Region("stack", self.types.size(type_), place=parameter.span)
        origin = Origin.PARAMETER if outside else Origin.NONE
        if self.types.is_container(type_._replace(reference=False)):
            size = self.fresh(
                state, f"size({name})", Origin.LENGTH if outside else Origin.NONE, low=0
            )  # fmt: skip
            state.regions[name] = Region("container", size, outside=outside, place=parameter.span)
        elif type_.is_pointer:
            inner = f"*{parameter.name}@{parameter.span.start}"
            kind = "outside" if outside else "unknown"
            state.regions[inner] = Region(kind, null=Null.UNKNOWN, outside=outside)
            state.cells[name, ""] = Pointer(inner, ZERO)
        elif self.is_object(type_):
            state.regions[name] = Region("outside" if outside else "object", outside=outside)
        else:
            low = 1 if parameter.name == "argc" and frame.function.name == "main" else None
            made = self.fresh(state, f"{parameter.name}@{name}", origin, low=low, type_=type_)
            state.cells[name, ""] = made

    # Calls of own functions

    def invoke(self, state: State, expr: Call, function: Function) -> Value:
        values = [self.value(state, arg) for arg in expr.args]
        return self._enter(state, expr, function, values)

    def invoke_method(self, state: State, expr: Call, function: Function, receiver: Value) -> Value:
        values = [self.value(state, arg) for arg in expr.args]
        if not isinstance(receiver, Pointer) or receiver.offset != ZERO:
            return self.unknown_call(state, expr, values)
        return self._enter(state, expr, function, values, receiver.region)

    def _enter(
        self, state: State, expr: Call, function: Function, values: list[Value],
        this: str = "this",
    ) -> Value:  # fmt: skip
        deep = len(self.frames) > MAX_DEPTH
        if deep or any(frame.function is function for frame in self.frames):
            return self.unknown_call(state, expr, values)
        prefix = f"{self.frame.prefix}{function.name}@{expr.span.start}/"
        frame = Frame(function, prefix, this)
        choices = self.choices
        inner = state.copy()
        for parameter, value, arg in zip(function.parameters, values, expr.args, strict=True):
            self._pass(inner, frame, parameter, value, arg)
        self.frames.append(frame)
        try:
            exits = self._merged(frame, list(self.explore(inner, frame)))
        finally:
            self.frames.pop()
            self.choices = choices
        if not exits:
            raise Stops
        exits = [each for each in exits if not _supposes_null(state, each.state)] or exits
        chosen = exits[self.choose(len(exits))]
        state.become(chosen.state)
        if chosen.thrown:
            raise Thrown
        return chosen.value if chosen.value is not None else ZERO

    def _merged(self, frame: Frame, exits: list[Exit]) -> list[Exit]:
        """The different ways in which a function returns."""
        found: dict[object, Exit] = {}
        for each in exits:
            self.finish(each.state, frame, each.value, each.span)
            key = (each.state.key(), each.value, each.thrown)
            known = found.get(key)
            if known is None:
                found[key] = each
            else:
                known.state.join(each.state)
        if len(found) > MAX_OUTCOMES:
            self.drop_ways(frame)
        return list(found.values())[:MAX_OUTCOMES]

    def _pass(
        self, state: State, frame: Frame, parameter: Parameter, value: Value, arg: object
    ) -> None:
        """An argument becomes a parameter."""
        name = f"{frame.prefix}{parameter.name}"
        type_ = parameter.type
        frame.types[parameter.name] = type_
        size = self.types.size(type_)
        if type_.reference or self.is_object(type_):
            container = self.container(state, arg)  # type: ignore[arg-type]
            state.regions[name] = Region("object")
            if container is not None and type_.reference:
                state.cells[name, ""] = Pointer(container, ZERO)
                return
            if container is not None:
                state.regions[name] = state.regions[container]
                return
            place = self.place(state, arg, write=None) if type_.reference else None  # type: ignore[arg-type]
            if place is not None and place.offset is not None:
                state.cells[name, ""] = Pointer(place.region, place.offset)
            return
        state.regions[name] = Region("stack", size, place=parameter.span)
        source = self.type_of(arg)  # type: ignore[arg-type]
        state.cells[name, ""] = self.converted(state, value, type_, parameter.span, source)


def _supposes_null(before: State, after: State) -> bool:
    """Whether a function has taken a pointer to be null of which its caller knows nothing: that it
    asks is no sign that it happens."""
    return any(
        after.regions[name].null is Null.YES
        for name, region in before.regions.items()
        if region.null is Null.UNKNOWN and name in after.regions
    )
