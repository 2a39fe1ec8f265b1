"""In what two programs differ, function by function, as far as it decides what calls can prove."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .beyond import has_other_none_tests, settled_by_nothing
from .changes import (
    functions,
    loose,
    reaching,
    rewritten,
    words_of,
)
from .comparisons import compare_otherwise, constants_in
from .operations import unknown_operation, uses
from .sensitive import Operation, differing, exchanged

_Pair = tuple[list[ast.AST], list[ast.AST]]


class Differences(NamedTuple):
    """What a comparison has to look at.

    :param unsettled: the name of something that calls do not settle; empty if there is none.
    :param operations: the methods whose use differs: odd values must be tried on them.
    :param nones: whether tests for None and tests for being empty must be told apart.
    :param numbers: whether numbers differ.
    :param fractions: whether comparisons differ, and may meet `nan`.
    :param members: whether the constants differ with which values are compared by `in`.
    :param lengths: whether only one fills up the shorter of two sides.
    :param rewritten: the functions that the other program does not have, or has otherwise.
    """

    unsettled: str = ""
    operations: frozenset[Operation] = frozenset()
    nones: bool = False
    numbers: bool = False
    fractions: bool = False
    members: bool = False
    lengths: bool = False
    rewritten: frozenset[str] = frozenset()


NOTHING = Differences()


def differences(
    tree: ast.Module, other: ast.Module, here: frozenset[str], there: frozenset[str]
) -> Differences:
    """Compare the functions of `here` and `there` by their names, each with what it calls and the
    statements of the module that it uses. Functions that only one program has are compared where
    they are called; those that nothing else calls, all together."""
    pairs = list(_pairs(tree, other, here, there))
    unsettled = next(filter(None, (_unsettled(*pair) for pair in pairs)), "")
    return Differences(
        unsettled,
        frozenset[Operation]().union(*(differing(*pair) for pair in pairs)),
        any(has_other_none_tests(*pair) for pair in pairs),
        any(_numbers(one) != _numbers(two) for one, two in pairs),
        any(compare_otherwise(*pair) for pair in pairs),
        any(_members(one) != _members(two) for one, two in pairs),
        any(len(list(uses(one))) != len(list(uses(two))) for one, two in pairs),
        rewritten(tree, other),
    )


def _unsettled(one: list[ast.AST], two: list[ast.AST]) -> str:
    return exchanged(one, two) or settled_by_nothing(one, two) or unknown_operation(one, two)


def _pairs(
    tree: ast.Module, other: ast.Module, here: frozenset[str], there: frozenset[str]
) -> Iterator[_Pair]:
    one, two = _Side(tree), _Side(other)
    both = sorted(here & there)
    for name in both:
        yield one.nodes({name}), two.nodes({name})
    rest = here - one.reached(both), there - two.reached(both)
    if rest[0] or rest[1] or not both:
        yield one.nodes(rest[0]), two.nodes(rest[1])


class _Side:
    """One of the programs."""

    def __init__(self, tree: ast.Module) -> None:
        self._units = functions(tree)
        self._reaching = reaching(tree)
        self._loose = list(loose(tree))

    def reached(self, names: list[str]) -> frozenset[str]:
        """The functions that some functions call, and these."""
        return frozenset[str]().union(*(self._reaching.get(name, ()) for name in names))

    def nodes(self, names: frozenset[str] | set[str]) -> list[ast.AST]:
        """Functions, what they call, and what they use of the module and of their classes, directly
        or through others: constants, compiled expressions."""
        called = self.reached(sorted(names)) & self._units.keys()
        used: list[ast.AST] = []
        while True:
            words = set().union(*(words_of(self._units[name]) for name in called))
            words |= set().union(*map(words_of, used))
            words |= {name.partition(".")[0] for name in called if "." in name}
            more = [node for bound, node in self._loose if bound & words and node not in used]
            new = self.reached(sorted(words & self._units.keys())) - called
            if not more and not new:
                return [*(self._units[name] for name in sorted(called)), *used]
            used += more
            called |= new & self._units.keys()


def _numbers(nodes: list[ast.AST]) -> Counter[int]:
    """The whole numbers in some nodes."""
    return Counter(
        each.value
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and type(each.value) is int
    )


def _members(nodes: list[ast.AST]) -> Counter[frozenset[int | str]]:
    """The collections of constants in which values are looked for by `in`."""
    return Counter(
        frozenset(constants_in(each.comparators[0]))
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.In | ast.NotIn)
    )
