"""Texts that a regular expression may take long to search, built from its own words.

Searching is slow if an expression begins to match at many positions, and each time reads far before
it fails. So the texts repeat the beginning of an expression, and the part after that, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from re import _constants, _parser  # type: ignore[attr-defined] # the only parser that there is
from typing import Any

FILLERS = (" ", "a", "(", '"', "\n", "1", ".", "a ", "a\n")
_TRIED = "a 1(;.\n\"'éZ"
_MAX_TEXTS = 8
_MAX_BEGINNINGS = 50
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


def hostile_texts(expression: str) -> Iterator[Callable[[int], str]]:
    """Yield functions that make a text of a length in characters."""
    for filler in FILLERS:
        yield partial(_filled, "", filler)
    for beginning in beginnings(expression):
        for separator in ("", " ", "\n"):
            yield partial(_filled, "", beginning + separator)
        for filler in FILLERS[:6]:
            yield partial(_filled, beginning, filler)


def beginnings(expression: str) -> list[str]:
    """Return texts that the expression, or a part of it, begins with or fits as a whole."""
    parts: set[str] = set()
    whole = _texts(_parser.parse(expression), parts)
    found = [text for text in dict.fromkeys([*whole, *sorted(parts)]) if text]
    return found[:: len(found) // _MAX_BEGINNINGS + 1]


def _filled(head: str, repeated: str, length: int) -> str:
    return head + (repeated * (length // len(repeated) + 1))[:length]


def _texts(tree: Any, parts: set[str]) -> list[str]:
    """Return matching texts. Partial matches of each step are added to `parts`."""
    found = [""]
    for operation, argument in tree:
        inner: set[str] = set()
        options = _options(operation, argument, inner)
        parts.update(front + part for front, part in product(found[:3], inner))
        found = list(dict.fromkeys(front + option for front in found for option in options))
        found = found[:: len(found) // _MAX_TEXTS + 1]
        parts.update(found[:4])
    return found


def _options(operation: Any, argument: Any, parts: set[str]) -> list[str]:
    """Return the texts that match one step of an expression."""
    if operation is _constants.LITERAL:
        return [chr(argument)]
    if operation is _constants.BRANCH:
        return [text for each in argument[1] for text in _texts(each, parts)]
    if operation is _constants.SUBPATTERN:
        return _texts(argument[3], parts)
    if operation is _constants.ATOMIC_GROUP:
        return _texts(argument, parts)
    if operation in _REPEATS:
        texts = [text * max(1, argument[0]) for text in _texts(argument[2], parts)]
        return texts if argument[0] else [*texts[:3], ""]
    if operation in (_constants.ASSERT, _constants.ASSERT_NOT):
        parts.update(_texts(argument[1], parts))
        return [""]
    if operation in (_constants.AT, _constants.GROUPREF):
        return [""]
    return [_character(operation, argument)]


def _character(operation: Any, argument: Any) -> str:
    """Return a character of a class: one that ends most other patterns, or the first."""
    items = argument if operation is _constants.IN else [(operation, argument)]
    negated = items[0][0] is _constants.NEGATE
    for character in _TRIED:
        if any(_has(item, character) for item in items) is not negated:
            return character
    (kind, value), *_ = items
    return chr(value[0] if kind is _constants.RANGE else value)


def _has(item: tuple[Any, Any], character: str) -> bool:
    operation, argument = item
    if operation is _constants.ANY:
        return character != "\n"
    if operation is _constants.LITERAL:
        return chr(argument) == character
    if operation is _constants.NOT_LITERAL:
        return chr(argument) != character
    if operation is _constants.RANGE:
        return bool(argument[0] <= ord(character) <= argument[1])
    return operation is _constants.CATEGORY and _in_category(argument, character)


def _in_category(category: Any, character: str) -> bool:
    letter = {
        _constants.CATEGORY_SPACE: r"\s",
        _constants.CATEGORY_NOT_SPACE: r"\S",
        _constants.CATEGORY_DIGIT: r"\d",
        _constants.CATEGORY_NOT_DIGIT: r"\D",
        _constants.CATEGORY_WORD: r"\w",
        _constants.CATEGORY_NOT_WORD: r"\W",
    }[category]
    return re.match(letter, character) is not None


def expressions_of(entries: Iterable[object], fields: Iterable[str]) -> Iterator[str]:
    """Yield the expressions in some fields of some objects: text, tuples of text, or mappings to
    it."""
    for entry, field in product(entries, tuple(fields)):
        value = getattr(entry, field, None) or ()
        if isinstance(value, str):
            yield value
        else:
            yield from value.values() if isinstance(value, dict) else value
