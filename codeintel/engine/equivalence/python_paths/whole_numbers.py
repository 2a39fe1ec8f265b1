"""Reason about integers: linear sums of terms, and what conditions say about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import ceil, gcd

from codeintel.engine.equivalence.path_trees import Term, constant, kind_of

_MOST = 24
"""The limit on conditions and unknowns of one question. Larger ones stay undecided."""
_MOST_ROUNDS = 160
Known = Sequence[tuple[Term, bool]]


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of unknowns, each times an integer, and a constant."""

    constant: int = 0
    parts: Mapping[Term, int] = field(default_factory=dict)

    def plus(self, other: Sum, times: int = 1) -> Sum:
        """Add another sum, multiplied by an integer."""
        parts = dict(self.parts)
        for unknown, count in other.parts.items():
            parts[unknown] = parts.get(unknown, 0) + count * times
        kept = {unknown: count for unknown, count in parts.items() if count}
        return Sum(self.constant + other.constant * times, kept)

    def key(self) -> Term:
        """Return a key that is the same for equal sums."""
        return (self.constant, *sorted(self.parts.items(), key=repr))


def sum_of(term: Term) -> Sum:
    """Return an integer as a sum."""
    if term[0] == "c" and term[1] == "int":
        return Sum(int(term[2]))
    match term:
        case ("op", "Add", a, b, "int"):
            return sum_of(a).plus(sum_of(b))
        case ("op", "Sub", a, b, "int"):
            return sum_of(a).plus(sum_of(b), -1)
        case ("op", "USub", a, "int"):
            return Sum().plus(sum_of(a), -1)
        case ("op", "Mult", a, b, "int"):
            return _product(sum_of(a), sum_of(b))
        case ("op", "FloorDiv", a, ("c", "int", divisor), "int") if int(divisor) > 0:
            return _quotient(sum_of(a), int(divisor))
        case ("op", "Mod", a, ("c", "int", divisor), "int") if int(divisor) > 0:
            whole = sum_of(a)
            return whole.plus(_quotient(whole, int(divisor)), -int(divisor))
        case ("op", "Mod", a, b, "int") if b[0] != "c":
            quotient: Term = ("op", "FloorDiv", a, b, "int")
            return sum_of(a).plus(_product(sum_of(b), sum_of(quotient)), -1)
    return Sum(0, {bare_of(term): 1})


def bare_of(term: Term) -> Term:
    """Return a term without its kind, which may be known more precisely in one of two programs."""
    if term and term[0] in {"e", "p", "x"} and len(term) == 3:
        return term[:2]
    if term and term[0] == "phi" and len(term) == 4:
        return term[:3]
    return tuple(bare_of(each) if isinstance(each, tuple) else each for each in term)


def _product(a: Sum, b: Sum) -> Sum:
    found = Sum()
    for one, count in [((), a.constant), *a.parts.items()]:
        for other, times in [((), b.constant), *b.parts.items()]:
            factors = sorted(_factors(one) + _factors(other), key=repr)
            amount = count * times
            if not factors:
                found = found.plus(Sum(amount))
            elif len(factors) == 1:
                found = found.plus(Sum(0, {factors[0]: 1}), amount)
            else:
                found = found.plus(Sum(0, {("product", *factors): 1}), amount)
    return found


def _factors(unknown: Term) -> list[Term]:
    if not unknown:
        return []
    return list(unknown[1:]) if unknown[0] == "product" else [unknown]


