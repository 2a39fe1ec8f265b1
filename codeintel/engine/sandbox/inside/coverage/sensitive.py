"""List operations that agree on most values.

If a rewrite exchanges one, the other values must be tried.
"""

from __future__ import annotations

import ast
import datetime
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class Operation(NamedTuple):
    """A method or function, and the features of values on which it must have been called.

    :param on_argument: whether the value is the first argument and not the object of a method.
    """

    name: str
    features: tuple[str, ...]
    on_argument: bool = False


_TABLE = (
    ("casefold lower upper", ("folds",)),
    ("strip lstrip rstrip", ("blank_end", "rich")),
    ("removeprefix removesuffix", ("rich",)),
    ("isdigit isdecimal isnumeric", ("other_digit",)),
    ("title capitalize", ("apart",)),
    ("split rsplit splitlines partition rpartition", ("rich",)),
    ("get setdefault", ("falsy", "mapping")),
)
_ON_ARGUMENT = (
    ("sorted min max", ("ties",)),
    ("sum", ("several",)),
    ("round int", ("fraction", "negative")),
)
OPERATIONS = {
    **{name: Operation(name, features) for names, features in _TABLE for name in names.split()},
    **{
        name: Operation(name, features, on_argument=True)
        for names, features in _ON_ARGUMENT
        for name in names.split()
    },
}


_GROUPS = tuple(
    frozenset(names.split())
    for names in (
        "casefold lower upper",
        "isdigit isdecimal isnumeric isalnum",
        "strip lstrip rstrip removeprefix removesuffix",
        "match search fullmatch",
        "findall search",
        "finditer search",
        "split rsplit",
        "split splitlines",
        "partition rpartition",
        "copy deepcopy",
        "round int floor ceil trunc quantize fmod",
        "isinstance type",
        "discard remove",
        "find index rfind rindex",
        "now utcnow today",
        "astimezone replace",
        "sum fsum",
        "title capitalize",
        "gather wait create_task ensure_future",
        "issubset issuperset isdisjoint",
        "intersection union difference symmetric_difference",
        "bisect bisect_left bisect_right insort insort_left insort_right",
        "fromtimestamp utcfromtimestamp",
        "total_seconds seconds",
        "quote quote_plus unquote unquote_plus",
        "isoformat strftime",
        "md5 sha1 sha256",
    )
)
"""Functions and methods that do the same for most values."""
_FLAGS = {
    "I": "IGNORECASE",
    "M": "MULTILINE",
    "S": "DOTALL",
    "A": "ASCII",
    "X": "VERBOSE",
    **{name: name for name in ("IGNORECASE", "MULTILINE", "DOTALL", "ASCII", "VERBOSE")},
}
_LOOSE = frozenset(("round", "int", "sorted", "min", "max", "sum", "split", "partition"))
"""Operations that correct rewrites often drop and that are hard to reach with the right value."""


def differing(one: Iterable[ast.AST], other: Iterable[ast.AST]) -> frozenset[Operation]:
    """Return the operations that both programs do not use equally often."""
    first, second = _counted(one), _counted(other)
    has_or = first["or"] != second["or"]
    return frozenset(
        OPERATIONS[name]
        for name in OPERATIONS.keys() & (first.keys() | second.keys())
        if first[name] != second[name]
        and name not in _LOOSE
        and (has_or or name not in ("get", "setdefault"))
    )


def exchanged(one: Iterable[ast.AST], other: Iterable[ast.AST]) -> str:
    """Return the function or method that replaces another one that does the same for most values,
    or an empty string.

    No number of examples shows that the difference does not matter.
    """
    first, second = _counted(one), _counted(other)
    if any(first[f"re.{flag}"] != second[f"re.{flag}"] for flag in _FLAGS.values()):
        return "regular_expression_flags"
    more, fewer = second - first, first - second
    for group in _GROUPS:
        came, gone = group & more.keys(), group & fewer.keys()
        if came and gone:
            return min(came)
    return ""


def _counted(nodes: Iterable[ast.AST]) -> Counter[str]:
    found: Counter[str] = Counter()
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Call):
                name = each.func.attr if isinstance(each.func, ast.Attribute) else ""
                found[each.func.id if isinstance(each.func, ast.Name) else name] += 1
            elif isinstance(each, ast.Attribute) and each.attr in _FLAGS:
                found[f"re.{_FLAGS[each.attr]}"] += 1
            elif isinstance(each, ast.BoolOp) and isinstance(each.op, ast.Or):
                found["or"] += any(map(_may_be_empty, each.values[:-1]))
    return found


def _may_be_empty(node: ast.expr) -> bool:
    """Return whether an operand may be an empty value or zero, and is not a condition."""
    is_not = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return not (is_not or isinstance(node, ast.Compare | ast.BoolOp))


def features(value: Any) -> Iterator[str]:
    """Yield the odd features of a value."""
    if isinstance(value, str):
        if value.casefold() != value.lower() or len(value.upper()) != len(value):
            yield "folds"
        if value != value.strip() or value[:1] == value[1:2]:
            yield "blank_end"
        if len(value) > 3:
            yield "rich"
        if any(each.isnumeric() and not each.isdecimal() for each in value):
            yield "other_digit"
        if any(not each.isalnum() for each in value[1:-1]):
            yield "apart"
    elif isinstance(value, dict):
        yield "mapping"
        if any(not each for each in value.values() if isinstance(each, _PLAIN)):
            yield "falsy"
    elif isinstance(value, datetime.datetime):
        yield "aware" if value.tzinfo else "naive"
    else:
        yield from ("falsy", "mapping", "folds", "blank_end", "rich", "other_digit", "apart")


_PLAIN = (int, float, str, list, type(None))
