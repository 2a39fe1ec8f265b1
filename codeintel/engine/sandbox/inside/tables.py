"""Tables of a module whose values are never empty, and the variables that hold what they find."""

from __future__ import annotations

import ast
from collections import Counter

from .changes import Function


def full_tables(tree: ast.Module) -> frozenset[str]:
    """Names that are bound once, to a dictionary of functions and of constants that are true, such
    as a table of operators."""
    found: set[str] = set()
    bound: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound[node.id] += 1
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        if isinstance(value, ast.Dict) and all(map(_is_full, value.values)):
            found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return frozenset(name for name in found if bound[name] == 1)


def _is_full(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return bool(node.value)
    return isinstance(node, ast.Lambda | ast.Attribute | ast.Name)


def looked_up(function: Function, tables: frozenset[str]) -> frozenset[str]:
    """The variables of a function that are bound once, to what a table has under some key."""
    bound: Counter[str] = Counter()
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound[node.id] += 1
        if isinstance(node, ast.Assign) and _is_lookup(node.value, tables):
            found |= {each.id for each in node.targets if isinstance(each, ast.Name)}
        if isinstance(node, ast.NamedExpr) and _is_lookup(node.value, tables):
            found.add(node.target.id)
    return frozenset(name for name in found if bound[name] == 1)


def _is_lookup(node: ast.expr, tables: frozenset[str]) -> bool:
    """Whether it is `TABLE.get(key)`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and len(node.args) == 1
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in tables
    )
