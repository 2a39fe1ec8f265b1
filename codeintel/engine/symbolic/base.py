"""What all parts of the machine share: reporting, choosing between ways, and frames."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.early import Early, EarlyEnds
from codeintel.engine.symbolic.facts import Fact, Found
from codeintel.engine.symbolic.memory import Origin, Symbol
from codeintel.engine.symbolic.poly import Poly, symbol
from codeintel.engine.symbolic.program import Function, Source
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import CType
from codeintel.engine.symbolic.types import Types

MAX_CHOICES = 24


class Infeasible(Exception):  # noqa: N818 - a signal, not an error
    """Nothing can be on this way."""


class Stops(Exception):  # noqa: N818 - a signal, not an error
    """The program ends here."""


class Thrown(Exception):  # noqa: N818 - a signal, not an error
    """An exception leaves the function that was called here."""


class Exhausted(Exception):  # noqa: N818 - a signal, not an error
    """There are too many ways, or the time is over: `why` is one of them."""

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
    """Which way a statement goes where it may go several: it is executed once for each of them."""

    def __init__(self, given: tuple[int, ...] = ()) -> None:
        self._given = given
        self._taken: list[int] = []
        self.untaken: list[tuple[int, ...]] = []
        self.dropped = False
        """Whether there were more ways than are noted."""

    def choose(self, count: int) -> int:
        """Which of several ways to go, from 0; the others are noted."""
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


MAX_SECONDS = 1.5
"""Of the processor, for one piece of code, reading included."""


class Base:
    """The state of the machine itself.

    :param deadline: when to end, as :func:`time.thread_time` tells time.
    """

    def __init__(self, source: Source, deadline: float) -> None:
        self.source = source
        self.types = Types(source)
        self.found: dict[tuple[Fact, Span], Found] = {}
        self.frames: list[Frame] = []
        self.done = 0
        self.deadline = deadline
        self.limit = 0
        self.choices = Choices()
        self.early = EarlyEnds()
        """The functions that were not executed to their end."""

    @property
    def frame(self) -> Frame:
        """The function that is being executed."""
        return self.frames[-1]

    def report(self, fact: Fact, place: Span, *steps: tuple[Span, str]) -> None:
        """Note a fact; the first way that leads to it is kept."""
        self.found.setdefault((fact, place), Found(fact, place, steps))

    def work(self, amount: int) -> None:
        """Count what was done.

        :raises Exhausted: if it was more than is allowed for the function.
        """
        self.done += amount
        if self.done > self.limit:
            raise Exhausted(Early.WAYS)
        if time.thread_time() > self.deadline:
            raise Exhausted(Early.TIME)

    def drop_ways(self, frame: Frame) -> None:
        """Note that some ways through a function are not gone."""
        self.early.add(Early.WAYS, frame.function.name)

    def choose(self, count: int) -> int:
        """Which of several ways to go, from 0."""
        return self.choices.choose(count)

    # Numbers

    def tag(self, state: State, prefix: str, span: Span) -> str:
        """A name for what is made at a place: the same on all ways there, and another in each call
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

    def origin(self, state: State, poly: Poly) -> Origin:
        """Who may have chosen a number: of several the one that matters most."""
        found = [state.symbols[each].origin for each in poly.symbols if each in state.symbols]
        return min(found, key=_RANKS.__getitem__, default=Origin.NONE)


_RANKS = {
    Origin.INPUT: 0, Origin.PARAMETER: 1, Origin.CONTENT: 2, Origin.LENGTH: 3, Origin.FIELD: 4,
    Origin.LOOP: 5, Origin.NONE: 6,
}  # fmt: skip
OUTSIDE = frozenset({Origin.INPUT, Origin.PARAMETER, Origin.CONTENT, Origin.LENGTH, Origin.FIELD})
