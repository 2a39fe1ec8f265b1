"""Collect constants of programs, and nearby values that tell comparisons apart."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from ..coverage.changes import last_name

_KINDS = (
    *("int", "float", "str", "bytes", "size", "length", "key", "pattern", "error"),
    *("separator", "prefix"),
)

_PREFIXES = frozenset(("startswith", "removeprefix"))
_SPLITTING = frozenset(("split", "rsplit", "partition", "rpartition", "find", "rfind", "index"))
_READ = {
    **dict.fromkeys(
        ("int", "isdecimal", "isdigit"), ("0", "1", "2", "10", "7", "-3", "3", "5", "15")
    ),
    **dict.fromkeys(("float", "Decimal"), ("0", "1.5", "2", "-0.25", "10.125", "1e3")),
    "fromisoformat": (
        *("2024-02-29", "2023-12-31", "2024-03-01", "2025-11-05", "1999-01-31", "2023-04-30"),
        *("2024-05-31", "2022-06-15", "2021-07-04", "2000-08-31", "2024-09-01", "2023-10-10"),
    ),
    "loads": ("{}", "[]", "null", "[1, 2]", '{"a": 1}', '"a"', "3"),
}
"""Strings that functions of these names can parse."""
_MAX_EACH = 40
_MAX_INTEGER = 10**12
_MAX_LENGTH = 60
_MAX_SIZE = 12
_MAX_SEPARATOR = 5
_PATTERNS = frozenset(("compile", "match", "fullmatch", "search", "sub", "subn", "split"))
_PATTERNS_TOO = frozenset(("findall", "finditer"))
Pools = dict[str, list[Any]]


def pools(trees: Sequence[ast.AST]) -> Pools:
    """Return values by kind, derived from the constants of programs.

    The kinds are `int`, `float`, `str` and `bytes`, and in addition:

    - `size`: lengths of lists
    - `length`: lengths of strings
    - `key`: strings that are keys of dictionaries
    - `error`: names of caught exceptions
    - `separator`: strings at which others are split
    - `prefix`: beginnings of strings
    - `token`: strings that are parsed as numbers or dates
    - `same`: present if a program tests identity
    """
    found: dict[str, dict[Any, None]] = {each: {} for each in _KINDS}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                _add(found, node.value)
            for kind, value in _special(node):
                found[kind].setdefault(value)
    found["separator"] = dict.fromkeys(_separators(trees))
    found["token"] = {text: None for tree in trees for text in _read(tree)}
    for pattern in list(found["pattern"]):
        for text in matching(pattern):
            found["str"].setdefault(text)
    if any(_is_identity(node) for tree in trees for node in ast.walk(tree)):
        found["same"] = {True: None}
    return {kind: list(values)[: _MAX_EACH * 2] for kind, values in found.items()}


def _is_identity(node: ast.AST) -> bool:
    """Return whether a node tests the identity of two objects."""
    return (
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.Is | ast.IsNot)
        and not isinstance(node.comparators[0], ast.Constant)
    )


def _add(found: dict[str, dict[Any, None]], value: Any) -> None:
    if isinstance(value, bool):
        return
    if isinstance(value, int) and abs(value) < _MAX_INTEGER:
        for each in (value, value + 1, value - 1, -value):
            found["int"].setdefault(each)
        found["float"].setdefault(float(value))
        for each in (value, value + 1, value - 1):
            if 0 <= each <= _MAX_SIZE:
                found["size"].setdefault(each)
            if 0 <= each <= _MAX_LENGTH:
                found["length"].setdefault(each)
    elif isinstance(value, float) and value == value and abs(value) < _MAX_INTEGER:
        for number in (value, value + 1, value - 1, value / 2):
            found["float"].setdefault(number)
    elif isinstance(value, str) and 0 < len(value) <= _MAX_LENGTH:
        found["str"].setdefault(value)
    elif isinstance(value, bytes) and 0 < len(value) <= _MAX_LENGTH:
        for data in (value, value + value, b"x" + value, value + b"x"):
            found["bytes"].setdefault(data)


def _special(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield keys, regular expressions, exception names, prefixes and separators with their kind."""
    if isinstance(node, ast.ExceptHandler) and node.type is not None:
        yield from (
            ("error", each.id) for each in ast.walk(node.type) if isinstance(each, ast.Name)
        )
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "suppress":
        yield from (("error", each.id) for each in node.args if isinstance(each, ast.Name))
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        if isinstance(node.slice.value, str):
            yield "key", node.slice.value
    elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        first = node.args[0].value
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if not isinstance(first, str):
            return
        if name in ("get", "pop", "setdefault"):
            yield "key", first
        elif name in _PATTERNS | _PATTERNS_TOO:
            yield "pattern", first
        if name in _PREFIXES and first:
            yield "prefix", first
        if name in _SPLITTING and 0 < len(first) < _MAX_SEPARATOR:
            yield "separator", first
    elif (
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Constant)
        and isinstance(node.left.value, str)
        and isinstance(node.ops[0], ast.In | ast.NotIn)
    ):
        yield "key", node.left.value


