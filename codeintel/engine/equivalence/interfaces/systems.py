"""What is public in Go, Rust, C and C++."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel.engine.equivalence.interfaces.nodes import joined, name, parameters, text, words

_RUST_ITEMS = frozenset(
    {
        *("struct_item", "enum_item", "trait_item", "const_item", "static_item", "type_item"),
        *("mod_item", "union_item"),
    }
)
_RUST_FUNCTIONS = ("function_item", "function_signature_item")
_C_TYPES = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"})
_C_INSIDE = frozenset(
    {
        *("preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "linkage_specification"),
        *("declaration_list", "template_declaration", "namespace_definition"),
        *("field_declaration_list", "type_definition", "enumerator_list"),
    }
)
_DECLARATORS = ("pointer_declarator", "reference_declarator", "array_declarator", "init_declarator")


def go(root: Node) -> Iterator[str]:
    """What begins with a capital letter."""
    for node in root.named_children:
        if node.type == "function_declaration" and name(node)[:1].isupper():
            yield f"{name(node)}({_go_count(node)})"
        elif node.type == "method_declaration" and name(node)[:1].isupper():
            yield f"{_receiver(node)}.{name(node)}({_go_count(node)})"
        elif node.type in ("type_declaration", "const_declaration", "var_declaration"):
            yield from _go_names(node)


def _go_names(node: Node) -> Iterator[str]:
    left = [(each, "") for each in reversed(node.named_children)]
    while left:
        each, prefix = left.pop()
        names = [text(held) for held in each.children_by_field_name("name")]
        if each.type == "method_elem" and names[0][:1].isupper():
            yield f"{prefix}.{names[0]}({_go_count(each)})"
            continue
        own = [joined(prefix, held) for held in names if held[:1].isupper()]
        yield from own
        typed = each.child_by_field_name("type")
        if each.type in ("type_spec", "type_alias") and own and typed is not None:
            left += [(inner, own[0]) for inner in reversed(typed.named_children)]
        elif each.type in ("var_spec_list", "field_declaration_list"):
            left += [(inner, prefix) for inner in reversed(each.named_children)]


def _go_count(node: Node) -> int:
    return sum(max(1, len(each.children_by_field_name("name"))) for each in parameters(node))


def _receiver(node: Node) -> str:
    words_of = text(node.child_by_field_name("receiver")).strip("()").split()
    return words_of[-1].lstrip("*").partition("[")[0] if words_of else ""


def rust(root: Node) -> Iterator[str]:
    """What says `pub`, and what stands in a trait or a public enum."""
    left = [(each, "", False) for each in reversed(root.named_children)]
    while left:
        node, prefix, is_open = left.pop()
        body = node.child_by_field_name("body")
        inside = list(reversed(body.named_children)) if body is not None else []
        if node.type == "impl_item":
            if node.child_by_field_name("trait") is None:
                own = text(node.child_by_field_name("type")).partition("<")[0]
                left += [(each, joined(prefix, own), False) for each in inside]
            continue
        if not is_open and not words(node, "visibility_modifier"):
            continue
        if node.type in _RUST_FUNCTIONS:
            yield f"{joined(prefix, name(node))}({len(parameters(node))})"
        elif node.type in _RUST_ITEMS:
            own = joined(prefix, name(node))
            yield own
            left += [(each, own, node.type in ("trait_item", "enum_item")) for each in inside]
        elif node.type in ("field_declaration", "enum_variant", "associated_type"):
            yield joined(prefix, name(node))
        elif node.type == "use_declaration":
            yield f"use {' '.join(text(node.child_by_field_name('argument')).split())}"


def c(root: Node) -> Iterator[str]:
    """What other files may use: all that is neither static nor private."""
    left = [(each, "", True) for each in reversed(root.named_children)]
    while left:
        node, prefix, is_open = left.pop()
        kind = node.type
        body = node.child_by_field_name("body")
        typed = node.child_by_field_name("type")
        if kind in _C_TYPES and body is not None:
            own = joined(prefix, name(node)) if name(node) else prefix
            if name(node) and is_open:
                yield own
            left += _members(kind, body, own if kind != "enum_specifier" else prefix, is_open)
        elif kind in _C_INSIDE:
            own = joined(prefix, name(node)) if kind == "namespace_definition" else prefix
            left += [(each, own, is_open) for each in reversed(node.named_children)]
        if kind in ("type_definition", "declaration", "field_declaration", "function_definition"):
            if typed is not None and typed.type in _C_TYPES and kind != "type_definition":
                left.append((typed, prefix, is_open))
            if is_open and (not words(node, "storage_class_specifier") & {"static"} or prefix):
                yield from (
                    joined(prefix, each) for each in map(_declared, _declarators(node)) if each
                )
        elif is_open and kind in ("enumerator", "alias_declaration", "preproc_def"):
            yield joined(prefix, name(node))
        elif is_open and kind == "preproc_function_def":
            yield f"{name(node)}({len(parameters(node))})"


def _members(kind: str, body: Node, own: str, is_open: bool) -> Iterator[tuple[Node, str, bool]]:
    """The members of a type, with whether they are private."""
    seen = kind != "class_specifier"
    found = []
    for each in body.named_children:
        if each.type == "access_specifier":
            seen = text(each) != "private"
        else:
            found.append((each, own, is_open and seen))
    yield from reversed(found)


def _declarators(node: Node) -> list[Node]:
    return node.children_by_field_name("declarator")


def _declared(node: Node) -> str:
    """The name that a declarator declares, with the number of parameters of a function."""
    held: Node | None = node
    while held is not None and held.type in _DECLARATORS:
        held = held.child_by_field_name("declarator") or held.named_child(
            held.named_child_count - 1
        )
    if held is None:
        return ""
    if held.type != "function_declarator":
        return "" if held.type.endswith("declarator") else text(held)
    inner = held.child_by_field_name("declarator")
    if inner is not None and inner.type == "parenthesized_declarator":
        return text(inner).strip("(*) ")
    listed = [each for each in parameters(held) if text(each) != "void"]
    const = " const" if words(held, "type_qualifier") & {"const"} else ""
    return f"{text(inner)}({len(listed)}){const}"
