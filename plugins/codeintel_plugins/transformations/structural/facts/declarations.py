"""Where a name is declared, and as what: as far as the code at hand tells for certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span
from codeintel_plugins.transformations.structural.facts.declared_types import UNKNOWN, declared_type
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_SCOPES = frozenset(
    {
        *("block", "compound_statement", "class_body", "declaration_list", "lambda_expression"),
        *("method_declaration", "constructor_declaration", "function_definition", "for_statement"),
        *("enhanced_for_statement", "foreach_statement", "function_declaration", "func_literal"),
        *("function_item", "closure_expression", "source_file", "translation_unit", "program"),
        *("compilation_unit", "interface_body", "enum_body", "record_declaration", "catch_clause"),
        *("try_with_resources_statement", "field_declaration_list", "if_statement", "match_arm"),
        *("local_function_statement", "for_range_loop", "if_expression", "while_expression"),
        *("expression_case", "type_case", "communication_case", "accessor_declaration"),
    }
)
_OPEN = frozenset({"translation_unit", "declaration_list", "field_declaration_list"})


def types_of(reading: Reading, use: SgNode) -> list[str] | None:
    """The types that the name is declared with anywhere in the code, if it is declared where it is
    used; None if it is not, or the type of one is not known."""
    name = use.text()
    if name not in reading.declared:
        reading.declared[name] = _declarations(reading, name)
    known = reading.declared[name]
    place = reading.span(use).start
    if known is None or not any(scope.start <= place < scope.end for _, scope in known):
        return None
    return [found for found, _ in known]


def is_local(reading: Reading, use: SgNode) -> bool:
    """Whether what C++ finds under a name is surely what was declared: a variable of a function,
    which no member of a base class can hide. Other languages' files tell it all."""
    if reading.language != "cpp":
        return True
    place, name = reading.span(use).start, use.text()
    for node in reading.named.get(name, ()):
        if not declared_type(node, "cpp"):
            continue
        scope = scope_of(node)
        if scope is None or str(scope.kind()) in _OPEN:
            continue
        around = reading.span(scope)
        if around.start <= place < around.end:
            return True
    return False


def _declarations(reading: Reading, name: str) -> list[tuple[str, Span]] | None:
    """The types that a name is declared with, and where they hold; None if one is not known."""
    known: list[tuple[str, Span]] = []
    for node in reading.named.get(name, ()):
        found = declared_type(node, reading.language)
        if found is None:
            continue
        if found == UNKNOWN:
            return None
        scope = scope_of(node)
        whole = Span(0, len(reading.text))
        known.append((found, reading.span(scope) if scope is not None else whole))
    return list(dict.fromkeys(known))


def scope_of(node: SgNode) -> SgNode | None:
    """The innermost block, function or class that a name stands in."""
    return next((each for each in node.ancestors() if each.kind() in _SCOPES), None)
