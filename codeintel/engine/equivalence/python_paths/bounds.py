"""Work out bounds of integers, quotients, and types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from codeintel.engine.equivalence.path_trees import (
    State,
    Term,
    Then,
    Tree,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.kinds import base_of
from codeintel.engine.equivalence.python_paths.lowering import Lowering

_COUNTS = frozenset({"len", "find"})
"""Operations whose result is never negative."""


def implied(asked: Term, state: State) -> bool | None:
    """Return the answer to a comparison with a constant if earlier answers imply it, or None."""
    match asked:
        case ("<" | "==" as sign, one, other):
            pass
        case _:
            return None
    if _is_number(one) and _is_number(other):
        return _number(one) < _number(other) if sign == "<" else _number(one) == _number(other)
    if _is_number(other) and kind_of(one) == "int":
        low, high = limits(one, state)
        number = _number(other)
        if sign == "==":
            return _is_equal(low, high, number)
        if high is not None and high < number:
            return True
        return False if low is not None and low >= number else None
    if _is_number(one) and kind_of(other) == "int" and sign == "<":
        low, high = limits(other, state)
        number = _number(one)
        if low is not None and low > number:
            return True
        return False if high is not None and high <= number else None
    return None


def _is_equal(low: int | None, high: int | None, number: int) -> bool | None:
    if (low is not None and number < low) or (high is not None and number > high):
        return False
    return True if low == high == number else None


def limits(term: Term, state: State) -> tuple[int | None, int | None]:
    """Return the smallest and the largest possible value. None means unbounded."""
    if _is_number(term):
        return _number(term), _number(term)
    low: int | None = 0 if term[0] == "op" and term[1] in _COUNTS else None
    high: int | None = None
    for fact, answer in state.fixed.items():
        match fact:
            case ("<", one, other) if one == term and _is_number(other):
                least, most = (None, _number(other) - 1) if answer else (_number(other), None)
            case ("<", one, other) if other == term and _is_number(one):
                least, most = (_number(one) + 1, None) if answer else (None, _number(one))
            case ("==", one, other) if answer and one == term and _is_number(other):
                least = most = _number(other)
            case _:
                continue
        low = least if low is None else low if least is None else max(low, least)
        high = most if high is None else high if most is None else min(high, most)
    return low, high


def is_nonzero(term: Term, state: State) -> bool:
    """Return whether an integer is never zero."""
    if state.fixed.get(("true", term)):
        return True
    low, high = limits(term, state)
    return (low is not None and low > 0) or (high is not None and high < 0)


def _is_number(term: Term) -> bool:
    return term[:2] == ("c", "int")


def _number(term: Term) -> int:
    return int(term[2])


def divided(name: str, a: Term, b: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `a // b` or `a % b`, which raise their own errors if b is zero."""

    def go(s: State) -> Tree:
        if name == "Mod":
            return then(rest(a, b), s)
        if a[:2] == ("op", "USub"):
            return _turned(a[2], b, s, then, low)
        return then(quotient(a, b), s)

    return divisible(name, b, state, go, low)


def _turned(a: Term, b: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Express `-a // b` by `a // b`: its negative, minus one if there is a remainder."""
    minus: Term = ("op", "USub", quotient(a, b), "int")
    return low.truth(
        rest(a, b),
        state,
        lambda s: then(("op", "Sub", minus, constant(1), "int"), s),
        lambda s: then(minus, s),
    )


def divisible(name: str, b: Term, state: State, then: Then, low: Lowering) -> Tree:
    """Continue if division by b is possible."""
    if is_nonzero(b, state):
        return then(state)

    def known(_: Term, s: State) -> Tree:
        return then(replace(s, fixed={**s.fixed, ("true", b): True}))

    return low.machine.read(f"can do {name}", (b,), state, known)


def quotient(a: Term, b: Term) -> Term:
    """Return the term for `a // b`."""
    match a, b:
        case ("op", "FloorDiv", one, ("c", "int", first), _), ("c", "int", second):
            if int(first) > 0 and int(second) > 0:
                return quotient(one, constant(int(first) * int(second)))
        case ("op", "Mod", one, ("c", "int", first), _), ("c", "int", second):
            if int(second) > 0 and int(first) > 0 and not int(first) % int(second):
                return rest(quotient(one, b), constant(int(first) // int(second)))
        case ("c", "int", first), ("c", "int", second) if int(second):
            return constant(int(first) // int(second))
    return ("op", "FloorDiv", a, b, "int")


def rest(a: Term, b: Term) -> Term:
    """Return the term for `a % b`."""
    match a, b:
        case ("op", "Mod", one, ("c", "int", first), _), ("c", "int", second):
            if int(second) > 0 and int(first) > 0 and not int(first) % int(second):
                return rest(one, b)
        case ("c", "int", first), ("c", "int", second) if int(second):
            return constant(int(first) % int(second))
    return ("op", "Mod", a, b, "int")


def difference(a: Term, b: Term) -> Term:
    """Return the term for `a - b`. It is a remainder if b is `a // c * c`."""
    match b:
        case ("op", "Mult", ("op", "FloorDiv", one, other, _), again, _) | (
            "op",
            "Mult",
            again,
            ("op", "FloorDiv", one, other, _),
            _,
        ) if one == a and other == again:
            return rest(a, other)
    return ("op", "Sub", a, b, "int")


_SOLID = frozenset(
    {"int", "str", "float", "bytes", "list", "dict", "set", "frozenset", "tuple", "complex"}
)
"""Types that no class can combine as bases."""
_OWN = _SOLID | {"bool", "type", "object", "bytearray", "range", "slice"}


def asked(
    value: Term, kinds: Term, state: State, yes: Then, no: Then, low: Lowering
) -> Tree | None:
    """Branch on `isinstance(x, A)` or `isinstance(x, (A, B))` for builtin types, in order.

    Return None for others.
    """
    several = kinds[1:] if kinds[0] == "tuple" else (kinds,)
    if not several or not all(each[0] == "g" and each[1] in _OWN for each in several):
        return None
    if not all(low.context.means_builtin(each[1]) for each in several):
        return None

    def go(left: tuple[Term, ...], s: State) -> Tree:
        if not left:
            return no(s)
        known = _known(value, left[0][1], s)
        if known is not None:
            return yes(s) if known else go(left[1:], s)
        question: Term = ("op", "isinstance", value, left[0][1], "bool")
        return low.truth(question, s, yes, lambda s2: go(left[1:], s2))

    return go(several, state)


def _known(value: Term, kind: str, state: State) -> bool | None:
    """Return whether a value has a type, as far as its kind and earlier answers tell, or None."""
    if kind == "object":
        return True
    for own in _kinds(value, state):
        if own == kind:
            return True
        if own == "NoneType" or (own in _SOLID and kind in _SOLID):
            return False
        if own in _SOLID - {"int"} and kind == "bool":
            return False
    return None


def _kinds(value: Term, state: State) -> Iterator[str]:
    if value[0] == "tuple":
        yield "tuple"
    yield base_of(kind_of(value))
    for kind in sorted(_OWN):
        if state.fixed.get(("true", ("op", "isinstance", value, kind, "bool"))):
            yield kind
            if kind == "bool":
                yield "int"
