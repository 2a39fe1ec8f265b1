"""Keys of conditions, joined and negated as SQL does, where NULL is a third truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

Key = Any
"""A text, or a tuple: what it is, and then its parts."""
TRUE: Key = ("and", frozenset())
FALSE: Key = ("or", frozenset())
_NEGATED = {"LT": "LTE", "LTE": "LT", "EQ": "NEQ", "NEQ": "EQ"}


def pair(one: Key, other: Key) -> Key:
    """Two keys of which it makes no difference which is first."""
    return tuple(sorted((one, other), key=repr))


def sides_of(key: Key, word: str) -> Iterator[Key]:
    """What is joined by this word; the key itself where it is something else."""
    if _is(key, word):
        yield from key[1]
    else:
        yield key


def joined(sides: Iterable[Key], word: str, *, is_settled: bool) -> Key:
    """Joined by `and` or `or`, without what does nothing: `a OR (a AND b)` is `a`, with NULL, too.

    :param is_settled: whether each gives the same each time.
    """
    other = "or" if word == "and" else "and"
    found = [part for side in sides for part in sides_of(side, word)]
    if any(_is(each, other) and not each[1] for each in found):
        return FALSE if word == "and" else TRUE
    if not is_settled:
        return found[0] if len(found) == 1 else (word, tuple(sorted(found, key=repr)))
    plain = {each for each in found if not _is(each, other)}
    kept = frozenset(
        each for each in found if each in plain or plain.isdisjoint(sides_of(each, other))
    )
    return next(iter(kept)) if len(kept) == 1 else (word, kept)


def negated(key: Key, *, is_settled: bool) -> Key:
    """What is true where the key is false."""
    if _is(key, "not"):
        return key[1]
    for word, other in (("and", "or"), ("or", "and")):
        if _is(key, word):
            sides = [negated(each, is_settled=is_settled) for each in key[1]]
            return joined(sides, other, is_settled=is_settled)
    if _is(key, "EQ") or _is(key, "NEQ"):
        return (_NEGATED[key[0]], key[1])
    if _is(key, "LT") or _is(key, "LTE"):
        return (_NEGATED[key[0]], key[2], key[1])
    return ("not", key)


def _is(key: Key, word: str) -> bool:
    return isinstance(key, tuple) and bool(key) and key[0] == word
