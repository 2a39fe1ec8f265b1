"""Fixes of ruff in words that can be proved, or that are easier to read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_NUMBER = re.compile(r"(?<!\{)\{\d+(?=[}!:.\[])")
_AMONG = re.compile(r"\bin \{")
_MADE_BOOL = re.compile(r"\bbool\(")
_RETURNED = re.compile(r"return (?!bool\(|not )(.+)")


def worded(rule: str, content: str) -> Iterator[str]:
    """What may replace the same text as well as what ruff says, the best first."""
    if rule == "PLR1714" and _AMONG.search(content):
        yield _among_tuples(content)
    elif rule == "UP030":
        yield _NUMBER.sub("{", content)  # of two beside each other ruff leaves the second
    elif rule in {"SIM103", "SIM210"} and _MADE_BOOL.search(content):
        if (short := _without_bool(content)) != content:
            yield short
        yield content
    else:
        yield content
        if rule == "SIM103" and (found := _RETURNED.fullmatch(content)):
            yield f"return bool({found.group(1)})"


def _among_tuples(content: str) -> str:
    """`x in {1, 2}` asks for a hash, which `x == 1 or x == 2` does not: `x in (1, 2)`."""
    found = [
        each.comparators[0]
        for each in _nodes(content)
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.In | ast.NotIn)
    ]
    for node in found:
        if isinstance(node, ast.Set):
            content = _replaced(content, node, "(", ")")
    return content


def _without_bool(content: str) -> str:
    """`bool(a == 1 or b == 1)` is a bool anyway, unless a class says otherwise."""
    for node in _nodes(content):
        match node:
            case ast.Call(func=ast.Name(id="bool"), args=[ast.BoolOp() as inner], keywords=[]):
                if node.end_lineno == 1 and inner.end_col_offset is not None:
                    start, end = node.col_offset, node.end_col_offset or 0
                    text = content.encode()
                    kept = text[inner.col_offset : inner.end_col_offset]
                    return (text[:start] + kept + text[end:]).decode()
    return content


def _nodes(content: str) -> list[ast.AST]:
    """The nodes of a piece of code; none if it is not whole, or of several lines."""
    if "\n" in content:
        return []
    try:
        return list(ast.walk(ast.parse(content)))
    except (SyntaxError, ValueError, RecursionError):
        return []


def _replaced(content: str, node: ast.expr, opening: str, closing: str) -> str:
    """A piece of code with other brackets round a node."""
    text, end = content.encode(), node.end_col_offset or 0
    inner = text[node.col_offset + 1 : end - 1].decode()
    return f"{text[: node.col_offset].decode()}{opening}{inner}{closing}{text[end:].decode()}"
