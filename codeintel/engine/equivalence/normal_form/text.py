"""A tree as text: equal for equal trees, and different for others."""

from __future__ import annotations

import ast

_LEFT_OUT = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


def text_of(node: ast.AST) -> str:
    """The text, without places and without what a program does not see."""
    pieces: list[str] = []
    _write(node, pieces)
    return "".join(pieces)


def same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two trees are equal."""
    return type(one) is type(other) and text_of(one) == text_of(other)


def words(text: str) -> list[str]:
    """The words of a text, as a short way to write down many."""
    return text.split()


def _write(node: ast.AST, pieces: list[str]) -> None:
    kind = type(node)
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _LEFT_OUT)
    pieces.append(f"{kind.__name__}(")
    for name in fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            _write(value, pieces)
        elif isinstance(value, list):
            pieces.append("[")
            for each in value:
                if isinstance(each, ast.AST):
                    _write(each, pieces)
                else:
                    pieces.append(repr(each))
                pieces.append(",")
            pieces.append("]")
        else:
            # The type as well: 1, 1.0 and True are not the same. Long numbers are not written in
            # decimals, which takes long, and which Python refuses.
            written = f"{value:x}" if type(value) is int else repr(value)
            pieces.append(f"{type(value).__name__}:{written}")
        pieces.append(",")
    pieces.append(")")
