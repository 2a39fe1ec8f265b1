"""Functions and classes in languages that tree-sitter reads."""

from __future__ import annotations

import re

from tree_sitter import Node

from codeintel.engine.equivalence.behaviour_heuristics.operations import Unit, plain
from codeintel.engine.equivalence.behaviour_heuristics.trees.texts import is_kind, node_text

_FUNCTION = re.compile(
    r"^(?:generator_)?function_(?:declaration|definition|item|statement)|^method(?:_declaration"
    r"|_definition)?$|^singleton_method$|^(?:local_)?function$|^constructor_declaration$"
    r"|^local_function_statement$|^function_definition_statement$|^generator_function_declaration$"
)
_VALUE = re.compile(
    r"arrow_function|^function(?:_expression|_definition)?$|lambda|closure|anonymous"
)
_HOLDER = re.compile(r"declarator$|^assignment|^field_definition$|^public_field|^pair$|^variable")
_CLASS = re.compile(
    r"^(?:abstract_)?class(?:_declaration|_definition|_specifier)?$|^struct_(?:item|specifier"
    r"|declaration)$|^enum_(?:item|declaration|definition)$|^record_declaration$"
    r"|^(?:object|trait)_(?:declaration|definition|item)$|^module$|^impl_item$|^type_spec$"
    r"|^interface_declaration$"
)
_NAME = re.compile(r"[^\W\d][\w$]*[?!=]?")
_IDENTIFIER = re.compile(r"identifier|^name$|^word$|^constant$")


def function_name(node: Node) -> str:
    """The name of a function that a node defines; empty if it defines none."""
    kind = node.type
    if not node.is_named:
        return ""
    if is_kind(kind, _FUNCTION):
        return _name(node)
    if is_kind(kind, _HOLDER):
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if value is not None and is_kind(value.type, _VALUE):
            return _name(node)
    return ""


def class_name(node: Node) -> str:
    """The name of a class that a node defines, or adds to; empty if it does neither."""
    if not node.is_named or not is_kind(node.type, _CLASS):
        return ""
    if node.type == "type_spec" and "(" in _head(node):
        return ""
    if node.type.endswith("specifier") and node.child_by_field_name("body") is None:
        return ""
    return _name(node)


def _name(node: Node) -> str:
    for field in ("name", "left", "declarator", "property", "key", "type"):
        inner = node.child_by_field_name(field)
        depth = 0
        while inner is not None and depth < 5:  # `int *f(void)` has declarators in declarators
            deeper = inner.child_by_field_name("declarator")
            if deeper is None:
                break
            inner, depth = deeper, depth + 1
        if inner is not None:
            words = _NAME.findall(plain(node_text(inner)))
            return words[-1] if words else ""
    for each in node.named_children:
        if is_kind(each.type, _IDENTIFIER):
            return node_text(each)
    return ""


def is_private(node: Node, name: str, language: str) -> bool:
    """Whether nobody outside can call it."""
    head = _head(node)
    if language in ("javascript", "typescript", "tsx"):
        return name[:1] in "_#" or not _is_exported(node)
    if language == "go":
        return name[:1].islower()
    if language == "rust":
        return not head.startswith("pub")
    if language in ("c", "cpp"):
        return re.match(r"static\b", head) is not None
    if language in ("java", "csharp", "php", "kotlin", "swift", "scala"):
        return re.search(r"\b(?:private|fileprivate)\b", head) is not None
    if language == "lua":
        return head.startswith("local")
    return name.startswith("_")


def _is_exported(node: Node) -> bool:
    parent: Node | None = node
    for _ in range(4):
        if parent is None:
            return False
        if "export" in parent.type or "class_body" in parent.type:
            return True
        parent = parent.parent
    return False


def note_parameters(node: Node, unit: Unit) -> None:
    """Note the names of parameters, and what they are if nothing is given."""
    several = node.child_by_field_name("parameters")
    if several is None:
        inner = node.child_by_field_name("value") or node.child_by_field_name("declarator")
        several = inner.child_by_field_name("parameters") if inner is not None else None
    for each in several.named_children if several is not None else ():
        names = [
            each.child_by_field_name(field) for field in ("name", "pattern", "left", "declarator")
        ]
        name = next((inner for inner in names if inner is not None), each)
        word = plain(node_text(name)).lstrip("*&$")
        if not _NAME.fullmatch(word):
            continue
        unit.parameters.add(word)
        unit.used[word] -= 1  # it is named there as well
        value = next(
            (
                each.child_by_field_name(f)
                for f in ("value", "right", "default_value")
                if each.child_by_field_name(f) is not None
            ),
            None,
        )
        if value is not None:
            unit.defaults[word] = plain(node_text(value))
        elif each.type == "parameter" and "=" in node_text(each):
            unit.defaults[word] = plain(node_text(each).partition("=")[2])


def _head(node: Node) -> str:
    return (node.text or b"")[:80].decode(errors="replace").partition("{")[0]
