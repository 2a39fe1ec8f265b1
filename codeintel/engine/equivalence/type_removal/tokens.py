"""Tokens of TypeScript that stay when it becomes JavaScript, and tokens of JavaScript."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from codeintel.engine.equivalence.type_removal.nodes import erased, is_transparent, name_of
from codeintel.engine.equivalence.type_removal.tags import typescript_tree, without_tag_types
from codeintel.engine.syntax import source_of

_VARIANCE = re.compile(
    rb"(?<=[<,\s])((?:in\s+out|in|out)\s+)(?=[A-Z_$][\w$]*\s*(?:extends\b|[,>=]))"
)
_MARK = "\ufeff"
_SEPARATORS = frozenset({";", ","})
_LISTS = frozenset({"array", "array_pattern"})
_BLOCKS = frozenset({"program", "statement_block", "switch_case", "switch_default"})


class Word(NamedTuple):
    """A token: its text, its line, and the innermost construct that it and the token before it
    stand in."""

    text: bytes
    line: int
    joint: str


@dataclass
class Words:
    """The tokens that stay, the comments, and how many tokens there were."""

    words: list[Word] = field(default_factory=list)
    comments: list[bytes] = field(default_factory=list)
    count: int = 0


def javascript_words(code: str) -> Words | None:
    """The tokens of JavaScript, or None for what is none."""
    data = code.removeprefix(_MARK).encode()
    root = source_of(data).root("javascript")
    return None if root.has_error else _words(root, is_typed=False)


def typescript_words(code: str) -> Words | None:
    """The tokens of TypeScript that are not types', or None for what cannot be read.

    :raises MoreThanTypesError: for what cannot be left out.
    """
    data = code.removeprefix(_MARK).encode()
    without_tags, tags = without_tag_types(data)
    for readable in (without_tags, _VARIANCE.sub(_spaces, without_tags)):
        root = typescript_tree(readable)
        if not root.has_error:
            found = _words(root, is_typed=True)
            found.count += tags
            return found
    return None


def _spaces(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _only_separates(node: Node) -> bool:
    """Whether it is a separator that may be there or not. In the head of a loop, between elements
    that may be missing, and where it is a statement that something else needs, it counts."""
    outer = node.parent
    if node.is_named or node.type not in _SEPARATORS or outer is None:
        return False
    around = outer.parent
    if node.type == "," or around is None:
        return outer.type not in _LISTS
    if outer.type == "empty_statement":
        return around.type in _BLOCKS
    return "for_statement" not in (outer.type, around.type)


def _words(root: Node, *, is_typed: bool) -> Words:
    """Walk through the leaves; what only separates is no token here."""
    found = Words()
    frames: list[str] = []
    low = 0
    gone: list[tuple[int, int]] = []
    cursor = root.walk()
    while True:
        node = cursor.node
        assert node is not None  # noqa: S101 - for mypy: a cursor is always somewhere
        is_comment = node.type in ("comment", "html_comment")
        is_gone = any(start <= node.start_byte < end for start, end in gone)
        if is_typed and not is_comment and not is_gone:
            gone = [each for each in gone if each[1] > node.start_byte]
            gone.extend(erased(node))
            is_gone = any(start <= node.start_byte < end for start, end in gone)
        if is_comment:
            found.comments.append(b" ".join((node.text or b"").split()))
        elif cursor.goto_first_child():
            frames.append("" if is_typed and is_transparent(node) else name_of(node))
            continue
        elif node.end_byte > node.start_byte:
            found.count += 1
            if not is_gone and not _only_separates(node):
                joint = next(filter(None, reversed(frames[:low])), "")
                found.words.append(Word(node.text or b"", node.start_point.row + 1, joint))
                low = len(frames)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
            frames.pop()
            low = min(low, len(frames))
