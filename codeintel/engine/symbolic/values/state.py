"""Regions of memory, and what is known of them and of symbols on one path."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.syntax import CType
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, lower, tightened, upper


class Origin(StrEnum):
    """Who may have chosen a number."""

    NONE = "none"
    """The program, as far as is known."""
    INPUT = "input"
    """It was read, or made of text that was."""
    PARAMETER = "parameter"
    """Whoever calls the function."""
    FIELD = "field"
    """It is a field of what the function was given."""
    CONTENT = "content"
    """It stands in memory that came from outside."""
    LENGTH = "length"
    """It is the length of a text, or the size of a container, from outside."""
    LOOP = "loop"
    """A loop counts it."""


class Symbol(NamedTuple):
    """A number that is not known; `low` and `high` are its limits by nature, such as its type's."""

    origin: Origin = Origin.NONE
    low: int | None = None
    high: int | None = None
    signed: bool = False
    limited: bool = True
    """Whether the loop that counts it holds anything against a limit."""
    fails: bool = False
    """Whether it is -1 if the function that returned it has failed."""

    @property
    def chosen(self) -> bool:
        """Whether somebody outside chooses it."""
        return self.origin not in (Origin.NONE, Origin.LOOP)


class Pointer(NamedTuple):
    """An address: `offset` bytes into a region. An iterator or a reference into a container has the
    generation in which it was made."""

    region: str
    offset: Poly
    generation: int = -1


class Unset(NamedTuple):
    """The value of a variable that has none."""

    place: Span


Value = Poly | Pointer | Unset
ZERO_PLACE = Span(0, 0)


class Null(StrEnum):
    """Whether the address of a region may be null."""

    NO = "no"
    MAYBE = "maybe"
    """The function that returned it may have failed."""
    YES = "yes"
    UNKNOWN = "unknown"
    """A caller gave it."""


class Region(NamedTuple):
    """A piece of memory, or something else that is acquired and released.

    `kind` is one of: stack, static, text (a literal), heap, file, descriptor and the like (what an
    allocator makes), outside (given by a caller or an unknown function), container, object.
    """

    kind: str
    size: Poly | None = None
    family: str = ""
    null: Null = Null.NO
    released: Span | None = None
    """Where it was released."""
    ended: bool = False
    """Its function or block has ended."""
    owned: bool = False
    """Somebody has to release it."""
    passed: bool = False
    """A function that may keep or release it has seen it."""
    written: bool = True
    zeroed: bool = False
    terminated: bool = True
    """Whether it has a zero byte, as text must."""
    length: Poly | None = None
    """The length of the text in it."""
    outside: bool = False
    """Whether its content comes from outside."""
    overrun: bool = False
    """Whether it was used beyond its bounds before: what follows from that is not told."""
    used: Span | None = None
    """Where it was used while it was not known whether its address is null."""
    place: Span = ZERO_PLACE
    parent: str = ""
    generation: int = 0
    moved: Span | None = None
    reallocated: Span | None = None
    """The call of realloc that failed to move it."""
    tested: bool = False
    """Whether its address was held against null."""
    changed: Span | None = None


class Held(NamedTuple):
    """A lock that is held: its name, where it was taken, and the variable that releases it."""

    name: str
    place: Span
    guard: str = ""


OUTSIDE = frozenset({Origin.INPUT, Origin.PARAMETER, Origin.CONTENT, Origin.LENGTH, Origin.FIELD})


class Place(NamedTuple):
    """Where a value is: a region and a path in it, such as `.name` or `[8].name`; `offset` is that
    of a path without fields."""

    region: str
    path: str
    type: CType | None
    offset: Poly | None = ZERO


class TextRead(NamedTuple):
    """A character that was read: by which expression, and where it stands."""

    span: Span
    region: str
    offset: Poly


def at(pointer: Pointer, type_: CType | None) -> Place:
    """The place that an address leads to."""
    return Place(pointer.region, path_of(pointer.offset), type_, pointer.offset)


def path_of(offset: Poly) -> str:
    """The path of what stands at an offset in a region."""
    if offset == ZERO:
        return ""
    parts = [f"{factor}*{'*'.join(monomial)}" for monomial, factor in offset.terms]
    return f"[{'+'.join([*parts, str(offset.constant)])}]"


