"""Which places of TypeScript are types, and which are more than types and cannot be taken away."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from tree_sitter import Node

from codeintel.contracts import Unsupported
from codeintel_plugins.transformations.web.trees import WebSource, child_of, text

_ONLY_TYPES = frozenset({"type_alias_declaration", "interface_declaration", "ambient_declaration"})
_NOTHING = frozenset({"empty_statement", "comment", "{", "}", ";"})
_TYPE_GOES_ON = {
    "instantiation_expression": "type_arguments",
    "member_expression": ".",
    "subscript_expression": "[",
}
_MODULES = frozenset({"internal_module", "module"})
_TYPE_ONLY_EXPORTS = frozenset(
    {"type_alias_declaration", "interface_declaration", "ambient_declaration", "function_signature"}
)
_PARAMETERS = frozenset({"required_parameter", "optional_parameter"})


def refuse(node: Node, source: WebSource) -> None:
    """Raise `Unsupported` for types that would need additional code."""
    what = _found(node)
    if what:
        raise Unsupported(f"line {source.line(node)}: {what} is not supported")


def _found(node: Node) -> str:
    kind = node.type
    if kind == "enum_declaration":
        return f"`enum {_name(node)}`"
    if kind in ("internal_module", "module"):
        return f"`namespace {_name(node)}` with more than types"
    if kind == "import_alias":
        return "an `import` alias with `=`"
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
        return "a decorator"
    if kind == "accessor":
        return "`accessor`"
    return _ambiguous(node) if kind == "binary_expression" else _cast(node)


def _name(node: Node) -> str:
    return text(node.child_by_field_name("name"))


def _ambiguous(node: Node) -> str:
    """`call<Type>` at the end of a line: the grammar reads on, and finds two comparisons."""
    broken = node.children[1].end_point.row != node.children[2].start_point.row
    if broken and _compared_twice(node):
        return "an ambiguous `<` (type arguments or comparison)"
    return ""


def _compared_twice(node: Node) -> bool:
    """`a < b > c`."""
    left = node.children[0]
    operators = (node.children[1].type, left.children[1].type if len(left.children) > 1 else "")
    return left.type == "binary_expression" and operators == (">", "<")


def whole_cast(node: Node) -> Node:
    """Return the node with which the type after `as` really ends.

    The grammar parses the text after the type's first words, such as `.Name` or `| null`, as a part
    of an expression.
    """
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
        return "a `<Type>` cast at the start of a statement"
    return ""


def is_only_types(node: Node) -> bool:
    """Return whether nothing in a namespace exists when the program runs."""
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


class Where(Enum):
    """Additional text to remove with a type: the space before or after it, a comma, or its whole
    lines."""

    ALONE = "alone"
    BEFORE = "before"
    ENDED = "ended"
    """The space before it. The statement ends here, regardless of the grammar."""
    BEHIND = "behind"
    ITEM = "item"
    STATEMENT = "statement"
    MEMBER = "member"


class Removal(NamedTuple):
    """Bytes to remove, the additional text, and the rule."""

    start: int
    end: int
    where: Where
    rule: str


_WHOLE = {
    "type_annotation": (Where.BEFORE, "annotations"),
    "asserts_annotation": (Where.BEFORE, "annotations"),
    "type_predicate_annotation": (Where.BEFORE, "annotations"),
    "omitting_type_annotation": (Where.BEFORE, "annotations"),
    "adding_type_annotation": (Where.BEFORE, "annotations"),
    "opting_type_annotation": (Where.BEFORE, "annotations"),
    "type_arguments": (Where.ALONE, "type-arguments"),
    "type_parameters": (Where.ALONE, "type-parameters"),
    "implements_clause": (Where.BEFORE, "implements"),
    "accessibility_modifier": (Where.BEHIND, "modifiers"),
    "override_modifier": (Where.BEHIND, "modifiers"),
    "type_alias_declaration": (Where.STATEMENT, "type-declarations"),
    "interface_declaration": (Where.STATEMENT, "type-declarations"),
    "ambient_declaration": (Where.STATEMENT, "ambient-declarations"),
    "function_signature": (Where.STATEMENT, "overloads"),
    "method_signature": (Where.MEMBER, "overloads"),
    "abstract_method_signature": (Where.MEMBER, "abstract-members"),
    "index_signature": (Where.MEMBER, "type-members"),
}


def removals(source: WebSource) -> list[Removal]:
    """Return the removals, in order of position.

    :raises Unsupported: if more than types would have to be removed.
    """
    found = [Removal(*place, Where.ALONE, "type-arguments") for place in source.tag_types]
    stack = [source.root]
    while stack:
        node = stack.pop()
        whole = _whole(node)
        if whole is not None:
            found.append(whole)
            continue
        refuse(node, source)
        parts = list(_parts(node))
        found.extend(parts)
        ends = {(part.start, part.end) for part in parts}
        stack.extend(
            child
            for child in reversed(node.children)
            if not any(start <= child.start_byte and child.end_byte <= end for start, end in ends)
        )
    return sorted(found)


def _whole(node: Node) -> Removal | None:
    """Return the removal of a node that disappears completely."""
    kind = node.type
    if kind in _WHOLE:
        return Removal(node.start_byte, node.end_byte, *_WHOLE[kind])
    if _is_type_statement(node):
        return Removal(node.start_byte, node.end_byte, Where.STATEMENT, "type-declarations")
    if kind == "public_field_definition" and child_of(node, "abstract", "declare"):
        return Removal(node.start_byte, node.end_byte, Where.MEMBER, "abstract-members")
    if kind in ("import_specifier", "export_specifier") and _is_marked(node):
        return Removal(node.start_byte, node.end_byte, Where.ITEM, "type-imports")
    pattern = node.child_by_field_name("pattern") if kind in _PARAMETERS else None
    if pattern is not None and pattern.type == "this":
        return Removal(node.start_byte, node.end_byte, Where.ITEM, "this-parameters")
    return None


def _is_type_statement(node: Node) -> bool:
    kind = node.type
    if kind in ("import_statement", "export_statement") and child_of(node, "type"):
        return True
    if kind == "export_statement":
        declaration = node.child_by_field_name("declaration")
        if declaration is None:
            return False
        erased = declaration.type in _MODULES and is_only_types(declaration)
        return erased or declaration.type in _TYPE_ONLY_EXPORTS
    if kind == "expression_statement" and node.children[0].type in _MODULES:
        return is_only_types(node.children[0])
    return kind in _MODULES and is_only_types(node)


def _is_marked(node: Node) -> bool:
    """`type X`, where `type` is no name."""
    return node.children[0].type == "type" and len(node.children) > 1


def _parts(node: Node) -> Iterator[Removal]:
    """Yield the removals of parts of a node that otherwise stays."""
    kind = node.type
    if kind in ("as_expression", "satisfies_expression"):
        word = node.children[1]
        outer = whole_cast(node)
        call = outer.parent
        ended = call is not None and call.type == "call_expression" and call.children[0] == outer
        yield Removal(
            word.start_byte, outer.end_byte, Where.ENDED if ended else Where.BEFORE, "casts"
        )
    elif kind == "non_null_expression":
        yield _token(node.children[-1], Where.ALONE, "assertions")
    elif kind == "type_assertion":
        yield _token(node.children[0], Where.BEHIND, "casts")
    elif kind in ("abstract_class_declaration", "class"):
        yield from _words(node, "abstract")
    elif kind == "public_field_definition":
        yield from _words(node, "readonly")
        yield from _marks(node)
    elif kind in ("optional_parameter", "method_definition", "variable_declarator"):
        yield from _marks(node)


def _words(node: Node, *words: str) -> Iterator[Removal]:
    for child in node.children:
        if child.type in words and not child.is_named:
            yield _token(child, Where.BEHIND, "modifiers")


def _marks(node: Node) -> Iterator[Removal]:
    """`?` and `!` behind a name."""
    for child in node.children:
        if child.type in ("?", "!"):
            yield _token(child, Where.BEFORE, "optional-marks")


def _token(node: Node, where: Where, rule: str) -> Removal:
    return Removal(node.start_byte, node.end_byte, where, rule)
