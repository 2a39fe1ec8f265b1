"""What is known of whole numbers: from questions that were answered, and from what they are."""

from __future__ import annotations

from codeintel.engine.equivalence.path_trees.terms import State, Term, kind_of

_COUNTS = frozenset({"len", "find"})
"""What these give is not negative."""


def implied(asked: Term, state: State) -> bool | None:
    """The answer to a comparison with a constant, if earlier answers leave no other."""
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
    """The least and the greatest number that something can be; None where there is no limit."""
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
    """Whether a whole number is surely not zero."""
    if state.fixed.get(("true", term)):
        return True
    low, high = limits(term, state)
    return (low is not None and low > 0) or (high is not None and high < 0)


def _is_number(term: Term) -> bool:
    return term[:2] == ("c", "int")


def _number(term: Term) -> int:
    return int(term[2])
