"""Lists of constants that nobody changes: going through them, and finding places in them."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import (
    State,
    Term,
    Tree,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering

_MOST = 8
_BISECTING = {
    "bisect.bisect": ast.Lt(),
    "bisect.bisect_right": ast.Lt(),
    "bisect.bisect_left": ast.LtE(),
}
"""How the number that is placed compares with the first element after it."""


def element(node: ast.expr, place: Term, low: Lowering) -> ast.expr | None:
    """The element at a place of a table that is surely there."""
    table = low.resolved(node)
    if table is node or not isinstance(table, ast.List | ast.Tuple):
        return None
    if place[:2] != ("c", "int") or not -len(table.elts) <= int(place[2]) < len(table.elts):
        return None
    found = table.elts[int(place[2])]
    return found if isinstance(found, ast.Constant) else None


def placed(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """`bisect(table, number)` of increasing whole numbers: the questions of a chain of `if`."""
    if not low.is_imported(node.func, *_BISECTING) or len(node.args) != 2 or node.keywords:
        return None
    table = low.resolved(node.args[0])
    if not isinstance(table, ast.List | ast.Tuple) or len(table.elts) > _MOST:
        return None
    limits = [each.value for each in table.elts if isinstance(each, ast.Constant)]
    if len(limits) < len(table.elts) or any(type(each) is not int for each in limits):
        return None
    if limits != sorted(limits):  # type: ignore[type-var]
        return None
    comparing = _BISECTING[node.func.id]  # type: ignore[attr-defined]

    def place(number: Term, s: State) -> Tree:
        if kind_of(number) != "int":
            operands = (("g", node.func.id), constant(tuple(limits)), number)  # type: ignore[attr-defined]
            return low.machine.make("call", operands, s, then)

        name = low.hidden()

        def go(at: int, now: State) -> Tree:
            if at == len(limits):
                return then(constant(at), now.unbind(name))
            left, right = ast.Name(name, ast.Load()), ast.Constant(limits[at])
            return low.test(
                ast.Compare(left, [comparing], [right]),
                now,
                lambda s2: then(constant(at), s2.unbind(name)),
                lambda s2: go(at + 1, s2),
            )

        return go(0, s.bind(name, number))

    return low.value(node.args[1], state, place)
