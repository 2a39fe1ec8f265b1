"""Comparisons of a set with the keys of a dict."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import State, Term, Then, Tree, kind_of
from codeintel.engine.equivalence.python_paths.kinds import (
    base_of,
    element_kind,
    is_steady,
    is_steady_kind,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering


def contained(node: ast.Compare, state: State, yes: Then, no: Then, low: Lowering) -> Tree | None:
    """`{a, b} <= d.keys()` asks `a in d and b in d`, where neither can raise."""
    match node:
        case ast.Compare(
            left=ast.Set(elts=elements),
            ops=[ast.LtE()],
            comparators=[
                ast.Call(func=ast.Attribute(value=owner, attr="keys"), args=[], keywords=[])
            ],
        ) if not any(isinstance(each, ast.Starred) for each in elements):
            pass
        case _:
            return None
    if low.held(owner, state) is not None:
        return None

    def asked(values: tuple[Term, ...], s: State) -> Tree:
        *members, table = values
        kind = kind_of(table)
        known = base_of(kind) == "dict" and is_steady_kind(element_kind(kind))
        if not known or not all(is_steady(each) for each in members):
            raise _NotKeysError
        return go(members, table, s)

    def go(left: list[Term], table: Term, s: State) -> Tree:
        if not left:
            return yes(s)
        term: Term = ("op", "in", left[0], table, s.version, "bool")
        return low.truth(term, s, lambda s2: go(left[1:], table, s2), no)

    try:
        return low.values([*elements, owner], state, asked)
    except _NotKeysError:
        return None


class _NotKeysError(Exception):
    """Comparing may call something, or fail."""
