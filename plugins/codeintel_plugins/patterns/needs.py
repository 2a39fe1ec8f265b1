"""What words code must contain for a rule to match: most rules are ruled out by a look at the text.

Compiling and running a rule costs far more than looking for a few words, and of hundreds of rules
for a language a file can match few. What a rule needs is derived from its patterns: every name in a
pattern must stand in the code, of alternatives one, and what is only excluded needs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from re import _constants, _parser  # type: ignore[attr-defined] # the only parser that there is
from typing import Any

import msgspec

_VARIABLE = re.compile(r"\$+[A-Z_][A-Z0-9_]*|\$\$\$")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_STAND_IN = "zz"
_RELATIONS = ("inside", "has", "precedes", "follows")
_MAX_DEPTH = 20
_SHORTEST = 3
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


class AllOf(msgspec.Struct, frozen=True, tag="all", array_like=True):
    """All parts are needed; without parts nothing is."""

    parts: tuple[Need, ...]


class OneOf(msgspec.Struct, frozen=True, tag="one", array_like=True):
    """One of the parts is needed."""

    parts: tuple[Need, ...]


Need = str | AllOf | OneOf
NOTHING = AllOf(())


def needs(match: Mapping[str, Any], utils: Mapping[str, Any], grammar: str) -> Need:
    """What an ast-grep rule object needs; `grammar` is the name of ast-grep's."""
    return _Reader(utils, grammar).rule(match, 0)


def may_match(need: Need, text: str) -> bool:
    """Whether the text, in lower case, has what is needed."""
    if isinstance(need, str):
        return need in text
    if isinstance(need, AllOf):
        return all(may_match(part, text) for part in need.parts)
    return any(may_match(part, text) for part in need.parts)


def expression_needs(expression: str) -> Need:
    """What text must contain for a regular expression to be found in it: literals of at least three
    characters. Nothing where the expression is not one of Python's, too."""
    try:
        tree = _parser.parse(expression)
    except (re.error, RecursionError, OverflowError):
        return NOTHING
    return _sequence(tree)


def _sequence(tree: Any) -> Need:
    parts: list[Need] = []
    literal = ""
    for operation, argument in tree:
        if operation is _constants.LITERAL:
            literal += chr(argument).lower()
            continue
        parts.append(_literal(literal))
        literal = ""
        parts.append(_operation(operation, argument))
    return _all_of([*parts, _literal(literal)])


def _literal(text: str) -> Need:
    # Where a macro of Rust is read as a call its `!` becomes a letter that looks like it.
    return (
        text.replace("\N{LATIN LETTER RETROFLEX CLICK}", "!") if len(text) >= _SHORTEST else NOTHING
    )


def _operation(operation: Any, argument: Any) -> Need:
    if operation is _constants.BRANCH:
        return _one_of(_sequence(each) for each in argument[1])
    if operation is _constants.SUBPATTERN:
        return _sequence(argument[3])
    if operation in _REPEATS and argument[0] > 0:
        return _sequence(argument[2])
    if operation is _constants.ATOMIC_GROUP:
        return _sequence(argument)
    if operation is _constants.ASSERT:
        return _sequence(argument[1])
    return NOTHING


class _Reader:
    def __init__(self, utils: Mapping[str, Any], grammar: str) -> None:
        self._utils = utils
        self._grammar = grammar

    def rule(self, match: Mapping[str, Any], depth: int) -> Need:
        if depth > _MAX_DEPTH:
            return NOTHING
        parts: list[Need] = []
        for key, value in match.items():
            if key == "pattern":
                parts.append(self._pattern(value))
            elif key == "all":
                parts.extend(self.rule(each, depth + 1) for each in value)
            elif key == "any":
                parts.append(_one_of(self.rule(each, depth + 1) for each in value))
            elif key == "regex":
                parts.append(expression_needs(value))
            elif key in _RELATIONS:
                parts.append(self.rule(value, depth + 1))
            elif key == "matches" and value in self._utils:
                parts.append(self.rule(self._utils[value], depth + 1))
        return _all_of(parts)

    def _pattern(self, pattern: str | Mapping[str, Any]) -> Need:
        if isinstance(pattern, str):
            text: str | None = pattern
        else:
            text = self._selected(pattern["context"], pattern.get("selector"))
        if text is None:
            return NOTHING
        words = _WORD.findall(_VARIABLE.sub(" ", text))
        return _all_of([word.lower() for word in words if not word.startswith(_STAND_IN)])

    def _selected(self, context: str, selector: str | None) -> str | None:
        """The part of a pattern's context that it selects; None where that cannot be told."""
        if selector is None:
            return context
        from ast_grep_py import SgRoot

        stand_in = _VARIABLE.sub(lambda match: _STAND_IN + match[0].strip("$").lower(), context)
        node = SgRoot(stand_in, self._grammar).root().find(kind=selector)
        return node.text() if node is not None else None


def _all_of(parts: Iterable[Need]) -> Need:
    found = tuple(dict.fromkeys(part for part in parts if part != NOTHING))
    return found[0] if len(found) == 1 else AllOf(found)


def _one_of(parts: Iterable[Need]) -> Need:
    found = tuple(dict.fromkeys(parts))
    if NOTHING in found:
        return NOTHING
    return found[0] if len(found) == 1 else OneOf(found)
