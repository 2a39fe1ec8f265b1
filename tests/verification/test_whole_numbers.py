"""Whole numbers: sums say what the terms give, and only what follows is said to follow."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from codeintel.engine.equivalence.path_trees import Term, constant
from codeintel.engine.equivalence.python_paths.whole_numbers import decided, equal, sum_of

A, B, C = (("p", place, "int") for place in "012")
OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
    "FloorDiv": lambda a, b: a // b,
    "Mod": lambda a, b: a % b,
}
Values = Mapping[str, int]


def of(operator: str, a: Term, b: Term) -> Term:
    return ("op", operator, a, b, "int")


def drawn(chance: random.Random, depth: int) -> Term:
    """Return a random term."""
    if not depth or chance.random() < 0.2:
        return chance.choice([A, B, C, constant(chance.randint(-7, 7))])
    operator = chance.choice([*OPERATORS])
    if operator in {"FloorDiv", "Mod"}:
        return of(operator, drawn(chance, depth - 1), constant(chance.choice([1, 2, 3, 6, 60])))
    return of(operator, drawn(chance, depth - 1), drawn(chance, depth - 1))


def value(term: Term, values: Values) -> int:
    """Return the value of a term."""
    if term[0] == "c":
        return int(term[2])
    if term[0] == "p":
        return values[term[1]]
    return OPERATORS[term[1]](value(term[2], values), value(term[3], values))


def summed(unknown: Term, values: Values) -> int:
    """Return the value of an unknown in a sum."""
    match unknown:
        case ("p", place):
            return values[place]
        case ("product", *factors):
            result = 1
            for each in factors:
                result *= summed(each, values)
            return result
        case ("quotient", (number, *parts), divisor):
            inside = number + sum(summed(each, values) * count for each, count in parts)
            return int(inside // divisor)
    raise AssertionError(unknown)


def test_a_sum_gives_what_its_term_gives() -> None:
    chance = random.Random(2612)
    for _ in range(3000):
        term = drawn(chance, 4)
        values = {place: chance.randint(-200, 200) for place in "012"}
        found = sum_of(term)
        whole = sum(summed(each, values) * count for each, count in found.parts.items())
        assert found.constant + whole == value(term, values), term


def answered(chance: random.Random, values: Values) -> tuple[Term, bool]:
    """Return a random question and its answer."""
    one, other = drawn(chance, 2), drawn(chance, 2)
    if chance.random() < 0.5:
        return ("<", one, other), value(one, values) < value(other, values)
    return ("==", one, other), value(one, values) == value(other, values)


def test_what_is_decided_is_so() -> None:
    chance = random.Random(2612)
    count = 0
    for _ in range(2500):
        values = {place: chance.randint(-3, 3) for place in "012"}
        known = [answered(chance, values) for _ in range(3)]
        asked, answer = answered(chance, values)
        said = decided(asked, known)
        assert said in {None, answer}, (asked, known, values)
        count += said is not None
    assert count > 200


def test_what_is_equal_is_so() -> None:
    chance = random.Random(2612)
    for _ in range(2000):
        values = {place: chance.randint(-2, 2) for place in "012"}
        known = [answered(chance, values) for _ in range(3)]
        one, other = drawn(chance, 1), drawn(chance, 1)
        if equal(one, other, known):
            assert value(one, values) == value(other, values), (one, other, known)


@pytest.mark.parametrize(
    ("asked", "known", "answer"),
    [
        (("<", A, C), [(("<", A, B), True), (("<", B, C), True)], True),
        (("<", A, B), [(("<", B, A), False)], None),
        (("<", A, of("Add", B, constant(1))), [(("<", B, A), False)], True),
        (("==", A, B), [(("<", A, B), False), (("<", B, A), False)], True),
        (("==", B, A), [(("==", A, B), False)], False),
        (("<", A, B), [(("<", A, B), False), (("==", A, B), False)], False),
        (("true", A), [(("<", A, constant(1)), False)], True),
        (
            ("<", constant(0), ("op", "len", A, "int")),
            [(("true", ("op", "len", A, "int")), True)],
            True,
        ),
        (("<", of("Mod", A, constant(60)), constant(60)), [], True),
        (("<", of("Mod", A, constant(60)), constant(59)), [], None),
        (
            ("<", ("p", "0", "float"), C),
            [(("<", ("p", "0", "float"), B), True), (("<", B, C), True)],
            None,
        ),
    ],
)
def test_what_follows(asked: Term, known: list[tuple[Term, bool]], answer: bool | None) -> None:
    assert decided(asked, known) is answer
