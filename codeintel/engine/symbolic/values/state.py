"""Regions of memory, and knowledge about them and about symbols on one path."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.syntax import CType
from codeintel.engine.symbolic.values.polynomials import ZERO, Poly, lower, tightened, upper


class Origin(StrEnum):
    """The party that may have chosen a number."""

    NONE = "none"
    """The program, as far as is known."""
    INPUT = "input"
    """It was read, or made from text that was read."""
    PARAMETER = "parameter"
    """The caller of the function."""
    FIELD = "field"
    """It is a field of an argument."""
    CONTENT = "content"
    """It is in memory that holds untrusted input."""
    LENGTH = "length"
    """It is the length of an untrusted text, or the size of an untrusted container."""
    LOOP = "loop"
    """A loop counts it."""


class Symbol(NamedTuple):
    """An unknown number. `low` and `high` are its limits by nature, such as those of its type."""

    origin: Origin = Origin.NONE
    low: int | None = None
    high: int | None = None
    signed: bool = False
    limited: bool = True
    """Whether the loop that counts it compares anything with a limit."""
    fails: bool = False
    """Whether it is -1 if the function that returned it has failed."""

    @property
    def chosen(self) -> bool:
        """Whether untrusted input decides it."""
        return self.origin not in (Origin.NONE, Origin.LOOP)


class Pointer(NamedTuple):
    """`offset` bytes into a region. Into a container, also the generation of that container."""

    region: str
    offset: Poly
    generation: int = -1


class Unset(NamedTuple):
    """The value of a variable that has not been initialized."""

    place: Span


Value = Poly | Pointer | Unset
ZERO_PLACE = Span(0, 0)


class Null(StrEnum):
    """Answers to whether the address of a region may be null."""

    NO = "no"
    MAYBE = "maybe"
    """The function that returned it may have failed."""
    YES = "yes"
    UNKNOWN = "unknown"
    """A caller passed it."""


class Region(NamedTuple):
    """A piece of memory, or something else that is acquired and released.

    `kind` is one of: stack, static, text (a literal), heap, file, descriptor and the like (the
    result of an allocator), outside (from a caller or an unknown function), container, object.
    """

    kind: str
    size: Poly | None = None
    family: str = ""
    null: Null = Null.NO
    released: Span | None = None
    """Where it was released."""
    ended: bool = False
    """Whether its function or block has ended."""
    owned: bool = False
    """Whether the function still has to release it."""
    passed: bool = False
    """Whether a function that may keep or release it has seen it."""
    written: bool = True
    zeroed: bool = False
    terminated: bool = True
    """Whether it has a zero byte, as text must."""
    length: Poly | None = None
    """The length of the text in it."""
    outside: bool = False
    """Whether its contents are untrusted."""
    overrun: bool = False
    """Whether it was used beyond its bounds before. Consequences of that are not reported."""
    used: Span | None = None
    """Where it was used before its address was checked for null."""
    place: Span = ZERO_PLACE
    parent: str = ""
    generation: int = 0
    moved: Span | None = None
    reallocated: Span | None = None
    """The call of realloc that failed to move it."""
    tested: bool = False
    """Whether its address was compared with null."""
    changed: Span | None = None


class Held(NamedTuple):
    """A lock that is held: its name, where it was taken, and the variable that releases it."""

    name: str
    place: Span
    guard: str = ""


OUTSIDE = frozenset({Origin.INPUT, Origin.PARAMETER, Origin.CONTENT, Origin.LENGTH, Origin.FIELD})


class Place(NamedTuple):
    """The place of a value: a region and a path in it, such as `.name` or `[8].name`."""

    region: str
    path: str
    type: CType | None
    offset: Poly | None = ZERO
    """The offset of a path without fields."""


class TextRead(NamedTuple):
    """A character that was read: the place of the expression, and where the character is."""

    span: Span
    region: str
    offset: Poly


def at(pointer: Pointer, type_: CType | None) -> Place:
    """Return the place that an address leads to."""
    return Place(pointer.region, path_of(pointer.offset), type_, pointer.offset)


def path_of(offset: Poly) -> str:
    """Return the path of what is at an offset in a region."""
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
    """Knowledge on one path.

    `cells` are the values of variables and other places, by region and path within it. `facts` are
    polynomials that are at most zero, `nonzero` those that are not zero. `soft` are facts that hold
    only if the program has been correct so far. They can show that the program is correct, but not
    that it is wrong.
    """

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
        """The number of visits to the heads of the current loops, by frame and number."""
        self.only: tuple[int, bool] | None = None
        """Whether the next condition of a loop must be true or false."""

    def copy(self) -> State:
        """Return a copy that can change independently."""
        twin = State()
        twin.become(self)
        return twin

    def become(self, other: State) -> None:
        """Take over everything from another state."""
        self.cells, self.regions = dict(other.cells), dict(other.regions)
        self.symbols, self.loops = dict(other.symbols), dict(other.loops)
        self.facts, self.nonzero, self.locks = other.facts, other.nonzero, other.locks
        self.only, self.soft = other.only, other.soft

    def join(self, other: State) -> None:
        """Keep only what also holds in another state with the same key."""
        self.facts &= other.facts
        self.soft &= other.soft
        self.nonzero &= other.nonzero

    def says_the_same(self, other: State) -> bool:
        """Return whether a state with the same key has the same conditions."""
        return (
            self.facts == other.facts and self.nonzero == other.nonzero and self.soft == other.soft
        )

    @property
    def known(self) -> frozenset[Poly]:
        """All polynomials that are at most zero."""
        return self.facts | self.soft

    def key(self) -> tuple[object, ...]:
        """Return the key of the state: all differences between states except conditions."""
        return (
            frozenset(self.cells.items()),
            frozenset(self.regions.items()),
            frozenset(self.loops.items()),
            self.locks,
            self.only,
        )

    # Numbers

    def ranges(self, name: str) -> tuple[int | None, int | None]:
        """Return a symbol's limits by nature. None is no limit."""
        known = self.symbols.get(name)
        return (known.low, known.high) if known is not None else (None, None)

    def chosen_ranges(self, name: str) -> tuple[int | None, int | None]:
        """Return the limits of an untrusted symbol. Others need not be able to reach theirs."""
        known = self.symbols.get(name)
        return (known.low, known.high) if known is not None and known.chosen else (None, None)

    def upper(self, poly: Poly) -> int | None:
        """Return the greatest value that a number can have, or None if it is unknown."""
        return upper(poly, self.known, self.ranges)

    def lower(self, poly: Poly) -> int | None:
        """Return the least value that a number can have, or None if it is unknown."""
        return lower(poly, self.known, self.ranges)

    def suppose(self, poly: Poly) -> None:
        """Note that a number is at most zero if the program has been correct so far."""
        if poly.terms:
            self.soft |= {tightened(poly)}

    def assume(self, poly: Poly) -> bool:
        """Note that a number is at most zero. Return False if that is impossible."""
        if not poly.terms:
            return poly.constant <= 0
        least = self.lower(poly)
        if least is not None and least > 0:
            return False
        self.facts |= {tightened(poly)}
        return True

    def capped(self, name: str, *, surely: bool = False) -> bool:
        """Return whether anything but a loop's counter limits a symbol from above.

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
        """Return whether anything compares a symbol with a lower limit."""
        return any(
            factor < 0 and name in monomial
            for fact in self.known
            for monomial, factor in fact.terms
        )

    def forget(self, name: str) -> None:
        """Drop the knowledge about a symbol that gets a new meaning."""
        self.facts = frozenset(fact for fact in self.facts if not fact.mentions(name))
        self.soft = frozenset(fact for fact in self.soft if not fact.mentions(name))
        self.nonzero = frozenset(fact for fact in self.nonzero if not fact.mentions(name))

    def forget_nulls(self) -> None:
        """Stop treating anything as null, because the called function may end the program in that
        case.
        """
        for name, region in list(self.regions.items()):
            if region.null is Null.YES:
                self.update(name, null=Null.NO)
        for fact in self.facts:
            opposite = Poly(-fact.constant, tuple((m, -factor) for m, factor in fact.terms))
            if len(fact.terms) == 1 and opposite in self.facts:
                self.facts -= {fact, opposite}

    def collect(self) -> None:
        """Drop the facts that concern no remaining value."""
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
        for _ in range(3):  # a number that is compared with a live symbol is live
            live |= {name for fact in known if fact.symbols & live for name in fact.symbols}
        self.facts = frozenset(fact for fact in self.facts if fact.symbols & live)
        self.soft = frozenset(fact for fact in self.soft if fact.symbols & live)
        self.symbols = {name: each for name, each in self.symbols.items() if name in live}

    def origin(self, poly: Poly) -> Origin:
        """Return who may have chosen a number.

        With several origins, the most important one counts.
        """
        found = [self.symbols[each].origin for each in poly.symbols if each in self.symbols]
        return min(found, key=_RANKS.__getitem__, default=Origin.NONE)

    # Memory

    def root(self, name: str) -> str:
        """Return the whole that a region is part of."""
        for _ in range(8):
            parent = self.regions[name].parent if name in self.regions else ""
            if not parent:
                return name
            name = parent
        return name

    def update(self, name: str, **changes: object) -> None:
        """Change the knowledge about a region."""
        self.regions[name] = self.regions[name]._replace(**changes)  # type: ignore[arg-type]

    def cells_of(self, region: str) -> Iterator[tuple[tuple[str, str], Value]]:
        """Return the known values within a region."""
        return ((key, value) for key, value in list(self.cells.items()) if key[0] == region)

    def drop(self, region: str, prefix: str = "") -> None:
        """Forget the values within a region.

        What they point to may still be reached through the region.
        """
        for key, value in self.cells_of(region):
            if key[1].startswith(prefix):
                self.disown(value)
                del self.cells[key]

    def end(self, region: str) -> None:
        """Delete the values within a region that has ended."""
        for key, _ in self.cells_of(region):
            del self.cells[key]

    def disown(self, value: Value) -> None:
        """Note that the function need not release what an address points to."""
        if isinstance(value, Pointer):
            name = self.root(value.region)
            if name in self.regions and self.regions[name].owned:
                self.update(name, owned=False)

    def reachable(self, roots: Iterator[str]) -> set[str]:
        """Return the regions that can be reached from others through addresses."""
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