MAX_FACTS = 24
_RANKS = {
    Origin.INPUT: 0, Origin.PARAMETER: 1, Origin.CONTENT: 2, Origin.LENGTH: 3, Origin.FIELD: 4,
    Origin.LOOP: 5, Origin.NONE: 6,
}  # fmt: skip


class State:
    """One path's knowledge. `cells` are the values of variables and other places by region and path
    within it; `facts` are polynomials that are at most zero, `nonzero` those that are not zero.
    `soft` are facts that only follow if the program has been right so far: they can show that it
    is right, but not that it is wrong."""

    __slots__ = (
        "cells", "facts", "locks", "loops", "nonzero", "only", "regions", "soft", "symbols",
    )  # fmt: skip

    def __init__(self) -> None:
        self.cells: dict[tuple[str, str], Value] = {}
        self.regions: dict[str, Region] = {}
        self.symbols: dict[str, Symbol] = {}
        self.facts: frozenset[Poly] = frozenset()
        self.soft: frozenset[Poly] = frozenset()
        self.nonzero: frozenset[Poly] = frozenset()
        self.locks: tuple[Held, ...] = ()
        self.loops: dict[tuple[str, int], int] = {}
        """The loops that it is in, by frame and number, and how often it came to their heads."""
        self.only: tuple[int, bool] | None = None
        """Whether the next condition of a loop must hold, or must not."""

    def copy(self) -> State:
        """A state that can change by itself."""
        twin = State()
        twin.become(self)
        return twin

    def become(self, other: State) -> None:
        """Have all that another state has."""
        self.cells, self.regions = dict(other.cells), dict(other.regions)
        self.symbols, self.loops = dict(other.symbols), dict(other.loops)
        self.facts, self.nonzero, self.locks = other.facts, other.nonzero, other.locks
        self.only, self.soft = other.only, other.soft

    def join(self, other: State) -> None:
        """Keep what holds in another state, too, which has the same key."""
        self.facts &= other.facts
        self.soft &= other.soft
        self.nonzero &= other.nonzero

    def says_the_same(self, other: State) -> bool:
        """Whether a state with the same key has the same conditions."""
        return (
            self.facts == other.facts and self.nonzero == other.nonzero and self.soft == other.soft
        )

    @property
    def known(self) -> frozenset[Poly]:
        """All polynomials that are at most zero."""
        return self.facts | self.soft

    def key(self) -> tuple[object, ...]:
        """What tells states apart between which conditions make no difference."""
        return (
            frozenset(self.cells.items()),
            frozenset(self.regions.items()),
            frozenset(self.loops.items()),
            self.locks,
            self.only,
        )

    # Numbers

    def ranges(self, name: str) -> tuple[int | None, int | None]:
        """A symbol's limits by nature."""
        known = self.symbols.get(name)
        return (known.low, known.high) if known is not None else (None, None)

    def chosen_ranges(self, name: str) -> tuple[int | None, int | None]:
        """The limits by nature of a symbol that somebody outside chooses: that others could have
        them is no sign that they do."""
        known = self.symbols.get(name)
        return (known.low, known.high) if known is not None and known.chosen else (None, None)

    def upper(self, poly: Poly) -> int | None:
        """The greatest value that a number can have as far as is known."""
        return upper(poly, self.known, self.ranges)

    def lower(self, poly: Poly) -> int | None:
        """The least value that a number can have as far as is known."""
        return lower(poly, self.known, self.ranges)

    def suppose(self, poly: Poly) -> None:
        """Note that a number is at most zero if the program has been right so far."""
        if poly.terms:
            self.soft |= {tightened(poly)}

    def assume(self, poly: Poly) -> bool:
        """Note that a number is at most zero. False if it cannot be."""
        if not poly.terms:
            return poly.constant <= 0
        least = self.lower(poly)
        if least is not None and least > 0:
            return False
        self.facts |= {tightened(poly)}
        return True

    def capped(self, name: str, *, surely: bool = False) -> bool:
        """Whether anything holds a symbol against a limit from above. What a loop has counted up to
        it is none.

        :param surely: whether only conditions count.
        """
        for fact in self.facts if surely else self.known:
            if not any(factor > 0 and name in monomial for monomial, factor in fact.terms):
                continue
            limits = [n for monomial, factor in fact.terms if factor < 0 for n in monomial]
            if not any(
                (known := self.symbols.get(each)) is not None and known.origin is Origin.LOOP
                for each in limits
            ):
                return True
        return False

    def floored(self, name: str) -> bool:
        """Whether anything holds a symbol against a limit from below."""
        return any(
            factor < 0 and name in monomial
            for fact in self.known
            for monomial, factor in fact.terms
        )

    def forget(self, name: str) -> None:
        """Drop what is known of a symbol that gets a new meaning."""
        self.facts = frozenset(fact for fact in self.facts if not fact.mentions(name))
        self.soft = frozenset(fact for fact in self.soft if not fact.mentions(name))
        self.nonzero = frozenset(fact for fact in self.nonzero if not fact.mentions(name))

    def forget_nulls(self) -> None:
        """Take nothing to be null any more: what was called may end the program where it is."""
        for name, region in list(self.regions.items()):
            if region.null is Null.YES:
                self.update(name, null=Null.NO)
        for fact in self.facts:
            opposite = Poly(-fact.constant, tuple((m, -factor) for m, factor in fact.terms))
            if len(fact.terms) == 1 and opposite in self.facts:
                self.facts -= {fact, opposite}

    def collect(self) -> None:
        """Drop the facts that say nothing of any value there still is."""
        if len(self.facts) + len(self.soft) < MAX_FACTS:
            return
        live: set[str] = set()
        for value in self.cells.values():
            if isinstance(value, Poly):
                live |= value.symbols
            elif isinstance(value, Pointer):
                live |= value.offset.symbols
        for region in self.regions.values():
            for each in (region.size, region.length):
                live |= each.symbols if each is not None else frozenset()
        known = list(self.known)
        for _ in range(3):  # what is held against a live symbol is live
            live |= {name for fact in known if fact.symbols & live for name in fact.symbols}
        self.facts = frozenset(fact for fact in self.facts if fact.symbols & live)
        self.soft = frozenset(fact for fact in self.soft if fact.symbols & live)
        self.symbols = {name: each for name, each in self.symbols.items() if name in live}

    def origin(self, poly: Poly) -> Origin:
        """Who may have chosen a number: of several the one that matters most."""
        found = [self.symbols[each].origin for each in poly.symbols if each in self.symbols]
        return min(found, key=_RANKS.__getitem__, default=Origin.NONE)

    # Memory

    def root(self, name: str) -> str:
        """The whole that a region is a part of."""
        for _ in range(8):
            parent = self.regions[name].parent if name in self.regions else ""
            if not parent:
                return name
            name = parent
        return name

    def update(self, name: str, **changes: object) -> None:
        """Change what is known of a region."""
        self.regions[name] = self.regions[name]._replace(**changes)  # type: ignore[arg-type]

    def cells_of(self, region: str) -> Iterator[tuple[tuple[str, str], Value]]:
        """The known values within a region."""
        return ((key, value) for key, value in list(self.cells.items()) if key[0] == region)

    def drop(self, region: str, prefix: str = "") -> None:
        """Forget the values within a region. What they point to may still be found there."""
        for key, value in self.cells_of(region):
            if key[1].startswith(prefix):
                self.disown(value)
                del self.cells[key]

    def end(self, region: str) -> None:
        """The values within a region are gone."""
        for key, _ in self.cells_of(region):
            del self.cells[key]

    def disown(self, value: Value) -> None:
        """Nobody here has to release what an address points to."""
        if isinstance(value, Pointer):
            name = self.root(value.region)
            if name in self.regions and self.regions[name].owned:
                self.update(name, owned=False)

    def reachable(self, roots: Iterator[str]) -> set[str]:
        """The regions that can be found from others through addresses in them."""
        links: dict[str, set[str]] = {}
        for (region, _), value in self.cells.items():
            if isinstance(value, Pointer):
                links.setdefault(self.root(region), set()).add(self.root(value.region))
        found: set[str] = set()
        pending = [self.root(each) for each in roots]
        while pending:
            each = pending.pop()
            if each not in found:
                found.add(each)
                known = self.regions.get(each)
                if known is None or known.released is None:
                    pending.extend(links.get(each, ()))
        return found
