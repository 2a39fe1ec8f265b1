"""Compare data formats in V2: both sides must read to equal values."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Any, NamedTuple

from codeintel.base.wording import counted
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.data_models.reading import (
    Name,
    Number,
    Tagged,
    UnreadableDataError,
    read,
    same_double,
    same_number,
)
from codeintel.engine.syntax import source_of

_FORMATS = frozenset({"json", "yaml", "toml"})


def compare(comparison: Comparison) -> Evidence:
    """Compare the values that plain readers get from both texts."""
    if not {comparison.language, comparison.target} <= _FORMATS:
        return not_applicable("Only JSON, YAML and TOML can be compared by their values.")
    if not comparison.is_changed:
        return passed("Nothing was changed.")
    try:
        before = read(comparison.before, comparison.language)
    except UnreadableDataError as error:
        return failed(f"The original cannot be read as {comparison.language}: {error}.")
    try:
        after = read(comparison.after, comparison.target)
    except UnreadableDataError as error:
        return failed(f"The result cannot be read as {comparison.target}: {error}.")
    return _compared(comparison, before, after)


def _compared(comparison: Comparison, before: list[Any], after: list[Any]) -> Evidence:
    converted = comparison.language != comparison.target
    if len(before) != len(after):
        return failed(
            f"The original has {counted(len(before), 'document')}, the result {len(after)}."
        )
    count = 0
    lossy: set[str] = set()
    try:
        for one, other in zip(before, after, strict=True):
            compared = compare_values(one, other, comparison.target if converted else "")
            count += compared.values
            lossy |= compared.lossy
    except Differs as difference:
        return failed(f"The values differ: {difference}.")
    except TooMuchError:
        return failed("There are too many values to compare.")
    unnamed = sorted(place for place in lossy if not _is_named(f"`{place}`", comparison))
    if unnamed:
        return failed(f"The result lost `{unnamed[0]}`, which no loss names.")
    lost = _comments_lost(comparison)
    if lost and not (converted and _is_named("omments", comparison)):
        return failed(f"The result lacks {counted(lost, 'comment')} of the original.")
    which = f", except in {counted(len(lossy), 'place')} that the losses name" if lossy else ""
    comments = "" if lost else ", and no comment is missing"
    return passed(
        f"{counted(count, 'value')} compared: none differs in value or type{which}{comments}.",
        conclusive=not lossy,  # a value that the target cannot hold has changed
    )


def _is_named(what: str, comparison: Comparison) -> bool:
    return any(what in loss for loss in comparison.losses)


def _comments_lost(comparison: Comparison) -> int:
    if comparison.language == "json":
        return 0
    before = _comments(comparison.before, comparison.language)
    return (before - _comments(comparison.after, comparison.target)).total()


def _comments(code: str, language: Any) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    stack = [source_of(code.encode(errors="replace")).root(language)]
    while stack:
        node = stack.pop()
        if node.type == "comment":
            found[(node.text or b"").strip()] += 1
        stack.extend(node.children)
    return found


MAX_VALUES = 1_000_000
ROOT = "."


_KINDS: dict[type, str] = {
    Number: "number",
    Tagged: "tagged value",
    str: "string",
    bool: "boolean",
    dict: "mapping",
    list: "list",
}


class Differs(Exception):  # noqa: N818 - says what was found
    """Two values differ. The message says where and does not quote the values."""


class TooMuchError(Exception):
    """More values than the check compares."""


class Compared(NamedTuple):
    """The number of values, and the places whose value the target cannot hold unchanged."""

    values: int
    lossy: frozenset[str]


def compare_values(before: Any, after: Any, target: str) -> Compared:
    """Compare all values.

    A place is the path of names to a value, such as `servers[].port`.

    :param target: the format that the values were converted to, or empty if none.
    :raises Differs: if a value differs.
    :raises TooMuchError: if there are more than `MAX_VALUES` values.
    """
    count = 0
    lossy: set[str] = set()
    seen: set[tuple[int, int]] = set()
    stack = [(before, after, "")]
    while stack:
        one, other, place = stack.pop()
        count += 1
        if count > MAX_VALUES:
            raise TooMuchError
        if isinstance(one, dict | list):
            if (id(one), id(other)) in seen:
                continue  # an alias of values that were already compared
            seen.add((id(one), id(other)))
        if target:
            held = _held(one, other, target)
            if held is not one:
                lossy.add(place or ROOT)
            one = held
        if isinstance(one, dict) and isinstance(other, dict):
            one = _named(one, target, place, lossy)
            if one.keys() != other.keys():
                raise Differs(f"the names in {_shown(place)}")
            stack.extend((value, other[name], _inner(place, name)) for name, value in one.items())
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                raise Differs(f"the length of the list at {_shown(place)}")
            stack.extend((each, its, f"{place}[]") for each, its in zip(one, other, strict=True))
        elif isinstance(one, Tagged) and isinstance(other, Tagged) and one.tag == other.tag:
            stack.append((one.value, other.value, place))
        elif not _same(one, other):
            raise Differs(f"the {_KINDS.get(type(one), 'value')} at {_shown(place)}")
    return Compared(count, frozenset(lossy))


def _shown(place: str) -> str:
    return f"`{place or ROOT}`"


def _inner(place: str, name: Any) -> str:
    text = name.text if isinstance(name, Name) else str(name)
    return f"{place}.{text}" if place else text


def _held(value: Any, other: Any, target: str) -> Any:
    """Return what a format can hold of a value. The value itself means that nothing is lost."""
    while isinstance(value, Tagged):
        value = value.value
    if isinstance(value, Number):
        if target == "json" and not value.is_finite:
            return None
        return other if isinstance(other, Number) and _is_rounded(value, other) else value
    if isinstance(value, datetime.time) and target in ("json", "yaml"):
        return value.isoformat()
    if isinstance(value, datetime.date) and target == "json":
        return value.isoformat()
    return value


def _is_rounded(value: Number, other: Number) -> bool:
    return not same_number(value, other) and same_double(value, other)


def _named(values: dict[Any, Any], target: str, place: str, lossy: set[str]) -> dict[Any, Any]:
    """Return the values by the names that the target can hold, and add what it cannot hold to
    `lossy`."""
    if not target:
        return values
    found: dict[Any, Any] = {}
    for name, value in values.items():
        if (value is None and target == "toml") or isinstance(name, Name):
            lossy.add(_inner(place, name))
        if value is not None or target != "toml":
            held = name.text if isinstance(name, Name) else name
            if held in found:
                raise Differs(f"the names in {_shown(place)}")
            found[held] = value
    return found


def _same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, Number):
        return same_number(one, other)
    if isinstance(one, datetime.datetime):
        return bool(one == other and one.utcoffset() == other.utcoffset())
    return bool(one == other)
