"""The value of an expression of nothing but numbers, such as `24 * 60 * 60`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

_MAX_DEPTH = 20
_LIMIT = 10**30
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}
Number = int | float | complex


def folded(node: ast.expr, depth: int = 0) -> Number | None:
    """The number that an expression is; None if it is none, or too long for this."""
    if isinstance(node, ast.Constant):
        number = isinstance(node.value, Number) and not isinstance(node.value, bool)
        return node.value if number else None  # type: ignore[return-value]
    if depth >= _MAX_DEPTH:
        return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = folded(node.operand, depth + 1)
        return value if value is None or isinstance(node.op, ast.UAdd) else -value
    if not isinstance(node, ast.BinOp) or type(node.op) not in _OPERATORS:
        return None
    left = folded(node.left, depth + 1)
    right = folded(node.right, depth + 1) if left is not None else None
    if left is None or right is None or abs(left) > _LIMIT or abs(right) > _LIMIT:
        return None
    if isinstance(node.op, ast.Pow) and abs(right) > 64:
        return None
    try:
        value = _OPERATORS[type(node.op)](left, right)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return value if isinstance(value, Number) else None


def written(number: Number) -> str:
    """A number as text, of whatever length."""
    long = isinstance(number, int) and abs(number) > _LIMIT
    return hex(number) if long else repr(number)  # type: ignore[arg-type]


def folded_text(text: str) -> Number | None:
    """The number that code of any language is, if it is nothing but sums and products."""
    try:
        return folded(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
