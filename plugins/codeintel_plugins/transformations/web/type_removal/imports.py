"""Imports that stay though only types use them: which is for their author to mark."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import imported
from codeintel_plugins.transformations.web.trees import Source, child_of, text, walk

_VALUES = frozenset({"identifier", "shorthand_property_identifier"})
_QUERIES = frozenset({"type_query", "nested_type_identifier", "extends_type_clause"})


def imports_of_types(source: Source) -> Iterator[str]:
    """Sentences about names that are imported as if they were values and used as types only. A
    module that does not export such a value cannot be loaded."""
    names: dict[str, Node] = {}
    values: set[str] = set()
    types: set[str] = set()
    for node in walk(source.root):
        if node.type == "import_statement" and child_of(node, "type") is None:
            names.update((text(name), name) for name in imported(node) if not _is_marked(name))
        elif node.type == "type_identifier" or (node.type in _VALUES and _is_in_type(node)):
            types.add(text(node))
        elif node.type in _VALUES and not _is_in_import(node):
            values.add(text(node))
    for name, node in names.items():
        if name in types and name not in values:
            yield (
                f"line {source.line(node)}: `{name}` is imported as a value and used as a type: "
                "the import stays, and needs `type` if there is no such value."
            )


def _is_marked(name: Node) -> bool:
    parent = name.parent
    return parent is not None and any(each.type == "type" for each in parent.children)


def _is_in_type(node: Node) -> bool:
    return node.parent is not None and node.parent.type in _QUERIES


def _is_in_import(node: Node) -> bool:
    outer: Node | None = node
    while outer is not None and outer.type in (
        *("identifier", "import_specifier", "named_imports", "namespace_import", "import_clause"),
    ):
        outer = outer.parent
    return outer is not None and outer.type == "import_statement"
