"""The state of an execution: facts, work done, choices and frames.

Tables of functions (:class:`Handlers`) hold what depends on the kind of an expression. The machine
receives them, so the parts that evaluate do not import each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.facts import Early, EarlyEnds, Fact, Found
from codeintel.engine.symbolic.program import Function, TranslationUnit
from codeintel.engine.symbolic.syntax import CType, Expr, stripped
from codeintel.engine.symbolic.values.polynomials import Poly, symbol
from codeintel.engine.symbolic.values.state import Origin, Place, State, Symbol, TextRead, Value
from codeintel.engine.symbolic.values.types import Types

MAX_CHOICES = 24
MAX_SECONDS = 1.5
"""Limit in seconds of processor time for one piece of code, including reading."""


class Infeasible(Exception):  # noqa: N818 - a signal, not an error
    """Raised when no execution can take this path."""


class Stops(Exception):  # noqa: N818 - a signal, not an error
    """Raised where the program ends."""


class Thrown(Exception):  # noqa: N818 - a signal, not an error
    """Raised where a called function throws an exception."""


class Exhausted(Exception):  # noqa: N818 - a signal, not an error
    """Raised when there are too many paths or the time is up. `why` is the reason."""

    def __init__(self, why: Early) -> None:
        super().__init__(why)
        self.why = why


@dataclass(slots=True)
class Frame:
    """A function that is being executed.

    The regions of its variables have names that start with `prefix`; `types` holds their types.
    `this` is the region of the object that a method belongs to.
    """

    function: Function
    prefix: str
    this: str = "this"
    types: dict[str, CType] = field(default_factory=dict)


class Choices:
    """The paths that a statement takes. A statement with several ways is executed once for each."""

    def __init__(self, given: tuple[int, ...] = ()) -> None:
        self._given = given
        self._taken: list[int] = []
        self.untaken: list[tuple[int, ...]] = []
        self.dropped = False
        """Whether there were more paths than are noted."""

    def choose(self, count: int) -> int:
        """Return the path to take, from 0 up to `count`, and note the others."""
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
"""Returns the value of an expression."""
Assumes = Callable[["Machine", State, Any, bool], None]
"""Continues on the path where an expression is true, or where it is false."""


class FindsPlace(Protocol):
    """Finds the place of an expression's value.

    `write` is None for a place that is only pointed to.
    """

    def __call__(
        self, machine: Machine, state: State, expr: Any, *, write: bool | None
    ) -> Place | None: ...


@dataclass(frozen=True, slots=True)
class Handlers:
    """The functions that evaluate expressions, by type of expression."""

    values: Mapping[type, Evaluates]
    conditions: Mapping[type, Assumes]
    places: Mapping[type, FindsPlace]
    """The handlers for the types of expressions that have a place."""


class Machine:
    """State that all parts of an execution share.

    :param deadline: when to end, in the clock of :func:`time.thread_time`.
    """

    def __init__(self, source: TranslationUnit, deadline: float, handlers: Handlers) -> None:
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
        """Pairs of locks that were taken in sequence, and where."""
        self.forget_function()

    def forget_function(self) -> None:
        """Forget what applies to one function only, before the next one is executed."""
        self.released_places: set[Span] = set()
        """Places that acquired what was released somewhere, so the function owns it."""
        self.leaks: dict[Span, tuple[Fact, Span, bool]] = {}
        """What was lost, by the place that acquired it."""
        self.unlocked: set[str] = set()
        """The locks that were released on some path."""
        self.kept: dict[tuple[str, Span], Span] = {}
        """The locks that were held to the end on some path, and where that path ended."""

    @property
    def frame(self) -> Frame:
        """The function that is being executed."""
        return self.frames[-1]

    def report(self, fact: Fact, place: Span, *steps: tuple[Span, str]) -> None:
        """Note a fact. The first path that leads to the fact is kept."""
        self.found.setdefault((fact, place), Found(fact, place, steps))

    def work(self, amount: int) -> None:
        """Count the work done.

        :raises Exhausted: if the function has used up its work or the file its time.
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
        """Return the path to take, from 0."""
        return self.choices.choose(count)

    # Expressions

    def value(self, state: State, expr: Expr) -> Value:
        """Return the value of an expression."""
        self.work(1)
        return self._values[type(expr)](self, state, expr)

    def number(self, state: State, expr: Expr) -> Poly:
        """Return the value of an expression as a number."""
        found = self.value(state, expr)
        return found if isinstance(found, Poly) else self.unknown(state, expr.span)

    def place(self, state: State, expr: Expr, *, write: bool | None) -> Place | None:
        """Return the place of an expression's value. `write` is None if it is only pointed to."""
        expr = stripped(expr)
        handler = self.places.get(type(expr))
        return handler(self, state, expr, write=write) if handler is not None else None

    def assume(self, state: State, expr: Expr, truth: bool) -> None:
        """Continue on the path where a condition is true, or where it is false.

        :raises Infeasible: if no execution can take that path.
        """
        self._conditions[type(expr)](self, state, expr, truth)

    # Numbers

    def tag(self, state: State, prefix: str, span: Span) -> str:
        """Return a name for what is made at a place.

        The name is the same on all paths to the place. It differs in each call of the function and
        in each iteration of the loops around the place.
        """
        turns = "".join(f"^{turn}" for turn in state.loops.values())
        return f"{prefix}{self.frame.prefix}{span.start}:{span.end}{turns}"

    def unknown(self, state: State, span: Span, origin: Origin = Origin.NONE) -> Poly:
        """Return a new unknown number as the value of an expression."""
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
        """Return a new unknown number within the range of its type."""
        least, greatest = self.types.range(type_)
        if least is not None and low is None:
            low = least
        if greatest is not None and high is None:
            high = greatest
        signed = type_ is not None and not self.types.is_unsigned(type_)
        state.forget(name)
        state.symbols[name] = Symbol(origin, low, high, signed)
        return symbol(name)