def _quotient(whole: Sum, divisor: int) -> Sum:
    """Divide a sum.

    Multiples of the divisor are divided exactly, and nested divisors are multiplied.
    """
    if divisor == 1:
        return whole
    outside = Sum(
        whole.constant // divisor,
        {u: n // divisor for u, n in whole.parts.items() if n // divisor},
    )
    inside = whole.plus(outside, -divisor)
    if not inside.parts:
        return outside.plus(Sum(inside.constant // divisor))
    match tuple(inside.parts.items()):
        case ((("quotient", inner, int(other)), 1),) if inside.constant == 0:
            return outside.plus(_inner(inner, divisor * other))
    return outside.plus(Sum(0, {("quotient", inside.key(), divisor): 1}))


def _inner(key: Term, divisor: int) -> Sum:
    return _quotient(Sum(key[0], dict(key[1:])), divisor)


def is_whole(term: Term) -> bool:
    """Return whether a term is known to be an integer."""
    return kind_of(term) == "int"


def equal(a: Term, b: Term, known: Known) -> bool:
    """Return whether two integers are equal."""
    difference = sum_of(a).plus(sum_of(b), -1)
    if not difference.parts:
        return difference.constant == 0
    facts = _facts(known, difference)
    return _follows(difference, facts) and _follows(Sum().plus(difference, -1), facts)


def decided(asked: Term, known: Known) -> bool | None:
    """Return the answer to a condition if the known facts imply it, or None."""
    if asked[0] == "true" and is_whole(asked[1]):
        answer = decided(("==", asked[1], constant(0)), known)
        return None if answer is None else not answer
    said = _said(asked)
    if said is None:
        return None
    kind, value = said
    facts = _facts(known, value)
    if kind == "zero":
        minus = Sum().plus(value, -1)
        if _follows(value, facts) and _follows(minus, facts):
            return True
        if any(each in (value, minus) for each in _different(known)):
            return False
        one = Sum(1)
        if _follows(value.plus(one, -1), facts) or _follows(minus.plus(one, -1), facts):
            return False
        return None
    if _follows(value, facts):
        return True
    return False if _follows(_not(value), facts) else None


def _different(known: Known) -> list[Sum]:
    """Return the sums that are not zero."""
    return [value for kind, value, answer in _all_said(known) if kind == "zero" and not answer]


def _all_said(known: Known) -> Iterator[tuple[str, Sum, bool]]:
    for condition, answer in known:
        if condition[0] == "true" and is_whole(condition[1]):
            yield "zero", sum_of(condition[1]), not answer
            continue
        said = _said(condition)
        if said is not None:
            yield (*said, answer)


def _said(asked: Term) -> tuple[str, Sum] | None:
    """Return a condition as a nonnegative sum or a sum that is zero, or None."""
    match asked:
        case ("<", a, b) if is_whole(a) and is_whole(b):
            return "positive", sum_of(b).plus(sum_of(a), -1).plus(Sum(-1))
        case ("==", a, b) if is_whole(a) and is_whole(b):
            return "zero", sum_of(a).plus(sum_of(b), -1)
    return None


def _not(value: Sum) -> Sum:
    """Negate `x >= 0` to `-x - 1 >= 0`."""
    return Sum(-1).plus(value, -1)


def _facts(known: Known, asked: Sum) -> list[Sum]:
    """Return the sums that are known to be nonnegative."""
    facts: list[Sum] = []
    different: list[Sum] = []
    for kind, value, answer in _all_said(known):
        if kind == "positive":
            facts.append(value if answer else _not(value))
        elif answer:
            facts.extend((value, Sum().plus(value, -1)))
        else:
            different.append(value)
    facts.extend(_always([*facts, *different, asked]))
    for value in different:
        minus = Sum().plus(value, -1)
        for one in (value, minus):
            if _follows(one, facts):
                facts.append(one.plus(Sum(-1)))
    return facts


def _always(sums: Iterable[Sum]) -> list[Sum]:
    """Return what always holds: sizes are nonnegative, and a remainder is less than its divisor."""
    found: list[Sum] = []
    for unknown in {each for one in sums for each in one.parts}:
        match unknown:
            case ("op", "len" | "size", *_):
                found.append(Sum(0, {unknown: 1}))
            case ("quotient", key, int(divisor)):
                inside = Sum(key[0], dict(key[1:]))
                rest = inside.plus(Sum(0, {unknown: 1}), -divisor)
                found.extend((rest, Sum(divisor - 1).plus(rest, -1)))
    return found


def _follows(value: Sum, facts: list[Sum]) -> bool:
    """Return whether a sum is never negative, because its negation contradicts the facts."""
    if not value.parts:
        return value.constant >= 0
    return _is_impossible([*_near(value, facts), _not(value)])


def _near(value: Sum, facts: list[Sum]) -> list[Sum]:
    """Return the facts related to a sum through shared unknowns."""
    names = set(value.parts)
    left, found = list(facts), list[Sum]()
    while True:
        new = [each for each in left if names & each.parts.keys()]
        if not new:
            return found
        found += new
        left = [each for each in left if each not in new]
        names |= {name for each in new for name in each.parts}


def _is_impossible(sums: list[Sum]) -> bool:
    """Return whether no numbers make all sums nonnegative, by eliminating one unknown after
    another (Fourier-Motzkin elimination)."""
    rows = [_tight(each) for each in sums]
    if len(rows) > _MOST:
        return False
    while True:
        if any(not row.parts and row.constant < 0 for row in rows):
            return True
        rows = [row for row in rows if row.parts]
        if not rows or len(rows) > _MOST_ROUNDS:
            return False
        unknown = min(
            {name for row in rows for name in row.parts},
            key=lambda name: (_cost(name, rows), repr(name)),
        )
        over = [row for row in rows if row.parts.get(unknown, 0) > 0]
        under = [row for row in rows if row.parts.get(unknown, 0) < 0]
        rest = [row for row in rows if unknown not in row.parts]
        for one in over:
            for other in under:
                sum_ = Sum().plus(one, -other.parts[unknown]).plus(other, one.parts[unknown])
                rest.append(_tight(sum_))
        rows = rest


def _cost(name: Term, rows: list[Sum]) -> int:
    over = sum(row.parts.get(name, 0) > 0 for row in rows)
    return over * sum(row.parts.get(name, 0) < 0 for row in rows)


def _tight(value: Sum) -> Sum:
    """Divide a sum by the common divisor of its parts, and round the constant down."""
    common = reduce(gcd, value.parts.values(), 0)
    if common <= 1:
        return value
    rounded = -ceil(Fraction(-value.constant, common))
    return Sum(rounded, {name: count // common for name, count in value.parts.items()})
