"""What a call is given, and comparisons that are handed on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from codeintel.engine.equivalence.path_trees.terms import (
    State,
    Term,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    bare,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering


def given(
    node: ast.Call,
    state: State,
    then: Callable[[tuple[Term, ...], State], Tree],
    low: Lowering,
) -> Tree:
    """Evaluate what a call is given."""
    nodes = [
        *(each.value if isinstance(each, ast.Starred) else each for each in node.args),
        *(each.value for each in node.keywords),
    ]

    def marked(values: tuple[Term, ...], s: State) -> Tree:
        marks: list[Term] = []
        for each, value in zip([*node.args, *node.keywords], values, strict=True):
            if isinstance(each, ast.Starred):
                marks.append(("star", value))
            elif isinstance(each, ast.keyword):
                marks.append(("keyword", each.arg, value))
            else:
                marks.append(value)
        return then(tuple(marks), s)

    return _handed_on(nodes, state, marked, low)


def _handed_on(
    nodes: Sequence[ast.expr],
    state: State,
    then: Callable[[tuple[Term, ...], State], Tree],
    low: Lowering,
) -> Tree:
    if not nodes:
        return then((), state)
    first, *rest = nodes

    def further(value: Value, s: State) -> Tree:
        return _handed_on(rest, s, lambda vs, s2: then((bare(value), *vs), s2), low)

    if isinstance(first, ast.Compare) and not all(
        isinstance(each, ast.In | ast.NotIn | ast.Is | ast.IsNot) for each in first.ops
    ):
        # It may be a comparison of columns.
        return compared_as_is(first, state, further, low)
    return low.value(first, state, further)


def compared_as_is(node: ast.Compare, state: State, then: WithValue, low: Lowering) -> Tree:
    """A comparison whose result, which may be anything, is handed on."""
    names = tuple(type(each).__name__ for each in node.ops)
    if len(names) > 1:
        raise UnsupportedError("a chain of comparisons that is handed on")
    return low.values(
        [node.left, *node.comparators],
        state,
        lambda vs, s: low.machine.make("compare", (names, *vs), s, then),
    )
