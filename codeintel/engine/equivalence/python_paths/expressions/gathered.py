"""Lower builtins that consume a whole iterable, sum it or search it."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees import (
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
    kind_of,
)
from codeintel.engine.equivalence.python_paths import bounds, operations
from codeintel.engine.equivalence.python_paths.expressions import closures, collections, rounds
from codeintel.engine.equivalence.python_paths.kinds import base_of, is_steady_kind
from codeintel.engine.equivalence.python_paths.lowering import Lowering

NONE = constant(None)


def of_all(name: str, node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Lower a builtin that consumes a comprehension.

    A generator's elements are used one by one, which differs from a list's if computing them has
    effects.
    """
    source = node.args[0]
    if not isinstance(source, ast.GeneratorExp | ast.ListComp):
        return None
    is_lazy = isinstance(source, ast.GeneratorExp)
    if isinstance(source, ast.GeneratorExp):
        rounds.check_scope(source)
    eager = name == "tuple" or not is_lazy
    effects = low.machine.effects
    # Only probe whether it has effects.
    collections.gathered(
        "list", source.elt, source.generators, state, lambda _b, _s: ("probe",), low
    )
    changes = low.machine.effects != effects

    def done(value: Value, s: State) -> Tree:
        if not isinstance(value, Built):
            raise UnsupportedError("a shared list")
        unsure = changes or not is_steady_kind(value.inside or "")
        tag = f"{name} one by one" if unsure and not eager else name
        call = ast.Call(node.func, [], node.keywords)
        return closures.given(
            call,
            s,
            lambda vs, s2: low.machine.make(tag, (("built", "list", value.term), *vs), s2, then),
            low,
        )

    return collections.gathered("list", source.elt, source.generators, state, done, low)


def first(
    source: ast.GeneratorExp, default: ast.expr, state: State, then: WithValue, low: Lowering
) -> Tree:
    """Lower `next((x for ...), default)`.

    The generator's first iterable is evaluated before the default, so the default may not cause an
    event.
    """

    def search(otherwise: Term, begun: State) -> Tree:
        if begun.count != state.count:
            raise UnsupportedError("a default that is evaluated first")
        names = rounds.carried([source], begun, low)

        def found(element: Term, now: State, _again: Then) -> Tree:
            return then(element, now)

        return low.go_through(source, begun, names, found, lambda s: then(otherwise, s))

    return low.value(default, state, search)


def length(source: ast.expr, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `len` of a collection, or of a list that is only counted."""
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

        return rounds.generators(
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


TRUE, FALSE = constant(True), constant(False)
ADDED = {
    "decimal.Decimal": "decimal",
    "fractions.Fraction": "fraction",
    "datetime.timedelta": "duration",
}
"""Types whose values `sum` adds one by one with `+`, like a loop."""


def plain(source: ast.expr, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower a sum.

    For integers it equals a loop with `+`. Floats differ, because `sum` adds them more precisely.
    """
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
        # The values and their order count, not the collection that holds them.
        return low.machine.make("sum", (("built", "list", held.term),), state, then)
    return low.value(source, state, lambda v, s: low.machine.make("sum", (v,), s, then))


class _NotWholeError(Exception):
    """An element may not be an integer."""


def from_start(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Lower `sum(xs, start)`, or return None if the type of the start is unknown.

    The start is evaluated after the iterable and before the first element.
    """
    source = node.args[0]
    start = _start(node)
    if start is None or not isinstance(source, ast.GeneratorExp):
        return None
    if not _is_there(source.generators[0].iter, state, low):
        return None
    rounds.check_scope(source)
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
    """Return whether starting to iterate neither raises nor calls anything, so that it may
    follow the evaluation of the start."""
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
    """The start may be a number or a string, which `sum` adds in another way."""


def searched(node: ast.Call, state: State, yes: Then, no: Then, low: Lowering) -> Tree | None:
    """Lower a call that only answers yes or no, or return None."""
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
        return closures.given(
            node,
            state,
            lambda vs, s: low.machine.read(
                name, vs, s, lambda v, s2: low.truth(v, s2, yes, no), "bool"
            ),
            low,
        )
    return None


def _instance(node: ast.Call, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """Lower `isinstance(x, (A, B))` as one question, because B is looked up even if x is an A."""

    def ask(given: tuple[Term, ...], s: State) -> Tree:
        known = bounds.asked(given[0], given[1], s, yes, no, low)
        if known is not None:
            return known
        return low.machine.read(
            "isinstance", given, s, lambda v, s2: low.truth(v, s2, yes, no), "bool"
        )

    return closures.given(node, state, ask, low)


def _any(name: str, source: ast.expr, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    names = rounds.carried([source], state, low)
    after = no if name == "any" else yes
    if isinstance(source, ast.GeneratorExp):
        rounds.check_scope(source)
        back = rounds.outside(source.generators, state)

        def found(now: State) -> Tree:
            return (yes if name == "any" else no)(back(now))

        def one(now: State, again: Then) -> Tree:
            if name == "any":
                return low.test(source.elt, now, found, again)
            return low.test(source.elt, now, again, found)

        return rounds.generators(source.generators, state, names, one, after, low)

    def each(element: Term, now: State, again: Then) -> Tree:
        if name == "any":
            return low.truth(element, now, yes, again)
        return low.truth(element, now, again, no)

    return low.go_through(source, state, names, each, after)
