"""Whether two values are the same, as far as a format can tell."""

from __future__ import annotations

import datetime
import math
from typing import Any

MAX_VALUES = 1_000_000


class Differs(Exception):  # noqa: N818 - says what was found
    """Two values are not the same; the text says where, without the values."""


class TooMuchError(Exception):
    """There are more values than can be compared."""


def compare_values(before: Any, after: Any, target: str) -> int:
    """How many values were compared.

    :param target: the format that the values were converted to; empty for none.
    :raises Differs: if they are not the same.
    """
    count = 0
    stack = [(before, after, 0)]
    while stack:
        one, other, depth = stack.pop()
        count += 1
        if count > MAX_VALUES:
            raise TooMuchError
        one = _held(one, target)
        if isinstance(one, dict) and isinstance(other, dict):
            one = _named(one, target)
            if one.keys() != other.keys():
                raise Differs(f"names at depth {depth}")
            stack.extend((value, other[name], depth + 1) for name, value in one.items())
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                raise Differs(f"the length of a list at depth {depth}")
            stack.extend((each, its, depth + 1) for each, its in zip(one, other, strict=True))
        elif not _same(one, other):
            raise Differs(f"a {type(one).__name__} at depth {depth}")
    return count


def _held(value: Any, target: str) -> Any:
    """What a format can hold of a value."""
    if target == "json" and isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, datetime.time) and target in ("json", "yaml"):
        return value.isoformat()
    if isinstance(value, datetime.date) and target == "json":
        return value.isoformat()
    return value


def _named(values: dict[Any, Any], target: str) -> dict[Any, Any]:
    if target == "toml":
        return {name: value for name, value in values.items() if value is not None}
    return values


def _same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return repr(one) == repr(other)
    if isinstance(one, datetime.datetime):
        return bool(one == other and one.utcoffset() == other.utcoffset())
    return bool(one == other)
