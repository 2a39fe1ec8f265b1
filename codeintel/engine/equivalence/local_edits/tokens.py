"""The tokens of code by its grammar, for comparing two pieces of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node, Tree

from codeintel.engine.syntax import source_of

_QUOTED = re.compile(
    r"string(?!_array)|char|template_literal|heredoc|nowdoc|regex|rune|jsx_text|text_interpolation"
)
_COMMENT = re.compile(r"comment")
_CONTENT = re.compile(r"content|fragment|escape|pattern|text|value|flags")
_TYPE = re.compile(r"_type$")


class Token(NamedTuple):
    """One token, by its bytes. `joint` is the type of the innermost node that it and the token
    before it stand in: it tells apart `return x` and `return; x`, whose tokens are the same.
    `is_text` is for what stands between quotes."""

    text: bytes
    start: int
    end: int
    is_comment: bool
    joint: str
    is_text: bool = False


def tree_of(code: bytes, language: str) -> Tree:
    """The tree of the code. TypeScript is read with JSX if it does not parse without."""
    tree = source_of(code).tree(language)
    if language == "typescript" and tree.root_node.has_error:
        other = source_of(code).tree("tsx")
        return tree if other.root_node.has_error else other
    return tree


def tokens_of(code: bytes, language: str) -> tuple[list[Token], list[Token]]:
    """The tokens of the code without its comments, and the comments. Whitespace is none, but for
    that within quotes."""
    tokens: list[Token] = []
    comments: list[Token] = []
    for token in _walked(code, tree_of(code, language)):
        last = tokens[-1] if tokens else token
        if token.is_comment:
            comments.append(token)
        elif token.is_text and last.is_text and last.end == token.start:
            # How a text is cut, by what needs a backslash, means nothing.
            text = last.text + token.text
            tokens[-1] = last._replace(text=text, end=token.end)
        else:
            tokens.append(token)
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
            yield _between(code, at, start, kinds[-1], kinds[low - 1])
            low = len(kinds)
        at = max(at, start)
        is_comment = _COMMENT.search(node.type) is not None
        if not is_comment and cursor.goto_first_child():
            kinds.append(node.type)
            continue
        if node.end_byte > start and (is_comment or _is_token(node, kinds)):
            joint = kinds[low - 1] if kinds else ""
            text = code[start : node.end_byte]
            yield Token(text, start, node.end_byte, is_comment, joint, _is_text(node, kinds))
            low = len(kinds) if not is_comment else low
        at = max(at, node.end_byte)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            node = cursor.node
            assert node is not None  # noqa: S101 - for mypy, as above
            kind = kinds.pop()
            if node.end_byte > at and _counts(code[at : node.end_byte], kind):
                yield _between(code, at, node.end_byte, kind, kind)
            at = max(at, node.end_byte)
            low = min(low, len(kinds))


def _between(code: bytes, start: int, end: int, kind: str, joint: str) -> Token:
    """What no node covers, in a node of a kind: space counts within quotes."""
    quoted = _QUOTED.search(kind) is not None
    text = code[start:end] if quoted else code[start:end].strip()
    return Token(text, start, end, False, joint, quoted)


def _is_text(node: Node, kinds: list[str]) -> bool:
    if not node.is_named:
        return False
    outer = bool(kinds) and _QUOTED.search(kinds[-1]) is not None
    inner = _QUOTED.search(node.type) is not None and _TYPE.search(node.type) is None
    return inner or (outer and _CONTENT.search(node.type) is not None)


def _is_token(node: Node, kinds: list[str]) -> bool:
    return bool(node.text and (node.text.strip() or (kinds and _QUOTED.search(kinds[-1]))))


def _counts(between: bytes, kind: str) -> bool:
    """Whether what no node covers means something."""
    return bool(between.strip()) or _QUOTED.search(kind) is not None
