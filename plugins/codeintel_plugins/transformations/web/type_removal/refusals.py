"""What TypeScript has that is more than types: it cannot be taken away."""

from __future__ import annotations

from tree_sitter import Node

from codeintel.contracts import Unsupported
from codeintel_plugins.transformations.web.trees import Source, child_of, text

_ONLY_TYPES = frozenset({"type_alias_declaration", "interface_declaration", "ambient_declaration"})
_NOTHING = frozenset({"empty_statement", "comment", "{", "}", ";"})
_PARAMETERS = frozenset({"required_parameter", "optional_parameter"})


def refuse(node: Node, source: Source) -> None:
    """Raise `Unsupported` for what would need code of its own."""
    what = _found(node)
    if what:
        raise Unsupported(f"line {source.line(node)}: {what}")


def _found(node: Node) -> str:
    kind = node.type
    if kind == "enum_declaration":
        return f"`enum {_name(node)}`"
    if kind in ("internal_module", "module"):
        return f"`namespace {_name(node)}` holds more than types"
    if kind == "import_alias":
        return "`import` of another name with `=`"
    if kind == "import_require_clause":
        return "`import` with `= require()`"
    if kind == "export_statement":
        if child_of(node, "="):
            return "`export =`"
        return "`export as namespace`" if child_of(node, "namespace") else ""
    if kind in _PARAMETERS and child_of(node, "accessibility_modifier", "readonly"):
        return f"the parameter property `{text(node.child_by_field_name('pattern'))}`"
    if kind in _PARAMETERS and child_of(node, "override_modifier"):
        return f"the parameter property `{text(node.child_by_field_name('pattern'))}`"
    if kind == "decorator":
        return "a decorator, which JavaScript does not have yet"
    if kind == "accessor":
        return "`accessor`, which JavaScript does not have yet"
    return _ambiguous(node) if kind == "binary_expression" else _cast(node)


def _name(node: Node) -> str:
    return text(node.child_by_field_name("name"))


def _ambiguous(node: Node) -> str:
    """`call<Type>` at the end of a line: the grammar reads on, and finds two comparisons."""
    broken = node.children[1].end_point.row != node.children[2].start_point.row
    if broken and _compared_twice(node):
        return "types of a call, or two comparisons in a row"
    return ""


def _compared_twice(node: Node) -> bool:
    """`a < b > c`."""
    left = node.children[0]
    operators = (node.children[1].type, left.children[1].type if len(left.children) > 1 else "")
    return left.type == "binary_expression" and operators == (">", "<")


_TYPE_GOES_ON = {
    "instantiation_expression": "type_arguments",
    "member_expression": ".",
    "subscript_expression": "[",
}


def whole_cast(node: Node) -> Node:
    """The node with which the type behind `as` really ends: the grammar reads what follows its
    first words, such as `.Name` or `| null`, as a part of an expression."""
    while (outer := node.parent) is not None and outer.children[0] == node:
        operator = outer.children[1].type if len(outer.children) > 1 else ""
        united = outer.type == "binary_expression" and operator in ("|", "&")
        if not united and _TYPE_GOES_ON.get(outer.type) != operator:
            break
        node = outer
    return node


def _cast(node: Node) -> str:
    """`<Type>{...}` where the braces alone would be a block, or the word alone a declaration."""
    if node.type != "type_assertion" or node.parent is None:
        return ""
    first = node
    while first.parent is not None and first.parent.start_byte == node.start_byte:
        first = first.parent
        if first.type == "expression_statement":
            break
    is_body = first.parent is not None and first.parent.type == "arrow_function"
    last = node.children[-1]
    while last.type == "type_assertion":
        last = last.children[-1]
    opens = text(last).startswith(("{", "function", "class", "let", "async"))
    if opens and (is_body or first.type == "expression_statement"):
        return "a cast `<Type>` at the beginning of a statement"
    return ""


def is_only_types(node: Node) -> bool:
    """Whether nothing in a namespace exists when the program runs."""
    body = node.child_by_field_name("body")
    return body is None or all(map(_is_erased, body.children))


def _is_erased(node: Node) -> bool:
    if node.type in _NOTHING or node.type in _ONLY_TYPES:
        return True
    if node.type in ("internal_module", "module"):
        return is_only_types(node)
    if node.type == "export_statement":
        declaration = node.child_by_field_name("declaration")
        return declaration is not None and _is_erased(declaration)
    if node.type == "expression_statement":
        return all(child.type == ";" or _is_erased(child) for child in node.children)
    return False
