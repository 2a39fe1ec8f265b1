"""Texts in languages that tree-sitter reads: literals, templates, and what adds them up."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from tree_sitter import Node

from codeintel.engine.equivalence.behaviour_heuristics.words.reading import percent_pieces

_TEXT = re.compile(
    r"string|heredoc_body|char(?:acter)?_literal|rune_literal|regex|jsx_text|template_literal"
)
_NO_TEXT = re.compile(r"_type$|type_|concat|interpolation$|substitution|list|_literal_type|array")
_CONTENT = re.compile(
    r"content|fragment|escape|text|start|end|char|quote|string|delimiter|pattern|flags"
)
_OPENING = re.compile(r"(?:\$\{?|\\\(|#\{|\{)\0[)}]?")
_SUM = re.compile(r"binary|additive|infix_expression|concat")
_ADDING = frozenset({"+", ".", ".."})
_QUOTES = re.compile(r"""^(?:[A-Za-z@$#]{0,3}#*)(\"{3,}|'{3}|[`"'])(.*?)\1?#*$""", re.DOTALL)
_ESCAPED_QUOTE = re.compile(r"""\\(["'`$])""")
_BRACES = re.compile(r"\{(\d*)(?::([^{}\"]*))?\}")


class Text(NamedTuple):
    """The pieces of a text, and the nodes in it that are none of it."""

    pieces: list[str]
    others: list[Node]


@cache  # a grammar has some hundred kinds of node
def is_kind(kind: str, pattern: re.Pattern[str]) -> bool:
    """Whether a kind of node has a name like that."""
    return pattern.search(kind) is not None


def node_text(node: Node) -> str:
    """The code that a node stands for."""
    return (node.text or b"").decode(errors="replace")


def is_text(node: Node) -> bool:
    """Whether a node is a literal of text as a whole."""
    kind = node.type
    if kind == "word":  # an argument, in shells
        return True
    return is_kind(kind, _TEXT) and not is_kind(kind, _NO_TEXT) and node.is_named


def text_pieces(node: Node) -> Text | None:
    """The text that a node is, or None."""
    if is_text(node):
        return _literal(node)
    if is_kind(node.type, _SUM) and _is_sum(node):
        return _sum(node)
    return None


def _literal(node: Node) -> Text:
    data, start = node.text or b"", node.start_byte
    others: list[Node] = []
    stack = list(reversed(node.children))
    while stack:
        each = stack.pop()
        if each.is_named and each.start_byte > start and not is_kind(each.type, _CONTENT):
            others.append(each)
        else:
            stack.extend(reversed(each.children))
    parts, position = [], 0
    for each in others:
        parts.append(data[position : each.start_byte - start])
        position = each.end_byte - start
    parts.append(data[position:])
    whole = "\0".join(part.decode(errors="replace") for part in parts)
    if others and node_text(others[0])[:1] not in ("$", "#", "\\", "{"):
        whole = _OPENING.sub("\0", whole)
    match = _QUOTES.match(whole) if node.type != "jsx_text" else None
    plain = _ESCAPED_QUOTE.sub(r"\1", match[2] if match else whole)
    pieces = [piece for part in plain.split("\0") for piece in _filled(part)]
    return Text(pieces, others)


def _filled(part: str) -> list[str]:
    """A piece without the marks of what a function puts into it."""
    return [piece for each in percent_pieces(part) for piece in _BRACES.sub("\1", each).split("\1")]


def _is_sum(node: Node) -> bool:
    return any(not each.is_named and each.type in _ADDING for each in node.children) or (
        node.type == "concatenated_string"
    )


def _sum(node: Node) -> Text:
    """A sum, which is a text if there is one among its terms."""
    terms: list[Node] = []
    stack = [node]
    while stack:
        each = stack.pop()
        if each is node or (is_kind(each.type, _SUM) and _is_sum(each)):
            stack.extend(reversed(each.named_children))
        else:
            terms.append(each)
    if not any(is_text(term) for term in terms):
        return Text([], terms)
    said = Text([], [])
    for term in terms:
        inner = _literal(term) if is_text(term) else None
        said.pieces.extend(inner.pieces if inner else [])
        said.others.extend(inner.others if inner else [term])
    return said
