"""Whether running a Python program shows which numbers it computes with.

A limit that runs seldom reach, such as the length of a slice or the size of a buffer, does not show
with small values. A number that is compared, added, multiplied or divided by does: the runs must
reach both sides of each comparison, and quotients other than zero.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from codeintel.engine.syntax import source_of

_TRIVIAL = 1
_LARGEST = 10_000_000
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def are_observable(before: str, after: str) -> bool:
    """Whether each number that two programs do not use equally often stands where runs show its
    value, and one of them is in one program alone."""
    trees = source_of(before).python(), source_of(after).python()
    one, other = (Counter(value for value, _ in _numbers(tree)) for tree in trees)
    differing = {value for value in one.keys() | other.keys() if one[value] != other[value]}
    return not differing <= (one.keys() & other.keys()) and all(
        is_shown for tree in trees for value, is_shown in _numbers(tree) if value in differing
    )


def _numbers(tree: ast.Module) -> Iterator[tuple[int, bool]]:
    """The whole numbers of a program that are not trivial, and whether they stand where runs show
    them. Others, such as 0.5, are told as not shown."""
    shown = {id(each) for node in ast.walk(tree) for each in _shown(node)}
    hidden = {id(each) for top in _hiding(tree) for each in ast.walk(top)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
            continue
        if isinstance(node.value, int) and abs(node.value) > _TRIVIAL:
            is_shown = id(node) in shown and id(node) not in hidden
            yield node.value, is_shown and node.value <= _LARGEST
        elif isinstance(node.value, float):
            yield hash(node.value), False


def _shown(node: ast.AST) -> Iterator[ast.expr]:
    """The operands whose values a run shows, if their result is not hidden."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], _COMPARISONS):
        yield from (node.left, *node.comparators)
    elif _is_divmod(node):
        yield from node.args[1:]  # type: ignore[attr-defined]


def _hiding(tree: ast.Module) -> Iterator[ast.AST]:
    """Code in which a number may be a limit that runs do not reach: places in sequences, arguments
    of calls, defaults, and what is computed outside of functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            yield node.slice
        elif isinstance(node, ast.Call) and not _is_divmod(node):
            yield from (*node.args, *node.keywords)
        elif isinstance(node, ast.arguments):
            yield from (*node.defaults, *(each for each in node.kw_defaults if each is not None))
        elif isinstance(node, ast.Module | ast.ClassDef):
            yield from (each for each in node.body if not isinstance(each, _DEFINITIONS))


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _is_divmod(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "divmod"
