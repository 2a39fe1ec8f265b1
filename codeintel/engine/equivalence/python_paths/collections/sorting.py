"""Lists in order, by what surely compares: also the first of them only."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codeintel.engine.equivalence.path_trees.terms import (
    Built,
    State,
    Term,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.collections import collections
from codeintel.engine.equivalence.python_paths.kinds import base_of, parts_of
from codeintel.engine.equivalence.python_paths.loops import adapters
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import bounds, operations

_SMALLEST, _LARGEST = "heapq.nsmallest", "heapq.nlargest"


def _is_ordered(kind: str) -> bool:
    """Whether any two values of this kind have an order, and comparing them cannot raise."""
    if base_of(kind) == "tuple":
        parts = parts_of(kind)
        return bool(parts) and all(_is_ordered(each) for each in parts)
    return kind in {"int", "str"}


def in_order(
    held: Built, keywords: Sequence[ast.keyword], state: State, low: Lowering
) -> Built | None:
    """A list in order, where nobody notices how it is put in order; None if somebody may."""
    given = {each.arg: each.value for each in keywords}
    turned = given.get("reverse", ast.Constant(False))
    if not isinstance(turned, ast.Constant) or given.keys() - {"key", "reverse"}:
        return None
    key = _key(given.get("key"), held.inside or "", state, low)
    if key is None:
        return None
    term: Term = ("in order", held.term, key, bool(turned.value))
    return Built("list", term, held.inside)


def _key(node: ast.expr | None, inside: str, state: State, low: Lowering) -> Term | None:
    """What the elements are ordered by, in terms of an element; None if asking for it may be
    noticed or if it need not have an order."""
    element: Term = ("x", "key", inside)
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return element if _is_ordered(inside) else None
    found: list[Term] = []

    def note(value: Value, _end: State) -> Tree:
        if isinstance(value, Built):
            raise UnsupportedError("a list as a key")
        found.append(value)
        return ("key", value)

    try:
        tree = _applied(node, element, state, note, low)
    except UnsupportedError:
        return None
    if tree is None or len(found) != 1 or tree != ("key", found[0]):
        return None
    return found[0] if _is_ordered(kind_of(found[0])) else None


def _applied(
    node: ast.expr, element: Term, state: State, then: WithValue, low: Lowering
) -> Tree | None:
    match node:
        case ast.Lambda(args=ast.arguments(args=[_], defaults=[], vararg=None, kwarg=None)) if (
            not node.args.kwonlyargs and not node.args.posonlyargs
        ):
            return adapters.applied(node, element, state, then, low)
        case ast.Call(func=function, args=[ast.Constant(value=int(place))], keywords=[]):
            if low.is_imported(function, "operator.itemgetter") and not isinstance(place, bool):
                return operations.item(element, constant(place), state, then, low)
    return None


def first(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """`heapq.nsmallest(n, x)` is `sorted(x)[:n]` if n is not negative; None for what may differ."""
    if not low.is_imported(node.func, _SMALLEST, _LARGEST) or len(node.args) != 2:
        return None
    if any(each.arg != "key" for each in node.keywords):
        return None
    keywords = list(node.keywords)
    if node.func.id == _LARGEST:  # type: ignore[attr-defined]
        keywords.append(ast.keyword("reverse", ast.Constant(True)))

    def ordered(count: Term, value: Value, s: State) -> Tree:
        if not isinstance(value, Built):
            raise UnsupportedError("a list that others know")
        least, _ = bounds.limits(count, s)
        found = in_order(value, keywords, s, low)
        if found is None or kind_of(count) != "int" or least is None or least < 0:
            raise _UnsureError
        end: Term = ("slice", constant(None), count, constant(None))
        return then(Built("list", ("cut", found.term, end), found.inside), s)

    into = Built("list", collections.EMPTY)
    try:
        return low.value(
            node.args[0],
            state,
            lambda n, s: collections.extended(
                into, node.args[1], s, lambda v, s2: ordered(n, v, s2), low
            ),
        )
    except _UnsureError:
        return None


class _UnsureError(Exception):
    """Something may be noticed."""
