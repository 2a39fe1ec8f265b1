"""Tokens of TypeScript that stay when it becomes JavaScript, and tokens of JavaScript."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from codeintel.verification.type_removal_nodes import (
    erased,
    is_transparent,
    name_of,
)

_VARIANCE = re.compile(
    rb"(?<=[<,\s])((?:in\s+out|in|out)\s+)(?=[A-Z_$][\w$]*\s*(?:extends\b|[,>=]))"
)
_MARK = "\ufeff"
_PUNCTUATION = frozenset({b";", b","})


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
    root = Parser(get_language("javascript")).parse(data).root_node
    return None if root.has_error else _words(root, is_typed=False)


def typescript_words(code: str) -> Words | None:
    """The tokens of TypeScript that are not types', or None for what cannot be read.

    :raises MoreThanTypesError: for what cannot be left out.
    """
    data = code.removeprefix(_MARK).encode()
    without_tags, tags = _without_tag_types(data)
    for readable in (without_tags, _VARIANCE.sub(_spaces, without_tags)):
        root = _typescript(readable)
        if not root.has_error:
            found = _words(root, is_typed=True)
            found.count += tags
            return found
    return None


def _typescript(code: bytes) -> Node:
    """The tree, without or with JSX."""
    root = Parser(get_language("typescript")).parse(code).root_node
    return Parser(get_language("tsx")).parse(code).root_node if root.has_error else root


def _spaces(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _without_tag_types(code: bytes) -> tuple[bytes, int]:
    """The code without types of tagged templates, which the grammars cannot read, and how many
    there were. A tag's type stands between a name and a template that is called with it."""
    count = 0
    for tick in [each.start() for each in re.finditer(rb"(?<=>)`", code)]:
        depth, at = 0, tick
        while at > max(0, tick - 2_000):
            at -= 1
            depth += (code[at : at + 1] == b">" and code[at - 1 : at] != b"=") - (
                code[at : at + 1] == b"<"
            )
            if depth == 0:
                break
        tried = code[:at] + re.sub(rb"[^\r\n]", b" ", code[at:tick]) + code[tick:]
        template = _typescript(tried).descendant_for_byte_range(tick, tick + 1)
        outer = template.parent if template is not None else None
        if outer is not None and outer.type == "template_string" and outer.start_byte == tick:
            is_called = outer.parent is not None and outer.parent.type == "call_expression"
            code, count = (tried, count + 1) if is_called else (code, count)
    return code, count


def _words(root: Node, *, is_typed: bool) -> Words:
    """Walk through the leaves; separators are no tokens here, as they may be left out or not."""
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
            text = node.text or b""
            counts = text not in _PUNCTUATION and text.strip()
            if counts and not is_gone:
                joint = next(filter(None, reversed(frames[:low])), "")
                found.words.append(Word(text, node.start_point.row + 1, joint))
                low = len(frames)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
            frames.pop()
            low = min(low, len(frames))
