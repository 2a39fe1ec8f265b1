"""Expressions for code in ASCII: ast-grep compiles them several times faster.

`\\w` stands for 140,000 characters of Unicode, and only 63 of them are in ASCII. In a text in ASCII
both find the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_CLASSES = {
    "w": "0-9A-Za-z_",
    "W": r"\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f",
    "d": "0-9",
    "D": r"\x00-\x2f\x3a-\x7f",
    "s": r"\t-\r\x20",
    "S": r"\x00-\x08\x0e-\x1f\x21-\x7f",
}


def ascii_config(part: Any) -> Any:
    """Return a rule of ast-grep that finds the same in texts in ASCII."""
    if isinstance(part, dict):
        return {
            key: ascii_expression(each)
            if key == "regex" and isinstance(each, str)
            else ascii_config(each)
            for key, each in part.items()
        }
    return [ascii_config(each) for each in part] if isinstance(part, list | tuple) else part


def ascii_expression(expression: str) -> str:
    """Return an expression of ast-grep that matches the same texts in ASCII."""
    return "".join(_pieces(expression))


def _pieces(expression: str) -> Iterator[str]:
    depth = place = 0
    while place < len(expression):
        character, following = expression[place], expression[place + 1 : place + 2]
        size = 1
        if character == "\\":
            size = 2
            if following in _CLASSES:
                yield _CLASSES[following] if depth else f"[{_CLASSES[following]}]"
            elif following in ("b", "B") and not depth:
                yield f"(?-u:\\{following})"
            else:
                yield expression[place : place + 2]
        elif character == "[":
            depth += 1
            # A bracket that closes immediately is a character of the class.
            size += expression.startswith("^", place + 1)
            size += expression.startswith("]", place + size)
            yield expression[place : place + size]
        else:
            depth -= character == "]" and depth > 0
            yield character
        place += size
