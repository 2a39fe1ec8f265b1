"""Polynomials compute as the numbers that they stand for, and bounds hold for all of these."""

from __future__ import annotations

from math import prod

from hypothesis import given, strategies as st

from codeintel.engine.symbolic.values.polynomials import (
    MAX_DEGREE,
    MAX_NUMBER,
    MAX_TERMS,
    ZERO,
    Facts,
    Poly,
    add,
    lower,
    multiply,
    residues,
    scale,
    shift,
    substitute,
    symbol,
    tightened,
    upper,
    within_limits,
)

NAMES = "abc"
Values = dict[str, int]
small = st.integers(-20, 20)
values = st.fixed_dictionaries(dict.fromkeys(NAMES, small))
monomials = st.lists(st.sampled_from(NAMES), min_size=1, max_size=MAX_DEGREE).map(sorted).map(tuple)
polys = st.builds(
    lambda constant, terms: Poly(
        constant, tuple(sorted((m, factor) for m, factor in terms.items() if factor))
    ),
    small,
    st.dictionaries(monomials, small, max_size=4),
)


def value_of(poly: Poly, at: Values) -> int:
    return poly.constant + sum(
        factor * prod(at[name] for name in monomial) for monomial, factor in poly.terms
    )


def is_canonical(poly: Poly) -> bool:
    """Return whether a polynomial's terms are in order and not zero. Only then are equal ones
    equal as tuples."""
    found = [monomial for monomial, _ in poly.terms]
    return (
        found == sorted(set(found))
        and all(factor for _, factor in poly.terms)
        and all(list(monomial) == sorted(monomial) for monomial in found)
    )


@given(polys, polys, small, values)
def test_arithmetic(left: Poly, right: Poly, number: int, at: Values) -> None:
    for made, wanted in (
        (add(left, right, number), value_of(left, at) + number * value_of(right, at)),
        (scale(left, number), number * value_of(left, at)),
        (shift(left, number), value_of(left, at) + number),
    ):
        assert is_canonical(made)
        assert value_of(made, at) == wanted


@given(polys, polys, values)
def test_product(left: Poly, right: Poly, at: Values) -> None:
    made = multiply(left, right)
    if made is not None:
        assert is_canonical(made)
        assert value_of(made, at) == value_of(left, at) * value_of(right, at)
        assert len(made.terms) <= MAX_TERMS
    else:
        degrees = [max((len(m) for m, _ in each.terms), default=0) for each in (left, right)]
        assert sum(degrees) > MAX_DEGREE or len(left.terms) * len(right.terms) > 1


@given(polys, polys)
def test_product_is_the_same_either_way(left: Poly, right: Poly) -> None:
    assert multiply(left, right) == multiply(right, left)


@given(polys, st.sampled_from(NAMES), polys, values)
def test_substitution(poly: Poly, name: str, value: Poly, at: Values) -> None:
    made = substitute(poly, name, value)
    if made is not None:
        assert value_of(made, at) == value_of(poly, {**at, name: value_of(value, at)})


@given(polys, st.integers(1, 6), small, values)
def test_without_its_common_factor_it_is_at_most_zero_as_before(
    poly: Poly, factor: int, number: int, at: Values
) -> None:
    scaled = shift(scale(poly, factor), number)
    made = tightened(scaled)
    assert is_canonical(made)
    assert (value_of(made, at) <= 0) is (value_of(scaled, at) <= 0)


def test_numbers_beyond_all_types_are_given_up() -> None:
    assert multiply(Poly(MAX_NUMBER), Poly(2)) is None
    assert multiply(Poly(MAX_NUMBER), symbol("a")) == Poly(0, ((("a",), MAX_NUMBER),))
    assert multiply(Poly(MAX_NUMBER, ((("a",), 1),)), Poly(2)) is None
    assert within_limits(Poly(-MAX_NUMBER - 1)) is None
    assert within_limits(ZERO) == ZERO


@given(polys)
def test_a_number_is_what_has_no_symbols(poly: Poly) -> None:
    assert (poly.number is None) is bool(poly.symbols)
    assert all(poly.mentions(name) is (name in poly.symbols) for name in NAMES)


@st.composite
def known(draw: st.DrawFn) -> tuple[Values, Facts, dict[str, tuple[int | None, int | None]]]:
    """Return values, and facts and ranges that hold for them."""
    at = draw(values)
    facts = frozenset(
        shift(each, -value_of(each, at) - draw(st.integers(0, 5)))
        for each in draw(st.lists(polys, max_size=5))
    )
    ranges = {
        name: (
            draw(st.none() | st.integers(at[name] - 5, at[name])),
            draw(st.none() | st.integers(at[name], at[name] + 5)),
        )
        for name in NAMES
    }
    return at, facts, ranges


@given(known(), polys)
def test_bounds_hold(
    given_: tuple[Values, Facts, dict[str, tuple[int | None, int | None]]], poly: Poly
) -> None:
    at, facts, ranges = given_
    least, most = lower(poly, facts, ranges.__getitem__), upper(poly, facts, ranges.__getitem__)
    number = value_of(poly, at)
    assert least is None or least <= number
    assert most is None or number <= most
    for residue in residues(poly, facts, ranges.__getitem__):
        assert value_of(residue, at) >= number
    for residue in residues(poly, facts, ranges.__getitem__, rising=True):
        assert value_of(residue, at) >= number


def test_bounds_follow_through_other_symbols() -> None:
    a, b = symbol("a"), symbol("b")
    facts = frozenset({shift(add(a, b, -1), 1), shift(b, -10)})  # a < b and b <= 10
    assert upper(a, facts, lambda _: (None, None)) == 9
    assert upper(add(a, b), facts, lambda _: (None, None)) == 19
    assert lower(a, facts, lambda _: (None, None)) is None
    assert lower(a, facts, lambda _: (0, None)) == 0
