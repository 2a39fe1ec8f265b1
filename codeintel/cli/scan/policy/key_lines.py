"""Find the lines of the keys in a TOML document, in one pass over its text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

Place = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""
_TOKEN = re.compile(
    r'''
    (?P<text> """(?:[^"\\]|\\.|"(?!""))*"{3,5} | \'\'\'(?:[^']|'(?!\'\'))*'{3,5}
      | "(?:[^"\\\n]|\\.)*" | '[^'\n]*' )
    | (?P<comment> \#[^\n]* )
    | (?P<sign> [\[\]{}=\n] )
    | (?P<bare> [\w-]+ )
    ''',
    re.DOTALL | re.VERBOSE,
)
_DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}


def key_lines(text: str) -> dict[Place, int]:
    """Return the line of each key of a valid document, and of each table in an array of tables.

    Keys of inline tables are not included.
    """
    found: dict[Place, int] = {}
    numbers: dict[Place, int] = {}
    table: Place = ()
    for line, signs, keys in _statements(text):
        if signs:
            table = _table(numbers, keys, is_array=signs == 2)
            place = table
        else:
            place = (*table, *keys)
        for length in range(1, len(place) + 1):
            found.setdefault(place[:length], line)
    return found


def _table(numbers: dict[Place, int], keys: list[str], *, is_array: bool) -> Place:
    """Return the place of a table. `numbers` has the last index in each array of tables."""
    place: Place = ()
    for at, key in enumerate(keys, 1):
        place = (*place, key)
        if is_array and at == len(keys):
            numbers[place] = numbers.get(place, -1) + 1
        if place in numbers:
            place = (*place, numbers[place])
    return place


def _statements(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the line, the number of brackets in front, and the keys of each header or value."""
    line, start, depth, signs, is_value = 1, 1, 0, 0, False
    keys: list[str] = []
    for token in _TOKEN.finditer(text):
        part = token[0]
        if part == "\n" and (depth == 0 or not is_value):
            if keys:
                yield start, signs, keys
            depth, signs, is_value, keys = 0, 0, False, []
        elif part == "=" and not is_value:
            is_value = True
        elif is_value:
            depth += _DEEPER.get(part, 0)
        elif part == "[":
            signs += 1
        elif token.lastgroup in ("text", "bare"):
            keys.append(_key(part))
            start = line
        line += part.count("\n")
    if keys:
        yield start, signs, keys


def _key(part: str) -> str:
    if part[0] not in "\"'":
        return part
    if "\\" in part and part[0] == '"':
        return str(tomllib.loads(f"key = {part}")["key"])
    return part[1:-1]
