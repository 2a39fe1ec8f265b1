"""`while` loops that count, and those that a variable ends."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codeintel.engine.equivalence.path_trees.terms import State, kind_of
from codeintel.engine.equivalence.python_paths.lowering import Lowering, stored_names

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def as_range(node: ast.While, names: Sequence[str], state: State, low: Lowering) -> ast.For | None:
    """`while i < n: ...; i += 1` as `for i in range(i, n): ...; i += 1`, where nothing but the last
    statement sets the variable and nothing sets the bound. Both are whole numbers."""
    match node.test:
        case ast.Compare(
            left=ast.Name() as left, ops=[ast.Lt() | ast.LtE() as operator], comparators=[right]
        ):
            counter, bound = left, right
        case ast.Compare(
            left=left, ops=[ast.Gt() | ast.GtE() as operator], comparators=[ast.Name() as right]
        ):
            counter, bound = right, left
        case _:
            return None
    *before, last = node.body
    if not _is_step(last, counter.id) or counter.id in stored_names(before):
        return None
    if any(_goes_on(each) for each in before):
        return None
    if not _is_whole(counter, state, low) or not _is_fixed(bound, names, state, low):
        return None
    if isinstance(operator, ast.LtE | ast.GtE):
        bound = ast.BinOp(bound, ast.Add(), ast.Constant(1))
    target = ast.Name(counter.id, ast.Store())
    over = ast.Call(ast.Name("range", ast.Load()), [counter, bound], [])
    if not low.is_builtin(over.func, "range"):
        return None
    return ast.For(target, over, node.body, node.orelse)


def _is_step(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.AugAssign(
            target=ast.Name(id=set_), op=ast.Add(), value=ast.Constant(value=int() as step)
        ):
            return set_ == name and step is not True and step == 1
        case ast.Assign(
            targets=[ast.Name(id=set_)],
            value=ast.BinOp(
                left=ast.Name(id=read), op=ast.Add(), right=ast.Constant(value=int() as step)
            ),
        ):
            return set_ == read == name and step is not True and step == 1
    return False


def _goes_on(node: ast.AST) -> bool:
    """Whether a statement may begin the next round, without the last statement of this one."""
    if isinstance(node, ast.Continue):
        return True
    if isinstance(node, _LOOPS):
        return any(_goes_on(each) for each in node.orelse)
    if isinstance(node, _SCOPES):
        return False
    return any(_goes_on(each) for each in ast.iter_child_nodes(node))


def _is_whole(node: ast.Name, state: State, low: Lowering) -> bool:
    value = state.names.get(node.id)
    return node.id in low.local and value is not None and kind_of(value) == "int"


def _is_fixed(node: ast.expr, names: Sequence[str], state: State, low: Lowering) -> bool:
    """Whether a bound is a whole number that stays as it is."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Name) and node.id not in names and _is_whole(node, state, low)


def is_over(test: ast.expr, state: State, low: Lowering) -> bool:
    """Whether a condition is known to be false, so that asking it does nothing."""
    if isinstance(test, ast.Constant):
        return not test.value
    return low.test(test, state, lambda _s: ("round",), lambda _s: ("over",)) == ("over",)
