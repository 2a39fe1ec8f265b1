"""Lists that are gone through side by side, or by their places."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from codeintel.engine.equivalence.path_trees.machine import has_effects
from codeintel.engine.equivalence.path_trees.terms import State, Term, Then, Tree, constant, kind_of
from codeintel.engine.equivalence.python_paths.kinds import base_of, element_kind
from codeintel.engine.equivalence.python_paths.loops import adapters
from codeintel.engine.equivalence.python_paths.lowering import Lowering, Round
from codeintel.engine.equivalence.python_paths.values import operations, whole_numbers


def ranged(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    """`range(len(x))` of a list goes through its places, and reading the item is the element, as
    long as nothing is done that could change the list."""
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
        lambda end: adapters.counted(counter, constant(0), source, state, names, one, end, low),
    )


def _unchanging(state: State, after: Then, build: Callable[[Then], Tree]) -> Tree | None:
    """A loop in which nothing is done that could change what it goes through; else None."""
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
    """`zip` of lists goes through the first, and through the others by its places. It ends where
    another ends first, unless all are known to be equally long."""
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
        lambda end: adapters.counted(counter, constant(0), args[0], state, names, one, end, low),
    )


def _lists(nodes: list[ast.expr], names: list[str], state: State, low: Lowering) -> list[Term]:
    """The lists that variables hold which a loop does not set; empty if one is something else."""
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
    """Whether a value is a list, as far as its kind tells."""
    return base_of(kind_of(value)) == "list"


def _equally_long(one: Term, other: Term, state: State) -> bool:
    """Whether two lists are known to have as many elements."""
    a, b = operations.size(one, state), operations.size(other, state)
    if a is None or b is None:
        return False
    return one == other or whole_numbers.equal(a, b, tuple(state.fixed.items()))


def _partners(value: Term, state: State) -> list[Term]:
    """Other lists that are as long as this one."""
    others = {
        each for each in state.names.values() if isinstance(each, tuple) and _is_list(each)
    } - {value}
    return [each for each in others if _equally_long(value, each, state)]


def _element(owner: Term, place: Term, state: State) -> Term:
    """The element at a place that is surely there."""
    return ("op", "element", owner, place, state.version, element_kind(kind_of(owner)))
