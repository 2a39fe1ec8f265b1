"""Small questions about nodes that the readers of interfaces ask."""

from __future__ import annotations

from tree_sitter import Node


def text(node: Node | None) -> str:
    """The text of a node; nothing of none."""
    return "" if node is None or node.text is None else node.text.decode(errors="replace")


def name(node: Node, field: str = "name") -> str:
    """The name of a declaration."""
    return text(node.child_by_field_name(field))


def words(node: Node, *types: str) -> set[str]:
    """The words before a declaration, such as `public`: all that stands in children of a type."""
    return {word for child in node.children if child.type in types for word in text(child).split()}


def parameters(node: Node, field: str = "parameters") -> list[Node]:
    """The parameters of a function."""
    listed = node.child_by_field_name(field)
    if listed is None:
        return []
    return [child for child in listed.named_children if "comment" not in child.type]


def joined(prefix: str, last: str) -> str:
    """A name within another."""
    return f"{prefix}.{last}" if prefix else last
