"""The loops within comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from codeintel.engine.equivalence.normal_form.purity import may_move_inside
from codeintel.engine.equivalence.path_trees.terms import State, Term, Then, Tree, UnsupportedError
from codeintel.engine.equivalence.python_paths.loops.targets import bind_target
from codeintel.engine.equivalence.python_paths.lowering import Lowering, loaded_names, stored_names


def check_scope(node: ast.GeneratorExp) -> None:
    """A generator makes another error of an end of iteration, and has a frame of its own."""
    if not may_move_inside(node):
        raise UnsupportedError("a generator that ends an iteration, or asks for its frame")


def _targets(over: list[ast.comprehension]) -> set[str]:
    return {n for each in over for n in stored_names([each.target])}


def _check_bound(over: list[ast.comprehension]) -> None:
    """A comprehension's variables are its own, also before they have a value."""
    bound = set[str]()
    for place, each in enumerate(over):
        later = _targets(over[place:]) - bound
        if place and loaded_names([each.iter]) & later:
            raise UnsupportedError("a variable of a comprehension that has no value yet")
        bound |= _targets([each])
        if loaded_names(each.ifs) & (later - bound):
            raise UnsupportedError("a variable of a comprehension that has no value yet")


def outside(over: list[ast.comprehension], state: State) -> Callable[[State], State]:
    """What makes of a state within a comprehension one of the function around, whose variables
    those of the comprehension may hide."""
    targets = _targets(over)
    outer = {name: state.names.get(name) for name in targets}

    def back(now: State) -> State:
        kept = {k: v for k, v in now.names.items() if k not in targets}
        kept.update({k: v for k, v in outer.items() if v is not None})
        return replace(now, names=kept)

    return back


def generators(
    over: list[ast.comprehension],
    state: State,
    names: list[str],
    inside: Callable[[State, Then], Tree],
    after: Then,
    low: Lowering,
) -> Tree:
    """The loops of a comprehension. Their variables are not those of the function around."""
    targets = _targets(over)
    restored = outside(over, state)
    _check_bound(over)
    # An error within leaves the variables that it hides as they are now.
    low.machine.note(state)

    def go(place: int, now: State, again: Then) -> Tree:
        one = over[place]
        if one.is_async:
            raise UnsupportedError("an asynchronous comprehension")

        def round_(element: Term, s: State, further: Then) -> Tree:
            def checked(s2: State) -> Tree:
                return filtered(list(one.ifs), s2)

            def filtered(left: list[ast.expr], s2: State) -> Tree:
                if left:
                    return low.test(left[0], s2, lambda s3: filtered(left[1:], s3), further)
                if place + 1 < len(over):
                    return go(place + 1, s2, further)
                return inside(s2, further)

            return bind_target(one.target, element, s, checked, low)

        return low.go_through(one.iter, now, [n for n in names if n not in targets], round_, again)

    return go(0, state, lambda s: after(restored(s)))
