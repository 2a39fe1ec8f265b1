"""Which constructs of TypeScript's grammar are types, and which have another name in
JavaScript's."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

Stretch = tuple[int, int]


class MoreThanTypesError(Exception):
    """There is something that a program has when it runs, and that JavaScript has not."""


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TYPES = _listed(
    """
    abstract_method_signature accessibility_modifier ambient_declaration
    asserts_annotation adding_type_annotation function_signature implements_clause
    index_signature interface_declaration method_signature omitting_type_annotation
    opting_type_annotation override_modifier type_alias_declaration type_annotation
    type_arguments type_parameters type_predicate_annotation
    """
)
_NAMES = {
    "abstract_class_declaration": "class_declaration",
    "extends_clause": "class_heritage",
    "public_field_definition": "field_definition",
    "required_parameter": "assignment_pattern",
    "optional_parameter": "assignment_pattern",
}
_SPACES = frozenset({"internal_module", "module"})
_RUNNING = frozenset({"enum_declaration", "import_alias", "import_require_clause", "decorator"})
_TRANSPARENT = frozenset(
    {"as_expression", "instantiation_expression", "non_null_expression", "satisfies_expression"}
)


def name_of(node: Node) -> str:
    """What JavaScript's grammar calls a construct."""
    return _NAMES.get(node.type, node.type)


def is_transparent(node: Node) -> bool:
    """Whether a construct is not there without its types."""
    return node.type in _TRANSPARENT or node.type == "type_assertion"


def erased(node: Node) -> Iterator[Stretch]:
    """The bytes of a construct that are types'.

    :raises MoreThanTypesError: if it is no type, and nothing that JavaScript has.
    """
    kind = node.type
    if kind in _TYPES or _is_statement_of_types(node) or _is_declared_only(node):
        yield node.start_byte, node.end_byte
    elif kind in _RUNNING or (kind in _SPACES and node.is_named):
        if not _is_in_types(node):
            raise MoreThanTypesError(f"Line {node.start_point.row + 1} is more than a type.")
    elif kind in ("as_expression", "satisfies_expression"):
        yield node.children[0].end_byte, _end_of_type(node)
    elif kind in ("?", "!"):
        yield from _mark(node)
    elif kind in ("abstract", "readonly", "declare"):
        yield node.start_byte, node.end_byte


def _mark(node: Node) -> Iterator[Stretch]:
    """`?` and `!` that say something about a name or a value, and are no operators."""
    parent = node.parent
    if parent is None or parent.type in ("ternary_expression", "unary_expression"):
        return
    if parent.type != "binary_expression":
        yield node.start_byte, node.end_byte


def _is_in_types(node: Node) -> bool:
    outer: Node | None = node
    while outer is not None:
        if outer.type in _TYPES or _is_statement_of_types(outer):
            return True
        outer = outer.parent
    return False


def _is_statement_of_types(node: Node) -> bool:
    if node.type in _SPACES and node.is_named:
        return _holds_types_only(node)
    if node.type not in ("import_statement", "export_statement", "expression_statement"):
        return False
    if any(child.type == "type" for child in node.children):
        return True
    inner = [each for each in node.children if each.type in _TYPES or each.type in _SPACES]
    return bool(inner) and all(each.type in _TYPES or _holds_types_only(each) for each in inner)


def _holds_types_only(node: Node) -> bool:
    """Whether a namespace is nothing when the program runs."""
    body = node.child_by_field_name("body")
    return body is None or all(
        each.type in ("{", "}", ";", "comment", "empty_statement")
        or each.type in _TYPES - {"function_signature"}
        or _is_statement_of_types(each)
        for each in body.children
    )


def _is_declared_only(node: Node) -> bool:
    """A member or name that is declared or named as a type, or the type of `this`."""
    children = node.children
    if node.type == "public_field_definition":
        return any(each.type in ("abstract", "declare") for each in children)
    if node.type in ("import_specifier", "export_specifier"):
        return len(children) > 1 and children[0].type == "type"
    pattern = node.child_by_field_name("pattern") if node.type == "required_parameter" else None
    return pattern is not None and pattern.type == "this"


def _end_of_type(node: Node) -> int:
    """Where the type behind `as` ends: `.Name`, `[0]`, `| null` and `& Other` belong to it."""
    while (outer := node.parent) is not None and outer.children[0] == node:
        joined = outer.children[1].type if len(outer.children) > 1 else ""
        if joined not in (".", "[", "|", "&", "type_arguments"):
            break
        node = outer
    return node.end_byte
