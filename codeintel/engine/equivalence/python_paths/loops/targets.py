"""Targets: values that are given to names, or taken apart for several."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codeintel.engine.equivalence.path_trees.terms import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.kinds import base_of, is_steady_kind, parts_of
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import operations


def bind_target(target: ast.expr, value: Value, state: State, then: Then, low: Lowering) -> Tree:
    """Give a value to a name, or take it apart for several."""
    match target:
        case ast.Name(id=name):
            return then(state.bind(name, value))
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            if any(isinstance(each, ast.Starred) for each in parts):
                raise UnsupportedError("a target with a star")
            if isinstance(value, Built) and value.kind != "list":
                return low.machine.keep(
                    value, state, lambda v, s: bind_target(target, v, s, then, low)
                )
            return _taken_apart(parts, value, state, then, low)
    return low.store(target, value, state, then)


def _taken_apart(
    targets: list[ast.expr], value: Value, state: State, then: Then, low: Lowering
) -> Tree:
    """As many values as there are targets; another number raises."""
    count = len(targets)
    known: Sequence[Term | None] = []
    if isinstance(value, Built):
        if operations.known_size(value, state) == count:
            known = [operations.part(value, place, state) for place in range(count)]
    elif base_of(kind_of(value)) == "tuple" and len(parts_of(kind_of(value))) == count:
        known = [operations.element(value, place) for place in range(count)]
    elif value[0] == "tuple" and len(value) - 1 == count:
        known = value[1:]
    if len(known) == count and all(each is not None for each in known):
        return _parts(list(zip(targets, known, strict=True)), state, then, low)  # type: ignore[arg-type]

    def unpacked(given: Term, s: State) -> Tree:
        pairs: list[tuple[ast.expr, Term]] = [
            (each, ("part", given, place)) for place, each in enumerate(targets)
        ]
        return _parts(pairs, s, then, low)

    if isinstance(value, Built) and is_steady_kind(value.inside or ""):
        kind = value.inside

        def cut(_: Term, s: State) -> Tree:
            pairs: list[tuple[ast.expr, Term]] = [
                (each, ("op", "at", value.term, place, kind)) for place, each in enumerate(targets)
            ]
            return _parts(pairs, s, then, low)

        return low.machine.read("unpack", (("built", "list", value.term), count), state, cut)
    return low.machine.keep(
        value, state, lambda v, s: low.machine.make("unpack", (v, count), s, unpacked)
    )


def _parts(pairs: list[tuple[ast.expr, Term]], state: State, then: Then, low: Lowering) -> Tree:
    if not pairs:
        return then(state)
    (target, value), *rest = pairs
    return bind_target(target, value, state, lambda s: _parts(rest, s, then, low), low)
