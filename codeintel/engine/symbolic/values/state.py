"""What is known at one point on one path through a function."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.symbolic.values.polynomials import Poly, lower, tightened, upper
from codeintel.engine.symbolic.values.regions import (
    Held,
    Null,
    Origin,
    Pointer,
    Region,
    Symbol,
    Value,
)

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
