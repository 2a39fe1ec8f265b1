"""The tokens of code by its grammar, for comparing two pieces of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node, Parser, Tree
from tree_sitter_language_pack import get_language

_QUOTED = re.compile(r"string|char|template_literal|heredoc|nowdoc|regex|rune")
_COMMENT = re.compile(r"comment")


class Token(NamedTuple):
    """One token, by its bytes. `joint` is the type of the innermost node that it and the token
    before it stand in: it tells apart `return x` and `return; x`, whose tokens are the same."""

    text: bytes
    start: int
    end: int
    is_comment: bool
    joint: str


def tree_of(code: bytes, language: str) -> Tree:
    """The tree of the code. TypeScript is read with JSX if it does not parse without."""
    tree = Parser(get_language(language)).parse(code)  # type: ignore[arg-type]
    if language == "typescript" and tree.root_node.has_error:
        other = Parser(get_language("tsx")).parse(code)
        return tree if other.root_node.has_error else other
    return tree


def tokens_of(code: bytes, language: str) -> tuple[list[Token], list[Token]]:
    """The tokens of the code without its comments, and the comments. Whitespace is none, but for
    that within quotes."""
    tokens: list[Token] = []
    comments: list[Token] = []
    for token in _walked(code, tree_of(code, language)):
        (comments if token.is_comment else tokens).append(token)
    return tokens, comments


def _walked(code: bytes, tree: Tree) -> Iterator[Token]:
    """All tokens: the leaves, and what stands between them that the grammar has no name for."""
    cursor = tree.walk()
    kinds: list[str] = []
    at = 0
    low = 0
    while True:
        node = cursor.node
        assert node is not None  # noqa: S101 - for mypy: a cursor is always somewhere
        start = node.start_byte
        if start > at and kinds and _counts(code[at:start], kinds[-1]):
            yield Token(code[at:start].strip(), at, start, False, kinds[low - 1])
            low = len(kinds)
        at = max(at, start)
        is_comment = _COMMENT.search(node.type) is not None
        if not is_comment and cursor.goto_first_child():
            kinds.append(node.type)
            continue
        if node.end_byte > start and (is_comment or _is_token(node, kinds)):
            joint = kinds[low - 1] if kinds else ""
            yield Token(code[start : node.end_byte], start, node.end_byte, is_comment, joint)
            low = len(kinds) if not is_comment else low
        at = max(at, node.end_byte)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            node = cursor.node
            assert node is not None  # noqa: S101 - for mypy, as above
            kind = kinds.pop()
            if node.end_byte > at and _counts(code[at : node.end_byte], kind):
                yield Token(code[at : node.end_byte].strip(), at, node.end_byte, False, kind)
            at = max(at, node.end_byte)
            low = min(low, len(kinds))


def _is_token(node: Node, kinds: list[str]) -> bool:
    return bool(node.text and (node.text.strip() or (kinds and _QUOTED.search(kinds[-1]))))


def _counts(between: bytes, kind: str) -> bool:
    """Whether what no node covers means something."""
    return bool(between.strip()) or _QUOTED.search(kind) is not None
