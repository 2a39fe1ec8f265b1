"""Iterate over values: by kind of loop, by index, and through adapters such as `enumerate`."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import replace

from codeintel.engine.equivalence.normal_form.definitions import ENDING
from codeintel.engine.equivalence.path_trees import (
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.path_trees.machine import has_effects
from codeintel.engine.equivalence.python_paths import operations, texts, whole_numbers
from codeintel.engine.equivalence.python_paths.expressions import rounds
from codeintel.engine.equivalence.python_paths.expressions.rounds import carried
from codeintel.engine.equivalence.python_paths.kinds import base_of, element_kind
from codeintel.engine.equivalence.python_paths.lowering import Lowering, Round


def enumerated(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    """Iterate over `enumerate`, or return None if the call is not supported."""
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
    """Iterate over elements, each with its number."""

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
    """Iterate over `map`, or return None if the call is not supported."""
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
    """Iterate over `filter`, or return None if the call is not supported."""
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
    """Return whether each call uses the same function: a lambda, or a name that is bound once."""
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
        raise UnsupportedError("a nested function")


def applied(
    function: ast.expr,
    element: Term,
    state: State,
    then: Callable[[Term, State], Tree],
    low: Lowering,
) -> Tree:
    """Apply a function to an element."""
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


def ranged(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    """Lower `range(len(x))` of a list as a loop over its elements, if nothing in it can change
    the list."""
    match args:
        case [ast.Call(func=function, args=[ast.Name() as source], keywords=[])]:
            if not low.is_builtin(function, "len") or low.held(source, state) is not None:
                return None
        case _:
            return None
    value = state.names.get(source.id)
    if not isinstance(value, tuple) or source.id in names:
        return None
    if kind_of(value).partition("<")[0] not in {"list", "str"}:
        return None

    def one(element: Term, now: State, again: Then) -> Tree:
        number, item = element[1], element[2]
        reads = {**now.reads, ("item", value, number): item}
        for each_other in others:
            there = _element(each_other, number, state)
            reads["item", each_other, number] = there
        return each(number, replace(now, reads=reads), again)

    others = _partners(value, state)
    counter = low.hidden()
    return _unchanging(
        state,
        after,
        lambda end: counted(counter, constant(0), source, state, names, one, end, low),
    )


def _unchanging(state: State, after: Then, build: Callable[[Then], Tree]) -> Tree | None:
    """Return a loop whose body cannot change its iterable, or None."""
    folded: list[bool] = []

    def ended(s: State) -> Tree:
        folded.append(s.count == state.count)
        return after(s)

    tree = build(ended)
    if folded and folded[-1]:
        return tree
    inner = tree
    while inner[0] == "event":
        inner = inner[3]
    return tree if inner[0] == "loop" and not has_effects(inner[4]) else None


def zipped(
    args: list[ast.expr],
    keywords: list[ast.keyword],
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree | None:
    """Lower `zip` of lists as a loop over the first that reads the others by index.

    It ends with the shortest list, unless all are known to have the same length.
    """
    found = _lists(args, names, state, low)
    strict = [each.value for each in keywords if each.arg == "strict"]
    known = all(isinstance(value, ast.Constant) for value in strict)
    if not found or len(strict) != len(keywords) or not known:
        return None
    first, *others = found
    unsure = [other for other in others if not _equally_long(first, other, state)]
    if unsure and any(value.value for value in strict):  # type: ignore[attr-defined]
        return None

    def one(element: Term, now: State, again: Then) -> Tree:
        number, item = element[1], element[2]
        rest = [_element(other, number, state) for other in others]

        def go(left: list[Term], s: State) -> Tree:
            if not left:
                return each(("tuple", item, *rest), s, again)
            size = operations.size(left[0], state)
            asked: Term = ("<", number, size)
            return low.machine.branch(asked, s, lambda s2: go(left[1:], s2), ended, is_fixed=True)

        return go(unsure, now)

    def ended(s: State) -> Tree:
        return after(s.unbind(counter))

    counter = low.hidden()
    return _unchanging(
        state,
        after,
        lambda end: counted(counter, constant(0), args[0], state, names, one, end, low),
    )


def _lists(nodes: list[ast.expr], names: list[str], state: State, low: Lowering) -> list[Term]:
    """Return the lists in variables that the loop does not assign, or an empty list if any value
    is something else."""
    found: list[Term] = []
    for node in nodes:
        if not isinstance(node, ast.Name) or node.id not in low.local or node.id in names:
            return []
        value = state.names.get(node.id)
        if not isinstance(value, tuple) or not _is_list(value):
            return []
        found.append(value)
    return found


def _is_list(value: Term) -> bool:
    """Return whether a value's kind is a list."""
    return base_of(kind_of(value)) == "list"


def _equally_long(one: Term, other: Term, state: State) -> bool:
    """Return whether two lists are known to have the same length."""
    a, b = operations.size(one, state), operations.size(other, state)
    if a is None or b is None:
        return False
    return one == other or whole_numbers.equal(a, b, tuple(state.fixed.items()))


def _partners(value: Term, state: State) -> list[Term]:
    """Return the other lists that have the same length as this one."""
    others = {
        each for each in state.names.values() if isinstance(each, tuple) and _is_list(each)
    } - {value}
    return [each for each in others if _equally_long(value, each, state)]


def _element(owner: Term, place: Term, state: State) -> Term:
    """Return the element at an index that is known to exist."""
    return ("op", "element", owner, place, state.version, element_kind(kind_of(owner)))


_SPECIAL = {
    "enumerate": enumerated,
    "map": mapped,
    "filter": filtered,
    "range": ranged,
}


def go_through(
    node: ast.expr, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    """Iterate over the elements of an expression."""
    node = low.resolved(node)
    match node:
        case ast.GeneratorExp(elt=element, generators=over):
            inner = [*names, *(n for n in rounds.carried([node], state, low) if n not in names)]
            rounds.check_scope(node)
            back = rounds.outside(over, state)
            return rounds.generators(
                over,
                state,
                inner,
                lambda s, again: low.value(element, s, lambda v, s2: each(v, back(s2), again)),
                after,
                low,
            )
        case ast.Call(func=function, args=[_, _, *_] as args, keywords=keywords) if (
            low.is_builtin(function, "zip")
            and (paired := zipped(args, keywords, state, names, each, after, low)) is not None
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
    found = texts.asked(node, low)
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
