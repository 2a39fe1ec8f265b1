"""Comparisons that `nan` decides otherwise, and the operands that may be `nan`.

All comparisons with `nan` are false, so `not a < b` is not `b <= a`, and `min(a, b)` depends on
the order of its arguments. Where two programs compare fractions in other ways, calls must have met
`nan` on each side of each comparison on which it can stand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Nodes = Iterable[ast.AST]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OPPOSITE = {"Gt": "Lt", "GtE": "LtE"}
_WHOLE = frozenset(("len", "int", "ord"))
_WHOLE_TYPES = frozenset(("int", "bool"))
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


def compare_otherwise(one: Nodes, other: Nodes) -> bool:
    """Whether two programs may compute with fractions, and compare them by other operators."""
    one, other = list(one), list(other)
    has_fractions = _has_fractions(one) or _has_fractions(other)
    return has_fractions and set(_orders(one)) != set(_orders(other))


def can_be_watched(nodes: Nodes) -> bool:
    """Whether calls can show what each comparison meets: all stand in functions and have two
    sides."""
    for node in nodes:
        comparisons = [each for each in ast.walk(node) if _order(each)]
        if comparisons and not isinstance(node, _FUNCTIONS):
            return False
        if any(isinstance(each, ast.Call) and not is_choice(each) for each in comparisons):
            return False
    return True


def is_choice(node: ast.AST) -> bool:
    """Whether it is `min` or `max` of two values."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("min", "max")
        and len(node.args) == 2
        and not node.keywords
        and not any(isinstance(each, ast.Starred) for each in node.args)
    )


class Whole:
    """What is never `nan` in a function, as far as annotations and constants tell.

    :param attributes: of `self`, that are whole numbers.
    """

    def __init__(
        self,
        function: ast.FunctionDef | ast.AsyncFunctionDef,
        attributes: frozenset[str] = frozenset(),
    ) -> None:
        given = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        self._names = {
            each.arg
            for each in given
            if isinstance(each.annotation, ast.Name) and each.annotation.id in _WHOLE_TYPES
        }.difference(*map(_rebound, function.body))
        self._attributes = attributes

    def is_whole(self, node: ast.expr) -> bool:
        """Whether an expression is never `nan`: a constant, a whole number, or made of one."""
        if isinstance(node, ast.Call) and _name(node) == "float" and len(node.args) == 1:
            return self.is_int(node.args[0])
        return isinstance(node, ast.Constant) or self.is_int(node)

    def is_int(self, node: ast.expr) -> bool:
        """Whether it is a whole number: fractions may become infinite, then `nan`."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int)
        if isinstance(node, ast.Name):
            return node.id in self._names
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
            return is_own and node.attr in self._attributes
        if isinstance(node, ast.UnaryOp):
            return self.is_int(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
            return self.is_int(node.left) and self.is_int(node.right)
        return isinstance(node, ast.Call) and _name(node) in _WHOLE


def _rebound(node: ast.AST) -> Iterator[str]:
    """The names that a piece of code binds."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            yield each.id
        elif isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(getattr(each, "name", None), str):
            yield each.name  # type: ignore[attr-defined]


def whole_attributes(tree: ast.Module) -> dict[str, frozenset[str]]:
    """Of each class, the attributes that its methods bind to nothing but whole numbers."""
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        bound: dict[str, list[bool]] = {}
        for method in node.body:
            if isinstance(method, _FUNCTIONS):
                whole = Whole(method)
                for attribute, value in _bindings(method):
                    is_int = value is not None and whole.is_int(value)
                    bound.setdefault(attribute, []).append(is_int)
        found[node.name] = frozenset(name for name, each in bound.items() if all(each))
    return found


def _bindings(method: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The attributes that a method binds, each with its value; None where that is not plain."""
    plain: dict[int, ast.expr] = {}
    for node in ast.walk(method):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            plain[id(node.targets[0])] = node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            plain[id(node.target)] = node.value
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node.attr, plain.get(id(node))


def _has_fractions(nodes: Nodes) -> bool:
    """Whether numbers may have fractions, as far as constants and annotations tell."""
    return any(
        (isinstance(each, ast.Constant) and isinstance(each.value, float))
        or (isinstance(each, ast.Name) and each.id == "float")
        for node in nodes
        for each in ast.walk(node)
    )


def _orders(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        for each in ast.walk(node):
            yield from _order(each)


def _order(node: ast.AST) -> list[str]:
    """The operators by which a node compares sizes; those turned round count as the same."""
    if isinstance(node, ast.Compare):
        names = [type(each).__name__ for each in node.ops if isinstance(each, _ORDERS)]
        return [_OPPOSITE.get(name, name) for name in names]
    if isinstance(node, ast.Call):
        return [_name(node)] if _name(node) in ("min", "max") else []
    return []


def _name(call: ast.Call) -> str:
    name: str = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return name
