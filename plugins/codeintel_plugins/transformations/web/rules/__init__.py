"""The input and output of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from codeintel_plugins.transformations.web.effects import Effects
from codeintel_plugins.transformations.web.scopes import Scopes
from codeintel_plugins.transformations.web.trees import ByteEdit, WebSource, listed, text, walk
from codeintel_plugins.transformations.web.type_inference import ValueTypes

_SIMPLE = listed(
    """
    identifier member_expression subscript_expression call_expression number string array
    template_string parenthesized_expression this true false null non_null_expression
    """
)


class Context:
    """The code of one round, with its analyses."""

    def __init__(self, source: WebSource, language: str) -> None:
        self.source = source
        self.code = source.bytes
        self.language = language
        self.scopes = Scopes(source.root)
        self.nodes: dict[str, list[Node]] = {}
        self.comments: list[Node] = []
        for node in walk(source.root):
            self.nodes.setdefault(node.type, []).append(node)
        self.comments = self.nodes.get("comment", [])
        self.types = ValueTypes(self.scopes, self.nodes)
        self.effects = Effects(self.scopes, self.types, self.nodes)

    def each(self, *kinds: str) -> Iterator[Node]:
        """Yield all nodes of these types."""
        for kind in kinds:
            yield from (node for node in self.nodes.get(kind, ()) if node.is_named)

    def has_comment(self, start: int, end: int) -> bool:
        """Return whether a comment is between two offsets."""
        return any(start <= each.start_byte and each.end_byte <= end for each in self.comments)

    def is_free(self, name: str) -> bool:
        """Return whether nothing in the code has this name, so that a new variable can."""
        return name not in self.scopes.words

    def is_module(self) -> bool:
        """Return whether the code is an ECMAScript module, which is always strict and has its
        own scope."""
        return any(
            node.type in ("import_statement", "export_statement")
            for node in self.source.root.children
        )


class Rule(NamedTuple):
    """A rule: its id, what it says, and how it finds places. Of each place it yields the edits."""

    id: str
    message: str
    find: Callable[[Context], Iterator[list[Piece]]]


class Piece(NamedTuple):
    """Bytes to replace."""

    start: int
    end: int
    by: str


def edits(rule: Rule, pieces: list[Piece]) -> list[ByteEdit]:
    """Return a place's pieces as edits, each told on its own."""
    return [
        ByteEdit(piece.start, piece.end, piece.by.encode(), rule.id, rule.message)
        for piece in pieces
    ]


def replaced(node: Node, by: str) -> list[Piece]:
    """Return a whole node replaced."""
    return [Piece(node.start_byte, node.end_byte, by)]


def grouped(node: Node) -> str:
    """Return the code of an expression, in parentheses unless it stands for itself anywhere."""
    return text(node) if node.type in _SIMPLE else f"({text(node)})"


def arguments(call: Node) -> list[Node] | None:
    """Return a call's arguments; None if they are spread or missing."""
    found = call.child_by_field_name("arguments")
    if found is None or found.type != "arguments":
        return None
    given = [each for each in found.named_children if each.type != "comment"]
    return None if any(each.type == "spread_element" for each in given) else given


def method_of(call: Node) -> tuple[Node, str] | None:
    """Return the object and the name of `object.name(...)`, which is neither optional nor
    computed."""
    function = call.child_by_field_name("function")
    if call.type != "call_expression" or function is None or function.type != "member_expression":
        return None
    if any(each.type == "optional_chain" for each in (*function.children, *call.children)):
        return None
    object_, name = function.child_by_field_name("object"), function.child_by_field_name("property")
    if object_ is None or name is None or name.type != "property_identifier":
        return None
    return object_, text(name)


def begins_statement(node: Node) -> bool:
    """Return whether a node is the beginning of a statement or of an arrow function's body."""
    while node.parent is not None and node.parent.start_byte == node.start_byte:
        node = node.parent
        if node.type in ("expression_statement", "program"):
            return True
    return node.parent is not None and node.parent.type in (
        "arrow_function",
        "expression_statement",
        "export_statement",
    )
