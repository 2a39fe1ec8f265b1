"""Find out whether running a Python program reveals the numbers that it computes with.

Small values rarely reveal a limit such as the length of a slice or the size of a buffer. They do
reveal a number that is compared, added, multiplied or divided by. The runs must then reach both
sides of each comparison, each member of a collection after `in`, and nonzero quotients. They also
reveal a number in a variable that is only compared, if they meet an equal value.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from codeintel.engine.syntax import source_of

_TRIVIAL = 1
_LARGEST = 10_000_000
_FEW = 40
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def are_observable(before: str, after: str) -> bool:
    """Return whether runs reveal every number whose count differs between the two programs.

    At least one of these numbers must occur in one program only.
    """
    trees = source_of(before).python(), source_of(after).python()
    one, other = (Counter(value for value, _ in _numbers(tree)) for tree in trees)
    differing = {value for value in one.keys() | other.keys() if one[value] != other[value]}
    return not differing <= (one.keys() & other.keys()) and all(
        is_shown for tree in trees for value, is_shown in _numbers(tree) if value in differing
    )


def _numbers(tree: ast.Module) -> Iterator[tuple[int, bool]]:
    """Yield the nontrivial integers, each with whether runs reveal it.

    Other numbers, such as 0.5, count as not revealed.
    """
    shown = {id(each) for node in ast.walk(tree) for each in _shown(node)}
    shown |= {id(each) for node in ast.walk(tree) for each in _held(node)}
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
    """Yield the operands whose values a run reveals, unless something hides the result."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], _COMPARISONS):
        yield from (node.left, *node.comparators)
    elif _has_members(node):
        yield from node.comparators[0].elts  # type: ignore[attr-defined]
    elif _is_divmod(node):
        yield from node.args[1:]  # type: ignore[attr-defined]


def _has_members(node: ast.AST) -> bool:
    """Return whether the node tests membership in a few integers and strings."""
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
        return False
    members = node.comparators[0]
    is_few = isinstance(members, ast.Tuple | ast.List | ast.Set) and len(members.elts) <= _FEW
    return (
        isinstance(node.ops[0], ast.In | ast.NotIn)
        and is_few
        and all(isinstance(each, ast.Constant) for each in members.elts)  # type: ignore[attr-defined]
        and all(type(each.value) in (int, str) for each in members.elts)  # type: ignore[attr-defined]
    )


def _held(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the values of a function's variables that are only compared."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    nodes = list(ast.walk(node))
    if any(isinstance(each, ast.Global | ast.Nonlocal) for each in nodes):
        return
    compared = {
        id(operand)
        for each in nodes
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], _COMPARISONS)
        for operand in (each.left, *each.comparators)
    }
    used = {
        each.id
        for each in nodes
        if isinstance(each, ast.Name)
        and isinstance(each.ctx, ast.Load)
        and id(each) not in compared
    }
    for each in nodes:
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            target = each.targets[0]
            if isinstance(target, ast.Name) and target.id not in used:
                yield each.value


def _hiding(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield code in which a number can be a limit that runs do not reach: subscripts, arguments,
    defaults, and computations outside of functions."""
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
