"""Builtins that take all that there is to go through, or the first of it."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    bare,
    constant,
)
from codeintel.engine.equivalence.python_paths.collections import collections
from codeintel.engine.equivalence.python_paths.expressions import arguments
from codeintel.engine.equivalence.python_paths.kinds import is_steady_kind
from codeintel.engine.equivalence.python_paths.loops import comprehensions, rounds
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import operations

NONE = constant(None)


def of_all(name: str, node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """A builtin that takes all that a comprehension gives. A generator's elements are used one by
    one, which can be told from a list's if making them changes something."""
    source = node.args[0]
    if not isinstance(source, ast.GeneratorExp | ast.ListComp):
        return None
    is_lazy = isinstance(source, ast.GeneratorExp)
    if isinstance(source, ast.GeneratorExp):
        comprehensions.check_scope(source)
    eager = name == "tuple" or not is_lazy
    effects = low.machine.effects
    # Only to see whether there are effects in it.
    collections.gathered(
        "list", source.elt, source.generators, state, lambda _b, _s: ("probe",), low
    )
    changes = low.machine.effects != effects

    def done(value: Value, s: State) -> Tree:
        if not isinstance(value, Built):
            raise UnsupportedError("a list that others know")
        unsure = changes or not is_steady_kind(value.inside or "")
        tag = f"{name} one by one" if unsure and not eager else name
        call = ast.Call(node.func, [], node.keywords)
        return arguments.given(
            call,
            s,
            lambda vs, s2: low.machine.make(tag, (("built", "list", value.term), *vs), s2, then),
            low,
        )

    return collections.gathered("list", source.elt, source.generators, state, done, low)


def first(
    source: ast.GeneratorExp, default: ast.expr, state: State, then: WithValue, low: Lowering
) -> Tree:
    """`next((x for ...), default)`. What the generator goes through first is looked at before the
    default, so nothing may happen while that is evaluated."""

    def search(otherwise: Term, begun: State) -> Tree:
        if begun.count != state.count:
            raise UnsupportedError("a default that is evaluated first")
        names = rounds.carried([source], begun, low)

        def found(element: Term, now: State, _again: Then) -> Tree:
            return then(element, now)

        return low.go_through(source, begun, names, found, lambda s: then(otherwise, s))

    return low.value(default, state, search)


def length(source: ast.expr, state: State, then: WithValue, low: Lowering) -> Tree:
    """`len` of a collection, or of a list that is only counted."""
    held = low.held(source, state)
    if held is not None:
        return then(operations.size(held, state) or NONE, state)
    if isinstance(source, ast.ListComp):
        counter = low.hidden()
        names = [counter, *rounds.carried([source], state, low)]

        def one(now: State, again: Then) -> Tree:
            def count(_: Value, s: State) -> Tree:
                return operations.calculated(
                    ast.Add(),
                    s.names[counter],  # type: ignore[arg-type]
                    constant(1),
                    s,
                    lambda v, s2: again(s2.bind(counter, v)),
                    low,
                )

            return low.value(source.elt, now, count)

        return comprehensions.generators(
            source.generators,
            state.bind(counter, constant(0)),
            names,
            one,
            lambda s: then(s.names[counter], s.unbind(counter)),
            low,
        )

    def done(value: Value, s: State) -> Tree:
        known = operations.size(value, s)
        if known is not None:
            return then(known, s)
        return low.machine.read("len", (bare(value),), s, then, "int")

    return low.any(source, state, done)
