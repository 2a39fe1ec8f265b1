"""The declarations of names and their types, as far as the given code shows with certainty."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

UNKNOWN = ""
"""The type of what is declared without a type, such as the parameter of a lambda."""

# Parents of a name under the field "name" (or "left") that declare it, with a type in a field.
_BINDERS = {
    "java": {
        **dict.fromkeys(("formal_parameter", "resource", "catch_formal_parameter"), "name"),
        **dict.fromkeys(("enhanced_for_statement", "variable_declarator"), "name"),
        **dict.fromkeys(("type_pattern", "instanceof_expression", "spread_parameter"), "name"),
        "record_pattern_component": "name",
    },
    "csharp": {
        **dict.fromkeys(("parameter", "variable_declarator", "property_declaration"), "name"),
        **dict.fromkeys(("declaration_expression", "declaration_pattern"), "name"),
        **dict.fromkeys(("catch_declaration", "enum_member_declaration"), "name"),
        "foreach_statement": "left",
    },
}
_UNTYPED = {
    "java": ("inferred_parameters", "lambda_expression", "enum_constant"),
    "csharp": (
        *("implicit_parameter", "lambda_expression", "from_clause", "let_clause", "join_clause"),
        *("var_pattern", "tuple_pattern", "parenthesized_variable_designation"),
        "implicit_parameter_list",
    ),
}
_DECLARATORS = frozenset(
    {
        *("pointer_declarator", "array_declarator", "init_declarator", "reference_declarator"),
        *("function_declarator", "parenthesized_declarator", "attributed_declarator"),
    }
)
_C_BINDERS = (
    *("declaration", "parameter_declaration", "field_declaration", "for_range_loop"),
    *("optional_parameter_declaration", "variadic_parameter_declaration"),
)
_C_UNTYPED = frozenset(
    {
        *("lambda_capture_initializer", "structured_binding_declarator", "enumerator"),
        *("template_parameter_list", "type_parameter_declaration", "variadic_declarator"),
    }
)
_MADE = re.compile(
    r"(?:(Vec|String|HashMap|HashSet|BTreeMap|BTreeSet|VecDeque)(?:::<[^()]*>)?"
    r"::(?:new|with_capacity|from)|(vec)!)"
)
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


def declared_type(node: SgNode, language: str) -> str | None:
    """Return the type, if the name at a place declares something; None if it only uses it."""
    parent = node.parent()
    if parent is None:
        return None
    if language in ("java", "csharp"):
        return _of_java(node, parent, language)
    if language in ("c", "cpp"):
        return _of_c(node)
    if language == "go":
        return _of_go(node, parent)
    if language == "rust":
        return _of_rust(node, parent)
    return None


def _is_same(first: SgNode | None, second: SgNode) -> bool:
    """Return whether two nodes are the same."""
    return first is not None and first == second


def _of_java(node: SgNode, parent: SgNode, language: str) -> str | None:
    kind = str(parent.kind())
    if node.kind() == "implicit_parameter":
        return UNKNOWN
    if kind in _UNTYPED[language]:
        if kind == "lambda_expression" and not _is_same(parent.field("parameters"), node):
            return None
        return UNKNOWN
    field = _BINDERS[language].get(kind)
    if field is None or not _is_same(parent.field(field), node):
        return None
    if kind == "property_declaration" and not _is_plain_property(parent):
        return UNKNOWN
    holder = parent.parent() if kind == "variable_declarator" else parent
    typed = holder.field("type") if holder is not None else None
    if typed is None or typed.text() == "var":
        return UNKNOWN
    dimensions = parent.field("dimensions")
    return typed.text() + (dimensions.text() if dimensions is not None else "")


def _is_plain_property(node: SgNode) -> bool:
    """Return whether reading the property only reads a field. Nothing overrides it."""
    if re.search(r"\b(?:virtual|abstract|override|extern)\b", node.text().partition("{")[0]):
        return False
    accessors = node.field("accessors")
    holder = node.parent()
    outer = holder.parent() if holder is not None else None
    if accessors is None or (outer is not None and outer.kind() == "interface_declaration"):
        return False
    return (
        re.fullmatch(
            r"[{}\s;]*(?:\b(?:get|set|init|private|protected|internal)\b[{}\s;]*)+",
            accessors.text(),
        )
        is not None
        and "{" not in accessors.text()[1:]
    )


def _of_c(node: SgNode) -> str | None:
    below, suffix = node, ""
    parent = node.parent()
    if parent is not None and str(parent.kind()) in _C_UNTYPED:
        return None if _is_same(parent.field("value"), node) else UNKNOWN
    while parent is not None and str(parent.kind()) in _DECLARATORS:
        kind = str(parent.kind())
        inner = parent.field("declarator")
        if inner is None and kind == "reference_declarator":
            inner = next((each for each in parent.children() if each.is_named()), None)
        if not _is_same(inner, below):
            return None
        if kind == "function_declarator":
            suffix += "()"
        elif kind in ("pointer_declarator", "reference_declarator"):
            suffix += "*" if kind == "pointer_declarator" else "&"
        elif kind == "array_declarator":
            suffix += "[]"
        below, parent = parent, parent.parent()
    if parent is None or str(parent.kind()) not in _C_BINDERS:
        return None
    if below not in list(parent.field_children("declarator")):
        return None
    typed = parent.field("type")
    if typed is None or typed.text() == "auto":
        return UNKNOWN
    words = [
        each.text()
        for each in parent.children()
        if each.kind() == "type_qualifier" and each.text() == "const"
    ]
    return " ".join([*words, typed.text()]) + suffix


def _of_go(node: SgNode, parent: SgNode) -> str | None:
    kind = str(parent.kind())
    if kind in (
        "var_spec",
        "parameter_declaration",
        "const_spec",
        "variadic_parameter_declaration",
    ):
        if node not in list(parent.field_children("name")):
            return None
        typed = parent.field("type")
        if typed is None:
            return UNKNOWN
        return ("..." if kind.startswith("variadic") else "") + typed.text()
    if kind == "type_parameter_declaration":
        return UNKNOWN if node in list(parent.field_children("name")) else None
    if kind in (
        *("function_declaration", "type_spec", "import_spec", "method_declaration"),
        *("type_alias",),
    ):
        return UNKNOWN if _is_same(parent.field("name"), node) else None
    if kind != "expression_list":
        return None
    above = parent.parent()
    if above is None or str(above.kind()) not in (
        "short_var_declaration", "range_clause", "receive_statement", "type_switch_statement",
    ):  # fmt: skip
        return None
    if _is_same(above.field("left"), parent) or _is_same(above.field("alias"), parent):
        value = above.field("right") if above.kind() == "short_var_declaration" else None
        return _go_value(parent, value)
    return None


def _go_value(names: SgNode, value: SgNode | None) -> str:
    """Return the declared type of a single name in `:=`."""
    if value is None or len([each for each in names.children() if each.is_named()]) != 1:
        return UNKNOWN
    only = value.child(0)
    if only is None:
        return UNKNOWN
    if only.kind() == "composite_literal":
        typed = only.field("type")
        return typed.text() if typed is not None else UNKNOWN
    function = only.field("function") if only.kind() == "call_expression" else None
    arguments = only.field("arguments") if function is not None else None
    if function is not None and function.text() == "make" and arguments is not None:
        made = arguments.child(1)
        return made.text() if made is not None else UNKNOWN
    if only.kind() in ("true", "false"):
        return "bool"
    return f"={function.text()}()" if function is not None else UNKNOWN


def _of_rust(node: SgNode, parent: SgNode) -> str | None:
    kind = str(parent.kind())
    if kind == "field_pattern" and node.kind() == "shorthand_field_identifier":
        return UNKNOWN
    if kind == "let_condition":
        return UNKNOWN if _is_same(parent.field("pattern"), node) else None
    if kind in ("let_declaration", "parameter") and _is_same(parent.field("pattern"), node):
        typed = parent.field("type")
        if typed is not None:
            return typed.text()
        value = parent.field("value")
        made = _MADE.match(value.text()) if value is not None else None
        return (made[1] or "Vec") + "<>" if made else UNKNOWN
    if kind in ("const_item", "static_item") and _is_same(parent.field("name"), node):
        typed = parent.field("type")
        return typed.text() if typed is not None else UNKNOWN
    if kind in ("closure_parameters", "captured_pattern", "mut_pattern", "ref_pattern"):
        return UNKNOWN
    if kind in ("tuple_pattern", "tuple_struct_pattern", "slice_pattern", "match_pattern"):
        return (
            None if kind == "tuple_struct_pattern" and _is_same(parent.field("type"), node) else ""
        )
    if kind in ("field_pattern", "for_expression", "reference_pattern", "or_pattern"):
        value = parent.field("value") if kind == "for_expression" else None
        body = parent.field("body") if kind == "for_expression" else None
        return None if _is_same(value, node) or _is_same(body, node) else UNKNOWN
    return None


def types_of(reading: Reading, use: SgNode) -> list[str] | None:
    """Return all types that the code declares the name with.

    Returns None if the use is outside of all declarations, or if a type is unknown.
    """
    name = use.text()
    if name not in reading.declared:
        reading.declared[name] = _declarations(reading, name)
    known = reading.declared[name]
    place = reading.span(use).start
    if known is None or not any(scope.start <= place < scope.end for _, scope in known):
        return None
    return [found for found, _ in known]


def is_local(reading: Reading, use: SgNode) -> bool:
    """Return whether C++ resolves a name to the declaration with certainty.

    That is so for a variable of a function, which no member of a base class can hide. In other
    languages, the file alone is enough.
    """
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
    """Return the types that a name is declared with, and their scopes; None if a type is
    unknown."""
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
    """Return the innermost block, function or class around a name."""
    return next((each for each in node.ancestors() if each.kind() in _SCOPES), None)
