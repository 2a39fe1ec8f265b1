"""Dictionaries of a function whose values are never None.

`best.get(key)` of such a dictionary is None only where the key is missing. A value of which an item
is read is not None: `best[each["id"]] = each` would have raised otherwise.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from .changes import Function

_READ = frozenset(("get", "keys", "values", "items"))
_GONE_THROUGH = frozenset(("len", "list", "sorted", "tuple", "set", "iter", "enumerate"))
_LATER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BLOCKS = ("body", "orelse", "finalbody")


def full_dictionaries(function: Function) -> frozenset[str]:
    """The variables that are bound once, to an empty dictionary that only gets values that are not
    None, and that nobody else can change."""
    tree = _Tree(function)
    return frozenset(name for name in tree.dictionaries() if tree.is_full(name))


class _Tree:
    """A function, with what each of its nodes stands in."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._outer = {
            id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)
        }
        self._stored = Counter(
            each.id
            for each in ast.walk(function)
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
        )

    def dictionaries(self) -> Iterator[str]:
        """The variables that are bound once, to an empty dictionary."""
        for node in ast.walk(self._function):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
            elif isinstance(node, ast.AnnAssign):
                target = node.target
            else:
                continue
            is_empty = isinstance(node.value, ast.Dict) and not node.value.keys
            if is_empty and isinstance(target, ast.Name) and self._stored[target.id] == 1:
                yield target.id

    def is_full(self, name: str) -> bool:
        """Whether each use of a dictionary leaves it without None."""
        return all(
            self._is_harmless(each)
            for each in ast.walk(self._function)
            if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
        )

    def _is_harmless(self, name: ast.Name) -> bool:
        outer = self._outer[id(name)]
        if isinstance(outer, ast.Subscript) and outer.value is name:
            return not isinstance(outer.ctx, ast.Store) or self._is_full_store(outer)
        if isinstance(outer, ast.Attribute):
            return outer.attr in _READ and isinstance(self._outer[id(outer)], ast.Call)
        if isinstance(outer, ast.Compare):
            return all(isinstance(each, ast.In | ast.NotIn) for each in outer.ops)
        if isinstance(outer, ast.Call):
            return isinstance(outer.func, ast.Name) and outer.func.id in _GONE_THROUGH
        return isinstance(outer, ast.For | ast.comprehension) and outer.iter is name

    def _is_full_store(self, target: ast.Subscript) -> bool:
        """Whether what is stored is not None."""
        statement = self._outer[id(target)]
        if not isinstance(statement, ast.Assign):
            return False
        value = statement.value
        if isinstance(value, ast.Constant):
            return value.value is not None
        return isinstance(value, ast.Name) and self._has_items(value.id, statement)

    def _has_items(self, name: str, statement: ast.stmt) -> bool:
        """Whether an item of a loop's variable is read before a statement or in it, each time."""
        node: ast.AST = statement
        found = any(_reads(part, name) for part in _always(statement))
        while not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            outer = self._outer[id(node)]
            for field in _BLOCKS:
                block = getattr(outer, field, None)
                if isinstance(block, list) and node in block:
                    before = block[: block.index(node)]
                    found = found or any(_reads(e, name) for s in before for e in _always(s))
            if isinstance(outer, ast.If):
                found = found or _reads(outer.test, name)
            if isinstance(outer, ast.For) and node in outer.body and _is(outer.target, name):
                return found and self._stored[name] == 1
            node = outer
        return False


def _always(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement that are evaluated whenever it runs to its end."""
    if isinstance(statement, ast.Assign):
        yield from (statement.value, *statement.targets)
    elif isinstance(statement, ast.Expr | ast.AugAssign | ast.AnnAssign):
        yield from (statement.value,) if statement.value is not None else ()
    elif isinstance(statement, ast.If | ast.While):
        yield statement.test
    elif isinstance(statement, ast.For):
        yield statement.iter


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _reads(node: ast.expr, name: str) -> bool:
    """Whether an item of a variable is read whenever an expression is evaluated."""
    is_item = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
    if is_item and _is(node.value, name):  # type: ignore[attr-defined]
        return not isinstance(node.slice, ast.Slice)  # type: ignore[attr-defined]
    if isinstance(node, ast.BoolOp):
        return _reads(node.values[0], name)
    if isinstance(node, ast.IfExp):
        return _reads(node.test, name)
    if isinstance(node, ast.Compare):
        return any(_reads(each, name) for each in (node.left, node.comparators[0]))
    if isinstance(node, _LATER):
        return False
    return any(
        _reads(each, name)
        for child in ast.iter_child_nodes(node)
        for each in ([child] if isinstance(child, ast.expr) else _of_keyword(child))
    )


def _of_keyword(node: ast.AST) -> list[ast.expr]:
    return [node.value] if isinstance(node, ast.keyword) else []
