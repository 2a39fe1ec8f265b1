"""Write the code of a node as tokens, without types, comments and whitespace.

Statements end with a semicolon where the tree ends them, because a line end can end a statement.
"""

from __future__ import annotations

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths.source import TYPES, text

GIVEN = frozenset({"required_parameter", "optional_parameter"})
MAKING_FIELDS = frozenset({"accessibility_modifier", "readonly", "override_modifier"})
"""Modifiers that turn a constructor's parameter into a field."""
_OPTIONAL = GIVEN | {"property_signature", "public_field_definition", "method_definition"}
_ENDED = frozenset(
    {
        *("expression_statement", "return_statement", "throw_statement", "break_statement"),
        *("continue_statement", "debugger_statement", "do_statement", "empty_statement"),
        *("lexical_declaration", "variable_declaration", "using_declaration"),
        *("import_statement", "export_statement", "import_alias"),
        *("field_definition", "public_field_definition", "abstract_method_signature"),
        *("function_signature", "method_signature", "index_signature"),
    }
)
"""Constructs that a semicolon or a line end ends."""
_BLOCKS = frozenset({"program", "statement_block", "switch_case", "switch_default"})


def tokens(node: Node) -> str:
    """Return the tokens, separated by spaces."""
    owner = node.parent.type if node.parent is not None else ""
    if node.type == ";" and owner != "for_statement":
        return ""
    if node.type == "?" and owner in _OPTIONAL:
        return ""
    if node.type in TYPES and not (owner in GIVEN and node.type in MAKING_FIELDS):
        return ""
    if node.type == "empty_statement" and owner in _BLOCKS:
        return ""
    if node.type in {"string", "template_string"} or node.child_count == 0:
        return text(node)
    found = " ".join(filter(None, (tokens(each) for each in node.children)))
    return f"{found} ;" if node.type in _ENDED else found
