"""Regular expressions that are constants: what all their matches in a text give."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from re import (  # type: ignore[attr-defined] # the standard library's own, not in the stubs
    _constants as codes,
    _parser as parser,
)
from typing import Any

from codeintel.engine.equivalence.path_trees.terms import Term, kind_of
from codeintel.engine.equivalence.python_paths.lowering import Lowering

_LONGEST = 500
METHODS = frozenset({"findall", "finditer"})
MATCH = "match "
"""What the kind of a match begins with; then come its groups that are surely there."""
_REPEATS = frozenset({codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT})


def is_pattern(node: ast.expr | None) -> bool:
    """Whether it is `re.compile` of a constant that can be compiled."""
    match node:
        case ast.Call(func=ast.Name(id="re.compile"), args=[pattern, *flags], keywords=[]):
            return len(flags) < 2 and _groups(pattern, flags[0] if flags else None) is not None
    return False


def is_only_asked(name: str, module: ast.Module) -> bool:
    """Whether nothing is done with a pattern of the module but to go through its matches."""
    nodes = list(ast.walk(module))
    calls = sum(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and isinstance(each.func.value, ast.Name)
        and each.func.value.id == name
        and each.func.attr in METHODS
        and len(each.args) == 1
        and not each.keywords
        for each in nodes
    )
    loads = (isinstance(e, ast.Name) and isinstance(e.ctx, ast.Load) for e in nodes)
    mentions = sum(load and e.id == name for load, e in zip(loads, nodes, strict=True))  # type: ignore[attr-defined]
    return calls == mentions


def asked(node: ast.expr, low: Lowering) -> tuple[str, Term, str, ast.expr] | None:
    """A call that finds all matches: the method, what is searched for, the kind of a match, and
    where it is searched; None for other expressions."""
    match node:
        case ast.Call(func=ast.Name(id=called), args=[pattern, text, *flags], keywords=keywords):
            method = called.removeprefix("re.")
            if not low.is_imported(node.func, f"re.{method}") or method not in METHODS:
                return None
            flags = [*flags, *(each.value for each in keywords if each.arg == "flags")]
            if len(flags) > 1 or any(each.arg != "flags" for each in keywords):
                return None
        case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr=method), args=[text]):
            known = low.resolved(name)
            if node.keywords or method not in METHODS or not is_pattern(known):
                return None
            pattern, *flags = known.args  # type: ignore[attr-defined]
        case _:
            return None
    groups = _groups(pattern, flags[0] if flags else None)
    if groups is None:
        return None
    number, value, sure = groups
    kind = f"{MATCH}{number} {' '.join(map(str, sorted(sure)))}"
    return method, ("pattern", pattern.value, value), kind, text  # type: ignore[attr-defined]


def element(method: str, match: Term) -> Term | None:
    """What going through the matches gives; None for what is not followed."""
    if method == "finditer":
        return match
    groups = int(kind_of(match).split()[1])
    return None if groups > 1 else group(match, groups)


def group(match: Term, number: int) -> Term | None:
    """A group of a match that is surely there."""
    sure = kind_of(match).removeprefix(MATCH).split()[1:]
    return ("op", "group", match, number, "str") if str(number) in sure else None


def is_match(value: Term) -> bool:
    """Whether a value is a match of a known pattern."""
    return kind_of(value).startswith(MATCH)


def _groups(pattern: ast.expr, flags: ast.expr | None) -> tuple[int, int, frozenset[int]] | None:
    """How many groups there are, the flags as a number, and which groups every match has."""
    number = 0 if flags is None else _flags(flags)
    if number is None or not isinstance(pattern, ast.Constant):
        return None
    if not isinstance(pattern.value, str) or len(pattern.value) > _LONGEST:
        return None
    return _parsed(pattern.value, number)


def _flags(node: ast.expr) -> int | None:
    match node:
        case ast.Name(id=name) if name.startswith("re.") and name[3:].isupper():
            flag = getattr(re, name[3:], None)
            return flag.value if isinstance(flag, re.RegexFlag) else None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            one, other = _flags(left), _flags(right)
            return None if one is None or other is None else one | other
        case ast.Constant(value=0):
            return 0
    return None


@lru_cache(256)
def _parsed(pattern: str, flags: int) -> tuple[int, int, frozenset[int]] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            compiled = re.compile(pattern, flags & ~re.DEBUG)
            tree = parser.parse(pattern, flags & ~re.DEBUG)
        except (re.error, Warning, OverflowError, RecursionError, ValueError):
            return None
    return (compiled.groups, flags, frozenset(_sure(tree) | {0})) if not flags & re.DEBUG else None


def _sure(tree: Any) -> set[int]:
    """The groups that take part whenever this does."""
    found: set[int] = set()
    for code, given in tree:
        if code is codes.SUBPATTERN:
            number, _, _, inner = given
            found |= _sure(inner) | ({number} if number is not None else set())
        elif code in _REPEATS and given[0] > 0:
            found |= _sure(given[2])
        elif code is codes.BRANCH:
            found |= set.intersection(*(_sure(each) for each in given[1]))
        elif code is codes.ATOMIC_GROUP:
            found |= _sure(given)
        elif code is codes.ASSERT:
            found |= _sure(given[1])
    return found
