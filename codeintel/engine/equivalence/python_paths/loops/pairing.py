"""Lists that are gone through side by side: which of them are known to be equally long."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import State, Term, kind_of
from codeintel.engine.equivalence.python_paths.kinds import base_of, element_kind
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import operations, whole_numbers


def lists(nodes: list[ast.expr], names: list[str], state: State, low: Lowering) -> list[Term]:
    """The lists that variables hold which a loop does not set; empty if one is something else."""
    found: list[Term] = []
    for node in nodes:
        if not isinstance(node, ast.Name) or node.id not in low.local or node.id in names:
            return []
        value = state.names.get(node.id)
        if not isinstance(value, tuple) or not is_list(value):
            return []
        found.append(value)
    return found


def is_list(value: Term) -> bool:
    """Whether a value is a list, as far as its kind tells."""
    return base_of(kind_of(value)) == "list"


def equally_long(one: Term, other: Term, state: State) -> bool:
    """Whether two lists are known to have as many elements."""
    a, b = operations.size(one, state), operations.size(other, state)
    if a is None or b is None:
        return False
    return one == other or whole_numbers.equal(a, b, tuple(state.fixed.items()))


def partners(value: Term, state: State) -> list[Term]:
    """Other lists that are as long as this one."""
    others = {
        each for each in state.names.values() if isinstance(each, tuple) and is_list(each)
    } - {value}
    return [each for each in others if equally_long(value, each, state)]


def element(owner: Term, place: Term, state: State) -> Term:
    """The element at a place that is surely there."""
    return ("op", "element", owner, place, state.version, element_kind(kind_of(owner)))
