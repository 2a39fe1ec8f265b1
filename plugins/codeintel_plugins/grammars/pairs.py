"""Brackets and quotes without their other half, by the tokens of a syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_OPENING = {"(": ")", "[": "]", "{": "}", "${": "}", "#{": "}", "$(": ")", "\\(": ")", "#[": "]"}
_CLOSING = frozenset(")]}")
_BRACKET = re.compile(rb"[()\[\]{}]")
_QUOTES = frozenset({'"', "'", "`", '"""', "'''"})


class Half(NamedTuple):
    """What has no other half, and where: bytes of the code."""

    start: int
    end: int
    message: str


class _Open(NamedTuple):
    """A bracket that waits for its other half; `indent` is that of its line."""

    closing: str
    start: int
    end: int
    indent: int


def without_other_half(tree: Tree, code: bytes) -> Half | None:
    """The first one, if any. Of brackets that are never closed it is the one whose other half
    another took, as far as the indentation tells."""
    return _quote(tree.root_node) or _bracket(tree, code)


def _quote(root: Node) -> Half | None:
    """A string that begins and does not end: its quote stands alone in a broken region."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error:
            quotes = [child for child in node.children if child.type in _QUOTES]
            if len(quotes) % 2 and not any(child.is_error for child in node.children):
                message = "Syntax error: a string begins here and does not end."
                return Half(quotes[-1].start_byte, quotes[-1].end_byte, message)
        else:
            stack += reversed([child for child in node.children if child.has_error])
    return None


def _bracket(tree: Tree, code: bytes) -> Half | None:
    waiting: list[_Open] = []
    robbed: _Open | None = None
    for kind, start, end in _brackets(tree, code):
        indent, is_first = _indent(code, start)
        if kind in _OPENING:
            waiting.append(_Open(_OPENING[kind], start, end, indent))
            continue
        if not waiting or all(each.closing != kind for each in waiting):
            return Half(start, end, f"Syntax error: nothing is open that `{kind}` could close.")
        opened = waiting.pop()
        if opened.closing != kind:
            return _never_closed(opened, code)
        if is_first and indent < opened.indent and robbed is None:
            robbed = opened
    return _never_closed(robbed or waiting[-1], code) if waiting else None


def _never_closed(opened: _Open, code: bytes) -> Half:
    bracket = code[opened.start : opened.end].decode()
    return Half(opened.start, opened.end, f"Syntax error: `{bracket}` is never closed.")


def _brackets(tree: Tree, code: bytes) -> Iterator[tuple[str, int, int]]:
    """All brackets that are tokens, and those in text that the grammar could not even split into
    tokens: what they are, and where."""
    for leaf in _leaves(tree):
        if leaf.is_error:
            for match in _BRACKET.finditer(code, leaf.start_byte, leaf.end_byte):
                yield match[0].decode(), *match.span()
        elif leaf.type in _OPENING or leaf.type in _CLOSING:
            yield leaf.type, leaf.start_byte, leaf.end_byte


def _indent(code: bytes, at: int) -> tuple[int, bool]:
    """The indentation of a byte's line, and whether the byte is the first that is no blank."""
    begin = code.rfind(b"\n", 0, at) + 1
    before = code[begin : min(at, begin + 200)]
    return len(before) - len(before.lstrip()), not before.strip()


def _leaves(tree: Tree) -> Iterator[Node]:
    """All tokens, in order."""
    cursor = tree.walk()
    while True:
        if cursor.goto_first_child():
            continue
        node = cursor.node
        if node is not None and not node.is_missing:
            yield node
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
