"""Numbers that are not known, as polynomials of symbols; and what conditions say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import gcd
from typing import NamedTuple

Monomial = tuple[str, ...]
MAX_TERMS = 8
MAX_DEGREE = 3
MAX_NUMBER = 2**64
"""Beyond the greatest number of any type; what is greater says nothing, and grows without end."""
_DEPTH = 6
_MAX_LEAVES = 20


class Poly(NamedTuple):
    """`constant + coefficient * symbol * ... + ...`; the terms are in order and none is zero."""

    constant: int
    terms: tuple[tuple[Monomial, int], ...] = ()

    @property
    def number(self) -> int | None:
        """Its value, if it is a constant."""
        return None if self.terms else self.constant

    @property
    def symbols(self) -> frozenset[str]:
        """What it depends on."""
        return frozenset(symbol for monomial, _ in self.terms for symbol in monomial)

    def mentions(self, name: str) -> bool:
        """Whether it depends on a symbol."""
        return any(name in monomial for monomial, _ in self.terms)


ZERO = Poly(0)
ONE = Poly(1)
Facts = frozenset[Poly]
"""Polynomials that are at most zero."""
Ranges = Callable[[str], tuple[int | None, int | None]]
"""The least and the greatest value that a symbol can have by its nature."""
_Index = dict[Monomial, list[tuple[int, Poly]]]


def symbol(name: str) -> Poly:
    """The polynomial that is one symbol."""
    return Poly(0, (((name,), 1),))


def add(left: Poly, right: Poly, times: int = 1) -> Poly:
    """`left + times * right`."""
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
    """`left + number`."""
    return Poly(left.constant + number, left.terms)


def scale(left: Poly, factor: int) -> Poly:
    """`factor * left`."""
    return add(ZERO, left, factor) if factor else ZERO


def multiply(left: Poly, right: Poly) -> Poly | None:
    """`left * right`, or None if that has too many terms or too great numbers."""
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
    """The polynomial, or None if it has numbers beyond :data:`MAX_NUMBER`."""
    great = abs(poly.constant) > MAX_NUMBER or any(abs(by) > MAX_NUMBER for _, by in poly.terms)
    return None if great else poly


def tightened(poly: Poly) -> Poly:
    """A polynomial without a common factor that is at most zero where, and only where, this one is:
    `2 * n <= 19` says `n <= 9` of whole numbers."""
    common = gcd(*(factor for _, factor in poly.terms))
    if common < 2:
        return poly
    terms = tuple((monomial, factor // common) for monomial, factor in poly.terms)
    return Poly(-(-poly.constant // common), terms)


def substitute(poly: Poly, name: str, value: Poly) -> Poly | None:
    """A polynomial with another one in the place of a symbol."""
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
    """The greatest value that a polynomial can have as far as is known, or None."""
    best: int | None = None
    for residue in residues(poly, facts, ranges):
        if not residue.terms and (best is None or residue.constant < best):
            best = residue.constant
    return best


def lower(poly: Poly, facts: Facts, ranges: Ranges) -> int | None:
    """The least value that a polynomial can have as far as is known, or None."""
    found = upper(scale(poly, -1), facts, ranges)
    return None if found is None else -found


def residues(poly: Poly, facts: Facts, ranges: Ranges, *, rising: bool = False) -> Iterator[Poly]:
    """Polynomials that are at least as great, with fewer symbols: what facts and ranges leave of
    it. Constants among them are bounds.

    :param rising: whether only symbols are to be replaced that make it greater. What then is a
        bound does not depend on how small something else can be.
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
    """The facts by the terms that they have, with the term's factor."""
    found: _Index = {}
    for fact in facts:
        for monomial, factor in fact.terms:
            found.setdefault(monomial, []).append((factor, fact))
    return found


def _reduced(poly: Poly, facts: _Index, ranges: Ranges, rising: bool) -> Iterator[Poly]:
    """The polynomial without its first term that anything is known of."""
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
