"""Going through values: by which kind of loop."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import State, Term, Then, Tree, kind_of
from codeintel.engine.equivalence.python_paths.loops import (
    adapters,
    comprehensions,
    pairing,
    rounds,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering, Round
from codeintel.engine.equivalence.python_paths.values import regexes

_SPECIAL = {
    "enumerate": adapters.enumerated,
    "map": adapters.mapped,
    "filter": adapters.filtered,
    "range": pairing.ranged,
}


def go_through(
    node: ast.expr, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    """Go through what an expression gives."""
    node = low.resolved(node)
    match node:
        case ast.GeneratorExp(elt=element, generators=over):
            inner = [*names, *(n for n in rounds.carried([node], state, low) if n not in names)]
            comprehensions.check_scope(node)
            back = comprehensions.outside(over, state)
            return comprehensions.generators(
                over,
                state,
                inner,
                lambda s, again: low.value(element, s, lambda v, s2: each(v, back(s2), again)),
                after,
                low,
            )
        case ast.Call(func=function, args=[_, _, *_] as args, keywords=keywords) if (
            low.is_builtin(function, "zip")
            and (paired := pairing.zipped(args, keywords, state, names, each, after, low))
            is not None
        ):
            return paired
        case ast.Call(func=function, args=args, keywords=[]) if not any(
            isinstance(arg, ast.Starred) for arg in args
        ):
            for name, special in _SPECIAL.items():
                if low.is_builtin(function, name):
                    found = special(args, state, names, each, after, low)
                    if found is not None:
                        return found
            match function:
                case ast.Attribute(value=owner, attr="items" | "keys" | "values" as part):
                    held = low.held(owner, state)
                    if held is not None and not args and _name(owner) not in names:
                        return rounds.of_held(held, part, state, names, each, after, low)
                    if not args and held is None:
                        return low.value(
                            owner,
                            state,
                            lambda v, s: rounds.of_part(v, part, s, names, each, after, low),
                        )
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if not any(
            isinstance(e, ast.Starred) for e in elements
        ):
            return low.values(
                elements, state, lambda vs, s: rounds.of_several(vs, s, names, each, after, low)
            )
    found = regexes.asked(node, low)
    if found is not None:
        method, pattern, kind, text = found

        def search(where: Term, s: State) -> Tree:
            if kind_of(where) != "str":
                raise rounds.NotFollowedError
            return rounds.matches(method, pattern, kind, where, s, names, each, after, low)

        try:
            return low.value(text, state, search)
        except rounds.NotFollowedError:
            pass
    held = low.held(node, state)
    if held is not None and _name(node) not in names:
        return rounds.of_held(held, "keys", state, names, each, after, low)
    return low.any(node, state, lambda v, s: rounds.of_value(v, s, names, each, after, low))


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
