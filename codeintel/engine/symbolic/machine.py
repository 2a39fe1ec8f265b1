"""The state of an execution: what was found and counted, the choices made, and the frames.

What depends on the kind of an expression stands in tables of functions (:class:`Handlers`), which
the machine is given: so the parts that evaluate need not know each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Early, EarlyEnds, Fact, Found
from codeintel.engine.symbolic.program import Function, Source
from codeintel.engine.symbolic.syntax import CType, Expr, stripped
from codeintel.engine.symbolic.values.polynomials import Poly, symbol
from codeintel.engine.symbolic.values.state import Origin, Place, State, Symbol, TextRead, Value
from codeintel.engine.symbolic.values.types import Types

MAX_CHOICES = 24
MAX_SECONDS = 1.5
"""Of the processor, for one piece of code, reading included."""


class Infeasible(Exception):  # noqa: N818 - a signal, not an error
    """Nothing can be on this path."""


class Stops(Exception):  # noqa: N818 - a signal, not an error
    """The program ends here."""


class Thrown(Exception):  # noqa: N818 - a signal, not an error
    """An exception leaves the function that was called here."""


class Exhausted(Exception):  # noqa: N818 - a signal, not an error
    """There are too many paths, or the time is over: `why` is one of them."""

    def __init__(self, why: Early) -> None:
        super().__init__(why)
        self.why = why


@dataclass(slots=True)
class Frame:
    """A function that is being executed. Its variables are regions whose names begin with
    `prefix`; `types` are theirs. `this` is the region of the object that it is a method of."""

    function: Function
    prefix: str
    this: str = "this"
    types: dict[str, CType] = field(default_factory=dict)


class Choices:
    """Which path a statement takes where it may take several: it is executed once for each."""

    def __init__(self, given: tuple[int, ...] = ()) -> None:
        self._given = given
        self._taken: list[int] = []
        self.untaken: list[tuple[int, ...]] = []
        self.dropped = False
        """Whether there were more paths than are noted."""

    def choose(self, count: int) -> int:
        """Which of several paths to take, from 0; the others are noted."""
        position = len(self._taken)
        if position < len(self._given):
            chosen = self._given[position]
        else:
            chosen = 0
            taken = tuple(self._taken)
            self.dropped |= count > MAX_CHOICES
            self.untaken.extend((*taken, other) for other in range(1, min(count, MAX_CHOICES)))
        self._taken.append(chosen)
        return chosen


Evaluates = Callable[["Machine", State, Any], Value]
"""Gives the value of an expression."""
Assumes = Callable[["Machine", State, Any, bool], None]
"""Goes on where an expression is true, or where it is not."""


class FindsPlace(Protocol):
    """Finds where an expression's value is; it is read, written, or only pointed to (None)."""

    def __call__(
        self, machine: Machine, state: State, expr: Any, *, write: bool | None
    ) -> Place | None: ...


@dataclass(frozen=True, slots=True)
class Handlers:
    """What evaluates expressions, by their types."""

    values: Mapping[type, Evaluates]
    conditions: Mapping[type, Assumes]
    places: Mapping[type, FindsPlace]
    """Those of the types that have a place."""


class Machine:
    """What all parts of an execution share.

    :param deadline: when to end, as :func:`time.thread_time` tells time.
    """

    def __init__(self, source: Source, deadline: float, handlers: Handlers) -> None:
        self.source = source
        self.types = Types(source)
        self._values, self._conditions = handlers.values, handlers.conditions
        self.places = handlers.places
        self.found: dict[tuple[Fact, Span], Found] = {}
        self.frames: list[Frame] = []
        self.done = 0
        self.deadline = deadline
        self.limit = 0
        self.choices = Choices()
        self.text_read: TextRead | None = None
        """The character that was read last."""
        self.early = EarlyEnds()
        """The functions that were not executed to their end."""
        self.lock_pairs: dict[tuple[str, str], Span] = {}
        """Locks that were taken one after the other, and where."""
        self.forget_function()

    def forget_function(self) -> None:
        """Forget what holds of one function only: another one is executed."""
        self.released_places: set[Span] = set()
        """Where what was released somewhere had been acquired: it is the function's own."""
        self.leaks: dict[Span, tuple[Fact, Span, bool]] = {}
        """What was lost, by the place where it was acquired."""
        self.unlocked: set[str] = set()
        """The locks that were given back on some path."""
        self.kept: dict[tuple[str, Span], Span] = {}
        """The locks that were kept on some path, and where that ended."""

    @property
    def frame(self) -> Frame:
        """The function that is being executed."""
        return self.frames[-1]

    def report(self, fact: Fact, place: Span, *steps: tuple[Span, str]) -> None:
        """Note a fact; the first path that leads to it is kept."""
        self.found.setdefault((fact, place), Found(fact, place, steps))

    def work(self, amount: int) -> None:
        """Count what was done.

        :raises Exhausted: if it was more than is allowed for the function.
        """
        self.done += amount
        if self.done > self.limit:
            raise Exhausted(Early.PATHS)
        if time.thread_time() > self.deadline:
            raise Exhausted(Early.TIME)

    def drop_paths(self, frame: Frame) -> None:
        """Note that some paths through a function are not followed."""
        self.early.add(Early.PATHS, frame.function.name)

    def choose(self, count: int) -> int:
        """Which of several paths to take, from 0."""
        return self.choices.choose(count)

    # Expressions

    def value(self, state: State, expr: Expr) -> Value:
        """The value of an expression."""
        self.work(1)
        return self._values[type(expr)](self, state, expr)

    def number(self, state: State, expr: Expr) -> Poly:
        """The value of an expression as a number."""
        found = self.value(state, expr)
        return found if isinstance(found, Poly) else self.unknown(state, expr.span)

    def place(self, state: State, expr: Expr, *, write: bool | None) -> Place | None:
        """Where an expression's value is; it is read, written, or only pointed to (None)."""
        expr = stripped(expr)
        handler = self.places.get(type(expr))
        return handler(self, state, expr, write=write) if handler is not None else None

    def assume(self, state: State, expr: Expr, truth: bool) -> None:
        """Go on where a condition holds, or where it does not.

        :raises Infeasible: if it cannot be.
        """
        self._conditions[type(expr)](self, state, expr, truth)

    # Numbers

    def tag(self, state: State, prefix: str, span: Span) -> str:
        """A name for what is made at a place: the same on all paths there, and another in each call
        of the function and each turn of the loops around it."""
        turns = "".join(f"^{turn}" for turn in state.loops.values())
        return f"{prefix}{self.frame.prefix}{span.start}:{span.end}{turns}"

    def unknown(self, state: State, span: Span, origin: Origin = Origin.NONE) -> Poly:
        """The value of an expression that is not known."""
        return self.fresh(state, self.tag(state, "n", span), origin)

    def fresh(
        self,
        state: State,
        name: str,
        origin: Origin = Origin.NONE,
        *,
        low: int | None = None,
        high: int | None = None,
        type_: CType | None = None,
    ) -> Poly:
        """A number that is not known."""
        least, greatest = self.types.range(type_)
        if least is not None and low is None:
            low = least
        if greatest is not None and high is None:
            high = greatest
        signed = type_ is not None and not self.types.is_unsigned(type_)
        state.forget(name)
        state.symbols[name] = Symbol(origin, low, high, signed)
        return symbol(name)