def _separators(trees: Iterable[ast.AST]) -> list[str]:
    """Return the strings at which others are split, in program order."""
    places = [
        (getattr(node, "lineno", 0), getattr(node, "col_offset", 0), text)
        for tree in trees
        for node in ast.walk(tree)
        for kind, text in _special(node)
        if kind == "separator"
    ]
    return [text for _, _, text in sorted(places)]


def _read(tree: ast.AST) -> Iterator[str]:
    """Yield strings that functions such as `int` and `json.loads` can parse, if a program calls
    them."""
    keys = [text for node in ast.walk(tree) for kind, text in _special(node) if kind == "key"]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = last_name(node.func)
        yield from _READ.get(name, ())
        if name == "loads":
            for value in (0, 3, "a", None, [1]):
                yield json.dumps(dict.fromkeys(keys[:4], value))


def structured(separators: list[str], tokens: list[str], random: Random) -> str:
    """Return a string of tokens with nested separators."""
    order = separators if random.random() < 0.6 else random.sample(separators, len(separators))
    order = order[:3]
    return _joined(order, tokens, random)


def _joined(separators: list[str], tokens: list[str], random: Random) -> str:
    if not separators:
        token, chance = random.choice(tokens), random.random()
        return token if chance > 0.15 else f" {token}" if chance > 0.1 else f"{token} "
    count = random.choice((1, 1, 2, 2, 3, 4))
    return separators[0].join(
        "" if random.random() < 0.08 else _joined(separators[1:], tokens, random)
        for _ in range(count)
    )


def around(text: str, random: Random) -> str:
    """Return a string that equals another, or almost: repeated affixes, other case, whitespace
    or line breaks at the ends."""
    other = random.choice(("x", " ", "a", "1", "\n", "-", "é"))
    return random.choice(
        (
            *(text, text + text, other + text, text + other, other + text + other),
            *(text.upper(), text.swapcase(), text.title(), text[:-1], text[1:], text[::-1]),
            *(f" {text} ", f"{text}\n", f"{other}{text}{text}", f"{text}{text}{other}"),
            *(f"{text}{other}{text}", f"{other}\n{text}\n{other}", f"{text[-1:]}{other}{text}"),
        )
    )


def twin(text: str, random: Random) -> str:
    """Return a string that equals another except for case, whitespace or Unicode composition."""
    return random.choice(
        (
            *(text, text.lower(), text.upper(), text.casefold(), text.swapcase(), text.title()),
            *(f"{text} ", f" {text}", f"{text}\n", text.strip(), text.replace("ss", "\u00df")),
            unicodedata.normalize("NFD", text),
            unicodedata.normalize("NFKC", text),
        )
    )


def matching(pattern: str) -> list[str]:
    """Return strings that a regular expression matches or almost matches."""
    try:
        parser = re._parser  # type: ignore[attr-defined]
        tree = parser.parse(pattern)
    except (re.error, RecursionError, OverflowError, AttributeError):
        return []
    found = []
    for number in range(4):
        text = _written(tree, Random(number), 0)  # noqa: S311 - it must be foreseeable
        if len(text) <= _MAX_LENGTH:
            found += [text, f"{text}\n", f"x {text} {text}", text.swapcase(), text[:-1]]
    return list(dict.fromkeys(found))


_CATEGORIES = {
    "CATEGORY_DIGIT": "7052",
    "CATEGORY_NOT_DIGIT": "a-",
    "CATEGORY_SPACE": " \t",
    "CATEGORY_NOT_SPACE": "ab",
    "CATEGORY_WORD": "a_Z9é",
    "CATEGORY_NOT_WORD": "- .",
}


def _written(tree: Any, random: Random, depth: int) -> str:
    """Return a string that a parsed expression matches."""
    text = ""
    for code, value in tree if depth < 12 else ():
        word = str(code)
        if word == "LITERAL":
            text += chr(value)
        elif word == "NOT_LITERAL":
            text += "a" if value != ord("a") else "b"
        elif word == "ANY":
            text += random.choice("a1 ")
        elif word == "IN":
            text += _one_of(value, random)
        elif word in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, inner = value
            times = random.choice((low, min(int(high), low + 1), min(int(high), low + 2)))
            text += "".join(_written(inner, random, depth + 1) for _ in range(min(times, 12)))
        elif word == "SUBPATTERN":
            text += _written(value[-1], random, depth + 1)
        elif word == "BRANCH":
            text += _written(random.choice(value[1]), random, depth + 1)
        elif word == "ATOMIC_GROUP":
            text += _written(value, random, depth + 1)
    return text


def _one_of(choices: Any, random: Random) -> str:
    code, value = choices[random.randrange(len(choices))]
    word = str(code)
    if word == "NEGATE":
        taken = {chr(each) for name, each in choices if str(name) == "LITERAL"}
        return next(each for each in "ab1 -~" if each not in taken)
    if word == "LITERAL":
        return chr(value)
    if word == "RANGE":
        return chr(random.choice((value[0], value[1], random.randint(*value))))
    return random.choice(_CATEGORIES.get(str(value), "a"))
