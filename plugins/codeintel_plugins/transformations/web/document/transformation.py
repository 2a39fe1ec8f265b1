"""JSDoc for what lacks it, from what a definition says and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tree_sitter import Node

from codeintel.contracts import Change, Equivalence, Rewrite, RewriteRequest, Transformation
from codeintel_plugins.common.positions import ByteOffsets, Source as Positions
from codeintel_plugins.transformations.web.document.text import (
    block,
    class_summary,
    parameters,
    summary,
    thrown,
)
from codeintel_plugins.transformations.web.edits import Edit, Text
from codeintel_plugins.transformations.web.trees import MARK, Source, child_of, text

_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration"})
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration"})
_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})


class WebDocument(Transformation):
    """Describes functions, methods and classes of a file where they are defined."""

    name: ClassVar[str] = "web-document"
    kind: ClassVar[str] = "document"
    languages: ClassVar[frozenset[str]] = frozenset({"javascript", "typescript"})
    equivalence: ClassVar[Equivalence | None] = Equivalence.COMMENTS
    version = "1"

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        source = Source(request.code, request.language)
        end = "\r\n" if b"\r\n" in source.bytes else "\n"
        private = bool(request.options.get("private"))
        edits = []
        for place, named, value, rule in _definitions(source.root):
            name = text(named)
            hidden = name.startswith(("_", "#")) and not private
            indentation = _indentation(source.bytes, place)
            if rule in request.without or hidden or indentation is None or _is_described(place):
                continue
            first = class_summary(name) if rule == "document-class" else summary(name)
            lines = [] if rule == "document-class" else [*parameters(value), *thrown(value)]
            said = block(first, lines, indentation, end)
            message = f"Described `{name}`."
            edits.append(Edit(place.start_byte, place.start_byte, said.encode(), rule, message))
        document = Text(source.bytes)
        document.apply([[edit] for edit in edits])
        offsets = ByteOffsets(Positions(request.code))
        changes = tuple(
            Change(rule=each.rule, message=each.message, range=offsets.span(each.start, each.end))
            for each in document.made
        )
        mark = MARK if request.code.startswith(MARK) else ""
        return Rewrite(code=mark + document.code.decode(), changes=changes)


def _definitions(root: Node) -> Iterator[tuple[Node, Node, Node, str]]:
    """Where a comment belongs, the name, what it names, and the rule."""
    for place in root.named_children:
        declared = place.child_by_field_name("declaration") or place
        if declared.type in _FUNCTIONS and (name := declared.child_by_field_name("name")):
            if not _is_overloaded(place):
                yield place, name, declared, "document-function"
        elif declared.type in _CLASSES and (name := declared.child_by_field_name("name")):
            yield place, name, declared, "document-class"
            yield from _methods(declared)
        elif declared.type in ("lexical_declaration", "variable_declaration"):
            only = [each for each in declared.named_children if each.type == "variable_declarator"]
            value = only[0].child_by_field_name("value") if len(only) == 1 else None
            if value is not None and value.type in _VALUES:
                named = only[0].child_by_field_name("name")
                if named is not None and named.type == "identifier":
                    yield place, named, value, "document-function"


def _methods(declared: Node) -> Iterator[tuple[Node, Node, Node, str]]:
    body = declared.child_by_field_name("body")
    for each in body.named_children if body is not None else ():
        name = each.child_by_field_name("name")
        if each.type != "method_definition" or name is None or name.type != "property_identifier":
            continue
        modifier = child_of(each, "accessibility_modifier")
        if (
            text(name) != "constructor" and text(modifier) != "private" and not _is_overloaded(each)
        ) and (not child_of(each, "get", "set") and not child_of(each, "decorator")):
            yield each, name, each, "document-method"


def _is_overloaded(place: Node) -> bool:
    """Whether signatures stand above, which are what is to be described."""
    before = place.prev_named_sibling
    if before is not None and before.type == "export_statement":
        before = before.child_by_field_name("declaration")
    return before is not None and before.type in ("function_signature", "method_signature")


def _is_described(place: Node) -> bool:
    before = place.prev_sibling
    if before is None or before.type not in ("comment", "decorator"):
        return False
    return before.type == "decorator" or before.end_point.row >= place.start_point.row - 1


def _indentation(code: bytes, place: Node) -> str | None:
    """The space before a definition, if nothing else stands before it on its line."""
    start = code.rfind(b"\n", 0, place.start_byte) + 1
    before = code[start : place.start_byte].decode()
    return before if not before.strip() else None
