"""Unknown numbers as polynomials of symbols, and what conditions say about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import gcd
from typing import NamedTuple

Monomial = tuple[str, ...]
MAX_TERMS = 8
MAX_DEGREE = 3
MAX_NUMBER = 2**64
"""Bound beyond the greatest number of any type.

Greater numbers say nothing and would grow forever.
"""
_DEPTH = 6
_MAX_LEAVES = 20


class Poly(NamedTuple):
    """`constant + coefficient * symbol * ... + ...`. The terms are sorted and none is zero."""

    constant: int
    terms: tuple[tuple[Monomial, int], ...] = ()

    @property
    def number(self) -> int | None:
        """The value if it is a constant, or None."""
        return None if self.terms else self.constant

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols in it."""
        return frozenset(symbol for monomial, _ in self.terms for symbol in monomial)

    def mentions(self, name: str) -> bool:
        """Return whether a symbol occurs in it."""
        return any(name in monomial for monomial, _ in self.terms)


ZERO = Poly(0)
ONE = Poly(1)
Facts = frozenset[Poly]
"""Polynomials that are at most zero."""
Ranges = Callable[[str], tuple[int | None, int | None]]
"""Returns the least and the greatest value that a symbol can have by its type or origin."""
_Index = dict[Monomial, list[tuple[int, Poly]]]


def symbol(name: str) -> Poly:
    """Return the polynomial that is one symbol."""
    return Poly(0, (((name,), 1),))


def add(left: Poly, right: Poly, times: int = 1) -> Poly:
    """Return `left + times * right`."""
    if not right.terms:
        return Poly(left.constant + times * right.constant, left.terms)
    found = dict(left.terms)
    for monomial, factor in right.terms:
        value = found.get(monomial, 0) + times * factor
        if value:
            found[monomial] = value
        else:
            found.pop(monomial, None)
    return Poly(left.constant + times * right.constant, tuple(sorted(found.items())))


def shift(left: Poly, number: int) -> Poly:
    """Return `left + number`."""
    return Poly(left.constant + number, left.terms)


def scale(left: Poly, factor: int) -> Poly:
    """Return `factor * left`."""
    return add(ZERO, left, factor) if factor else ZERO


def multiply(left: Poly, right: Poly) -> Poly | None:
    """Return `left * right`, or None if it has too many terms or too great numbers."""
    if not left.terms or not right.terms:
        number, other_side = (left, right) if not left.terms else (right, left)
        return within_limits(scale(other_side, number.constant))
    found = scale(left, right.constant)
    for monomial, factor in right.terms:
        for other, coefficient in (*left.terms, ((), left.constant)):
            if coefficient:
                product = tuple(sorted((*other, *monomial)))
                if len(product) > MAX_DEGREE:
                    return None
                found = add(found, Poly(0, ((product, factor * coefficient),)))
    return within_limits(found) if len(found.terms) <= MAX_TERMS else None


def within_limits(poly: Poly) -> Poly | None:
    """Return the polynomial, or None if it has numbers beyond :data:`MAX_NUMBER`."""
    great = abs(poly.constant) > MAX_NUMBER or any(abs(by) > MAX_NUMBER for _, by in poly.terms)
    return None if great else poly


def tightened(poly: Poly) -> Poly:
    """Divide by the common factor, keeping where the polynomial is at most zero.

    For whole numbers, `2 * n <= 19` means `n <= 9`.
    """
    common = gcd(*(factor for _, factor in poly.terms))
    if common < 2:
        return poly
    terms = tuple((monomial, factor // common) for monomial, factor in poly.terms)
    return Poly(-(-poly.constant // common), terms)


def substitute(poly: Poly, name: str, value: Poly) -> Poly | None:
    """Replace a symbol by a polynomial. Return None if the result is too large."""
    found = Poly(poly.constant)
    for monomial, factor in poly.terms:
        part: Poly | None = Poly(factor)
        for each in monomial:
            if part is not None:
                part = multiply(part, value if each == name else symbol(each))
        if part is None:
            return None
        found = add(found, part)
    return found


def upper(poly: Poly, facts: Facts, ranges: Ranges) -> int | None:
    """Return the greatest value that a polynomial can have, or None if it is unknown."""
    best: int | None = None
    for residue in residues(poly, facts, ranges):
        if not residue.terms and (best is None or residue.constant < best):
            best = residue.constant
    return best


def lower(poly: Poly, facts: Facts, ranges: Ranges) -> int | None:
    """Return the least value that a polynomial can have, or None if it is unknown."""
    found = upper(scale(poly, -1), facts, ranges)
    return None if found is None else -found


def residues(poly: Poly, facts: Facts, ranges: Ranges, *, rising: bool = False) -> Iterator[Poly]:
    """Yield upper bounds of a polynomial with fewer symbols, replaced by facts and ranges.

    Each is at least as great as the polynomial. The constants among them are numeric bounds.

    :param rising: whether to replace only symbols that make the polynomial greater. The bounds then
        do not depend on how small other numbers can be.
    """
    found = 0
    by_term = _index(facts)
    pending = [(poly, _DEPTH)]
    seen = {poly}
    while pending and found < _MAX_LEAVES:
        current, depth = pending.pop()
        reduced = list(_reduced(current, by_term, ranges, rising)) if depth else []
        if not reduced:
            found += 1
            yield current
        for each in reduced:
            if each not in seen:
                seen.add(each)
                pending.append((each, depth - 1))


@lru_cache(maxsize=512)
def _index(facts: frozenset[Poly]) -> _Index:
    """Return the facts by term, with the term's factor."""
    found: _Index = {}
    for fact in facts:
        for monomial, factor in fact.terms:
            found.setdefault(monomial, []).append((factor, fact))
    return found


def _reduced(poly: Poly, facts: _Index, ranges: Ranges, rising: bool) -> Iterator[Poly]:
    """Drop the first term whose value is known."""
    for monomial, factor in poly.terms:
        if rising and factor < 0:
            continue
        found = False
        for coefficient, fact in facts.get(monomial, ()):
            if factor * coefficient > 0 and factor % coefficient == 0:
                yield add(poly, fact, -(factor // coefficient))
                found = True
        if len(monomial) == 1:
            low, high = ranges(monomial[0])
            limit = high if factor > 0 else low
            if limit is not None:
                yield add(poly, add(symbol(monomial[0]), Poly(-limit)), -factor)
                found = True
        if found:
            return
