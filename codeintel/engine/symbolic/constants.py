"""The values of expressions that are constants, and of names that every system defines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.symbolic.poly import MAX_NUMBER
from codeintel.engine.symbolic.syntax import Binary, Cast, Expr, Number, SizeOf, Text, Unary, Var

if TYPE_CHECKING:
    from codeintel.engine.symbolic.types import Types

KNOWN = {
    "NULL": 0, "nullptr": 0, "EOF": -1, "BUFSIZ": 8192, "PATH_MAX": 4096, "NAME_MAX": 255,
    "FILENAME_MAX": 4096, "MAXPATHLEN": 4096, "MAX_PATH": 260, "LINE_MAX": 2048,
    "HOST_NAME_MAX": 64,
    "CHAR_BIT": 8, "CHAR_MAX": 127, "SCHAR_MAX": 127, "UCHAR_MAX": 255, "SHRT_MAX": 32767,
    "SHRT_MIN": -32768, "USHRT_MAX": 65535, "INT_MAX": 2147483647, "INT_MIN": -2147483648,
    "UINT_MAX": 4294967295, "LONG_MAX": 9223372036854775807, "LONG_MIN": -9223372036854775808,
    "ULONG_MAX": 18446744073709551615, "SIZE_MAX": 18446744073709551615,
    "SSIZE_MAX": 9223372036854775807, "INT8_MAX": 127, "INT16_MAX": 32767, "INT32_MAX": 2147483647,
    "INT64_MAX": 9223372036854775807, "UINT8_MAX": 255, "UINT16_MAX": 65535,
    "UINT32_MAX": 4294967295, "UINT64_MAX": 18446744073709551615, "LLONG_MAX": 9223372036854775807,
    "STDIN_FILENO": 0, "STDOUT_FILENO": 1, "STDERR_FILENO": 2, "EXIT_SUCCESS": 0, "EXIT_FAILURE": 1,
    "INET_ADDRSTRLEN": 16, "INET6_ADDRSTRLEN": 46, "INVALID_SOCKET": -1,
}  # fmt: skip
_MAX_DEPTH = 30


def constant_value(expr: Expr, types: Types, depth: int = 0) -> int | None:
    """The value of a constant expression, or None if it is not one."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(expr, Number):
        return expr.value
    if isinstance(expr, Var):
        named = types.named(expr.name)
        return KNOWN.get(expr.name) if named is None else constant_value(named, types, depth + 1)
    if isinstance(expr, Cast):
        return constant_value(expr.value, types, depth + 1)
    if isinstance(expr, Unary):
        value = constant_value(expr.value, types, depth + 1)
        if value is None:
            return None
        return {"-": -value, "~": ~value, "!": int(not value)}.get(expr.op, value)
    if isinstance(expr, SizeOf):
        if isinstance(expr.value, Text):
            return len(expr.value.text) + 1
        size = types.size(expr.type) if expr.type is not None else None
        return size.number if size is not None else None
    if isinstance(expr, Binary):
        left = constant_value(expr.left, types, depth + 1)
        right = constant_value(expr.right, types, depth + 1)
        return None if left is None or right is None else operate(expr.op, left, right)
    return None


def operate(op: str, left: int, right: int) -> int | None:
    """An operation on two whole numbers as C has it; None if it has no value, or one beyond all
    types. Neither operand may be beyond them."""
    if op in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if op == "/" else left - right * quotient
    if op in ("<<", ">>"):
        if not 0 <= right < 64:
            return None
        return _within(left << right if op == "<<" else left >> right)
    simple = {
        "+": left + right, "-": left - right, "*": left * right, "&": left & right,
        "|": left | right, "^": left ^ right, "==": left == right, "!=": left != right,
        "<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right,
        "&&": bool(left and right), "||": bool(left or right),
    }  # fmt: skip
    found = simple.get(op)
    return None if found is None else _within(int(found))


def _within(number: int) -> int | None:
    return number if abs(number) <= MAX_NUMBER else None
