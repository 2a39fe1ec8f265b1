"""Define goals: what calls must meet at a place before they can prove anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_MET = 3


@dataclass(frozen=True)
class Goal:
    """A place, and the values that calls must meet there.

    :param any_of: alternatives, each with all things to meet and how often.
    """

    sort: str
    unit: str
    line: int
    any_of: tuple[tuple[tuple[str, int], ...], ...]


NULLS = ("null", "undefined")
_TYPES = ("string", "number", "boolean", "bigint", "symbol", "function", "object")


def null_goals(*, is_null: bool) -> list[tuple[tuple[str, int], ...]]:
    """Return what a test for null has to meet: null, undefined and other values that are false.

    A value that is always an object is never false. A value that was never null in any of many
    calls cannot be null, because generated parts are null or missing in some calls.
    """
    both = tuple((each, 1) for each in NULLS)
    found: list[tuple[tuple[str, int], ...]] = [(*both, ("falsy", _MET), ("truthy", 1))]
    no_primitives = tuple(
        (f"is {each}", 0) for each in _TYPES if each not in ("object", "function")
    )
    found.append((*both, ("truthy", 20), *no_primitives))
    for one, other in (NULLS, NULLS[::-1]):
        found.append(((one, _MET), (other, 0), ("falsy", _MET), ("truthy", 1)))
        found.append(((one, 20), (other, 0), ("falsy", 0), ("truthy", 60)))
    if not is_null:
        never = tuple((each, 0) for each in NULLS)
        for sort in ("string", "number", "boolean"):
            others = tuple((f"is {each}", 0) for each in _TYPES if each != sort)
            found.append((("falsy", _MET), ("truthy", _MET), *never, *others))
    return found


def goal_of(stored: dict[str, Any]) -> Goal:
    """Return a goal that was stored as a dictionary."""
    any_of = tuple(tuple((key, times) for key, times in each) for each in stored["any_of"])
    return Goal(stored["sort"], stored["unit"], stored["line"], any_of)
