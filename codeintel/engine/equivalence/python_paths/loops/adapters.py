"""`enumerate`, `map` and `filter`: going through what they go through."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from codeintel.engine.equivalence.normal_form.definitions import ENDING
from codeintel.engine.equivalence.path_trees.terms import (
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.loops.rounds import carried
from codeintel.engine.equivalence.python_paths.lowering import Lowering, Round


def enumerated(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    """Go through `enumerate`; None for what is not followed."""
    if not 1 <= len(args) <= 2:
        return None
    start = args[1] if len(args) == 2 else ast.Constant(0)
    if not isinstance(start, ast.Constant) or type(start.value) is not int:
        return None
    counter = low.hidden()
    return counted(counter, constant(start.value), args[0], state, names, each, after, low)


def counted(
    counter: str,
    start: Term,
    source: ast.expr,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree:
    """Go through elements, each with its number."""

    def one(element: Term, now: State, again: Then) -> Tree:
        number = now.names[counter]

        def further(end: State) -> Tree:
            return again(end.bind(counter, _one_more(end.names[counter])))

        return each(("tuple", number, element), now, further)

    begun = state.bind(counter, start)
    return low.go_through(source, begun, [*names, counter], one, lambda s: after(s.unbind(counter)))


def _one_more(number: object) -> Term:
    return ("op", "Add", number, constant(1), "int")


def mapped(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    """Go through `map`; None for what is not followed."""
    if len(args) != 2 or low.context.facts.words & ENDING:
        return None
    function, source = args
    if not _is_steady(function, low):
        return None
    return low.go_through(
        source,
        state,
        [*names, *(n for n in carried([function], state, low) if n not in names)],
        lambda v, s, again: applied(function, v, s, lambda r, s2: each(r, s2, again), low),
        after,
    )


def filtered(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    """Go through `filter`; None for what is not followed."""
    if len(args) != 2 or low.context.facts.words & ENDING:
        return None
    function, source = args

    def one(element: Term, now: State, again: Then) -> Tree:
        def kept(s: State) -> Tree:
            return each(element, s, again)

        if isinstance(function, ast.Constant) and function.value is None:
            return low.truth(element, now, kept, again)
        if isinstance(function, ast.Lambda):
            name = low.hidden()
            inside, bound = _opened(function, element, name, now)
            return low.test(
                inside, bound, lambda s: kept(s.unbind(name)), lambda s: again(s.unbind(name))
            )
        return applied(function, element, now, lambda r, s: low.truth(r, s, kept, again), low)

    is_none = isinstance(function, ast.Constant) and function.value is None
    if not is_none and not _is_steady(function, low):
        return None
    inner = [*names, *(n for n in carried([function], state, low) if n not in names)]
    return low.go_through(source, state, inner, one, after)


def _is_steady(node: ast.expr, low: Lowering) -> bool:
    """Whether it is the same function each time it is called: one written here, or one that is
    bound once."""
    if isinstance(node, ast.Lambda):
        given = node.args
        plain = len(given.args) == 1 and not given.posonlyargs and not given.kwonlyargs
        return plain and not (given.defaults or given.vararg or given.kwarg)
    if isinstance(node, ast.Name) and node.id not in low.local:
        known = node.id in low.program.bound or low.context.means_builtin(node.id)
        return known or "." in node.id
    match node:
        case ast.Attribute(value=ast.Name() as owner):
            return low.is_builtin(owner, "str")
    return False


def _opened(function: ast.Lambda, element: Term, name: str, state: State) -> tuple[ast.expr, State]:
    old = function.args.args[0].arg
    inside = _Renaming({old: name}).visit(copy.deepcopy(function.body))
    return inside, state.bind(name, element)


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_Lambda(self, _node: ast.Lambda) -> ast.AST:
        raise UnsupportedError("a function within a function")


def applied(
    function: ast.expr,
    element: Term,
    state: State,
    then: Callable[[Term, State], Tree],
    low: Lowering,
) -> Tree:
    """What a function gives of an element."""
    name = low.hidden()
    if isinstance(function, ast.Lambda):
        inside, bound = _opened(function, element, name, state)
        return low.value(inside, bound, lambda v, s: then(v, s.unbind(name)))
    argument = ast.Name(name, ast.Load())
    call: ast.expr = ast.Call(function, [argument], [])
    match function:
        case ast.Attribute(value=ast.Name(id="str"), attr=attribute) if kind_of(element) == "str":
            call = ast.Call(ast.Attribute(argument, attribute, ast.Load()), [], [])
    return low.value(call, state.bind(name, element), lambda v, s: then(v, s.unbind(name)))
