"""Python's texts: literals, f-strings, sums, and what `%` and `format` fill."""

from __future__ import annotations

import ast
from typing import NamedTuple

from codeintel.engine.equivalence.behaviour_heuristics.words.reading import (
    brace_pieces,
    format_pieces,
    listed,
    percent_pieces,
)

_LOGGING = listed("debug info warning warn error exception critical log")


class Text(NamedTuple):
    """The pieces of a text, and the nodes in it that are none of it."""

    pieces: list[str]
    others: list[ast.AST]


def text_of(node: ast.AST) -> Text | None:
    """The text that an expression is, or None."""
    if isinstance(node, ast.Constant):
        return Text([node.value], []) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return _joined(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _sum(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        text = _plain(node.left)
        return Text(percent_pieces(text), [node.right]) if text is not None else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _call(node, node.func)
    return None


def _plain(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _call(node: ast.Call, called: ast.Attribute) -> Text | None:
    text = _plain(called.value)
    if called.attr == "format" and text is not None:
        return Text(brace_pieces(text), [*node.args, *node.keywords])
    first = _plain(node.args[0]) if node.args else None
    if called.attr in _LOGGING and first is not None and len(node.args) > 1:
        return Text(percent_pieces(first), [called, *node.args[1:], *node.keywords])
    return None


def _joined(node: ast.JoinedStr) -> Text:
    said = Text([], [])
    for each in node.values:
        if isinstance(each, ast.FormattedValue):
            said.others.append(each.value)
            how = each.format_spec
            parts = how.values if isinstance(how, ast.JoinedStr) else []
            constant = "".join(_plain(part) or "" for part in parts)
            said.pieces.extend(format_pieces(constant))
            said.others.extend(p.value for p in parts if isinstance(p, ast.FormattedValue))
        else:
            said.pieces.append(_plain(each) or "")
    return said


def _sum(node: ast.BinOp) -> Text:
    """A sum, which is a text if there is one among its terms."""
    terms: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
        terms.append(left.right)
        left = left.left
    terms.append(left)
    if not any(isinstance(term, ast.JoinedStr) or _plain(term) is not None for term in terms):
        return Text([], [*terms])
    said = Text([], [])
    for term in reversed(terms):
        inner = text_of(term) if not isinstance(term, ast.BinOp) else None
        said.pieces.extend(inner.pieces if inner else [])
        said.others.extend(inner.others if inner else [term])
        if isinstance(term, ast.Call) and inner:
            said.others.append(term.func)
    return said
