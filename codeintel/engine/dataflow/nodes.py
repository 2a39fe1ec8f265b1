"""Small questions to nodes of syntax trees, whatever the language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_QUOTES = "\"'`"
_PREFIXES = re.compile(r"\A(?:[bBrRuUfF]{1,2}|\$@?|@\$?|[LuU]8?)(?=[\"'`])")


def field_of(node: SgNode, *names: str) -> SgNode | None:
    """The first field that the node has."""
    for name in names:
        found = node.field(name)
        if found is not None:
            return found
    return None


def child_of(node: SgNode, *wanted: str) -> SgNode | None:
    """The first named child of some kinds."""
    return next((child for child in node.named_children() if child.kind() in wanted), None)


def operator_of(node: SgNode) -> str:
    """The sign or the words of an operation."""
    found = node.field("operator")
    if found is not None:
        return found.text()
    words = [child.text() for child in node.children() if not child.is_named()]
    return "-".join(words) if len(words) > 1 else (words[0] if words else "")


def dotted_identifier(text: str) -> str:
    """A name with dots for separators, and without PHP's leading backslash."""
    if text.startswith("${") and text.endswith("}"):  # PHP's "${name}"
        return f"${text[2:-1]}"
    if "\\" in text or "::" in text:
        return text.lstrip("\\").replace("\\", ".").replace("::", ".")
    return text


def unquoted(text: str) -> str:
    """What a literal's text says."""
    if text[:1] == ":" and text[1:2] != ":":  # Ruby's :symbol
        return text[1:].strip(_QUOTES)
    text = text[match.end() :] if (match := _PREFIXES.match(text)) else text
    return text.strip(_QUOTES) if text[:1] in _QUOTES else text
