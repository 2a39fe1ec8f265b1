"""Reading documents of which nothing is sure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET, UnsetType

_COUNT = re.compile(r"[0-9]{1,16}")
_UNIX_TIME = re.compile(r"[0-9]{1,12}")


def rows(document: Any, *path: str) -> Iterator[Mapping[str, Any]]:
    """The objects in the list at a path.

    :raises ValueError: if there is no list.
    """
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    if not isinstance(document, list):
        raise ValueError("there is no list of results")
    yield from (row for row in document if isinstance(row, dict))


def part(row: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """An object within an object; empty where there is none."""
    found = row.get(key)
    return found if isinstance(found, dict) else {}


def words(row: Mapping[str, Any], key: str) -> str:
    """A text; empty where there is none. Halves of characters, which JSON can write and no URL can
    hold, are replaced."""
    found = row.get(key)
    return found.encode(errors="replace").decode().strip() if isinstance(found, str) else ""


def count(row: Mapping[str, Any], key: str) -> int | UnsetType:
    """A whole number, also written as text; left out where there is none."""
    found = row.get(key)
    if isinstance(found, str) and _COUNT.fullmatch(found):
        found = int(found)
    if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
        return found
    return UNSET


def number(row: Mapping[str, Any], key: str) -> str:
    """A whole number that stands for something, as text; empty where there is none."""
    found = count(row, key)
    return "" if found is UNSET else str(found)


def until(text: str, now: float) -> float | None:
    """Seconds from `now` to a Unix time in a header, None if it is none."""
    return max(0.0, int(text) - now) if _UNIX_TIME.fullmatch(text) else None
