"""Calls that only answer yes or no."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import State, Term, Then, Tree
from codeintel.engine.equivalence.python_paths.expressions import arguments
from codeintel.engine.equivalence.python_paths.loops import comprehensions, rounds
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import types


def searched(node: ast.Call, state: State, yes: Then, no: Then, low: Lowering) -> Tree | None:
    """A call that only answers yes or no."""
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if not low.is_builtin(node.func, name):
        return None
    if name == "bool" and len(node.args) == 1:
        return low.test(node.args[0], state, yes, no)
    if name in {"any", "all"} and len(node.args) == 1:
        return _any(name, node.args[0], state, yes, no, low)
    if name == "isinstance" and len(node.args) == 2:
        return _instance(node, state, yes, no, low)
    if name in {"issubclass", "callable", "hasattr"}:
        return arguments.given(
            node,
            state,
            lambda vs, s: low.machine.read(
                name, vs, s, lambda v, s2: low.truth(v, s2, yes, no), "bool"
            ),
            low,
        )
    return None


def _instance(node: ast.Call, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """`isinstance(x, (A, B))` is one question: B is looked up even if x is an A."""

    def ask(given: tuple[Term, ...], s: State) -> Tree:
        known = types.asked(given[0], given[1], s, yes, no, low)
        if known is not None:
            return known
        return low.machine.read(
            "isinstance", given, s, lambda v, s2: low.truth(v, s2, yes, no), "bool"
        )

    return arguments.given(node, state, ask, low)


def _any(name: str, source: ast.expr, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    names = rounds.carried([source], state, low)
    after = no if name == "any" else yes
    if isinstance(source, ast.GeneratorExp):
        comprehensions.check_scope(source)
        back = comprehensions.outside(source.generators, state)

        def found(now: State) -> Tree:
            return (yes if name == "any" else no)(back(now))

        def one(now: State, again: Then) -> Tree:
            if name == "any":
                return low.test(source.elt, now, found, again)
            return low.test(source.elt, now, again, found)

        return comprehensions.generators(source.generators, state, names, one, after, low)

    def each(element: Term, now: State, again: Then) -> Tree:
        if name == "any":
            return low.truth(element, now, yes, again)
        return low.truth(element, now, again, no)

    return low.go_through(source, state, names, each, after)
