"""`sum`, of whole numbers and of others."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import (
    State,
    Term,
    Then,
    Tree,
    WithValue,
    bare,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.expressions.gathered import of_all
from codeintel.engine.equivalence.python_paths.kinds import base_of
from codeintel.engine.equivalence.python_paths.loops import comprehensions, rounds
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import operations

TRUE, FALSE = constant(True), constant(False)
ADDED = {
    "decimal.Decimal": "decimal",
    "fractions.Fraction": "fraction",
    "datetime.timedelta": "duration",
}
"""Types whose values `sum` adds one by one, by `+`, as a loop does."""


def plain(source: ast.expr, state: State, then: WithValue, low: Lowering) -> Tree:
    """A sum; of whole numbers it is what a loop adds up. Of others it need not be: floats are
    added with less error than by `+`."""
    total = low.hidden()
    names = [total, *rounds.carried([source], state, low)]

    def one(element: Term, now: State, again: Then) -> Tree:
        old = bare(now.names[total])
        if element == FALSE:
            return again(now)
        if element == TRUE:
            element = constant(1)
        if kind_of(element) != "int":
            raise _NotWholeError
        return operations.calculated(
            ast.Add(),
            old,
            element,
            now,
            lambda v, s: again(s.bind(total, v)),
            low,
        )

    try:
        return low.go_through(
            source,
            state.bind(total, constant(0)),
            names,
            one,
            lambda s: then(s.names[total], s.unbind(total)),
        )
    except _NotWholeError:
        pass
    if isinstance(source, ast.GeneratorExp | ast.ListComp):
        call = ast.Call(ast.Name("sum"), [source], [])
        gathered = of_all("sum", call, state, then, low)
        if gathered is not None:
            return gathered
    held = low.held(source, state)
    if held is not None and held.kind in {"list", "deque"}:
        # The same values in the same order, whatever holds them.
        return low.machine.make("sum", (("built", "list", held.term),), state, then)
    return low.value(source, state, lambda v, s: low.machine.make("sum", (v,), s, then))


class _NotWholeError(Exception):
    """The elements need not be whole numbers."""


def from_start(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """`sum(xs, start)`; None where the start is not known to be of such a type. The start is
    evaluated before the first element, and after what is gone through."""
    source = node.args[0]
    start = _start(node)
    if start is None or not isinstance(source, ast.GeneratorExp):
        return None
    if not _is_there(source.generators[0].iter, state, low):
        return None
    comprehensions.check_scope(source)
    total = low.hidden()
    names = [total, *rounds.carried([source], state, low)]

    def one(element: Term, now: State, again: Then) -> Tree:
        return operations.calculated(
            ast.Add(),
            bare(now.names[total]),
            element,
            now,
            lambda v, s: again(s.bind(total, v)),
            low,
        )

    def begun(value: Term, s: State) -> Tree:
        if kind_of(value) not in ADDED.values():
            raise _NumberError
        return low.go_through(
            source,
            s.bind(total, value),
            names,
            one,
            lambda end: then(end.names[total], end.unbind(total)),
        )

    try:
        return low.value(start, state, begun)
    except _NumberError:
        return None


def _is_there(node: ast.expr, state: State, low: Lowering) -> bool:
    """Whether beginning to go through something neither raises nor calls anything, so that it may
    come after the start is evaluated."""
    value = state.names.get(node.id) if isinstance(node, ast.Name) else None
    if value is None or not isinstance(node, ast.Name) or node.id not in low.local:
        return False
    return base_of(kind_of(value)) in {"list", "tuple", "dict", "set", "str"}


def _start(node: ast.Call) -> ast.expr | None:
    if len(node.args) == 2 and not node.keywords:
        return node.args[1]
    match (node.args, node.keywords):
        case ([_], [ast.keyword(arg="start", value=value)]):
            return value
    return None


class _NumberError(Exception):
    """The start may be a number, or a text, which are added in other ways."""
