"""What is public in Java, C#, PHP and Ruby: types, and their members that are not private."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel.engine.equivalence.interfaces.nodes import joined, name, parameters, text, words

_TYPES = frozenset(
    {
        *("class_declaration", "interface_declaration", "enum_declaration", "record_declaration"),
        *("annotation_type_declaration", "struct_declaration", "trait_declaration"),
        "record_struct_declaration",
    }
)
_OPEN = frozenset({"interface_declaration", "annotation_type_declaration", "enum_declaration"})
_METHODS = frozenset(
    {
        *("method_declaration", "constructor_declaration", "function_definition"),
        *("annotation_type_element_declaration", "operator_declaration", "indexer_declaration"),
        *("delegate_declaration", "conversion_operator_declaration"),
    }
)
_FIELDS = frozenset(
    {
        *("field_declaration", "event_field_declaration", "constant_declaration"),
        *("property_declaration", "const_declaration", "event_declaration"),
    }
)
_WRAPPERS = frozenset(
    {
        *("namespace_declaration", "declaration_list", "namespace_definition", "class_body"),
        *("compound_statement", "interface_body", "enum_body", "enum_body_declarations"),
        *("enum_declaration_list", "enum_member_declaration_list", "annotation_type_body"),
        *("program", "compilation_unit", "module_declaration", "declaration"),
    }
)
_NAMED_VALUES = frozenset({"enum_constant", "enum_case", "enum_member_declaration"})
_HOLDERS = frozenset({"variable_declaration"})
_ELEMENTS = frozenset({"variable_declarator", "property_element", "const_element"})
_WORDS = ("modifiers", "modifier", "visibility_modifier", "static_modifier", "var_modifier")


def java(root: Node) -> Iterator[str]:
    """Everything that is not private: others of the package may use it."""
    yield from _walk(root, hidden=frozenset({"private"}), shown=None, named=False)


def csharp(root: Node) -> Iterator[str]:
    """Members that say that they are not private; callers may name parameters."""
    shown = frozenset({"public", "protected", "internal"})
    yield from _walk(root, hidden=frozenset({"private"}), shown=shown, named=True)


def php(root: Node) -> Iterator[str]:
    """Everything that is not private; callers may name parameters."""
    yield from _walk(root, hidden=frozenset({"private"}), shown=None, named=True)


def _walk(
    root: Node, *, hidden: frozenset[str], shown: frozenset[str] | None, named: bool
) -> Iterator[str]:
    """The names below a node.

    :param shown: words of which a member of a class needs one to be seen; None if it needs none.
    :param named: whether callers may use the names of parameters.
    """
    left = [(child, "", True) for child in reversed(root.named_children)]
    while left:
        node, prefix, is_open = left.pop()
        kind = node.type
        said = words(node, *_WORDS)
        if said & hidden and kind not in _WRAPPERS:
            continue
        if kind in _TYPES:
            own = joined(prefix, name(node))
            yield own
            if kind.startswith("record"):
                yield f"{own}({len(_listed(node))})"
            opens = kind in _OPEN or shown is None
            left += [(each, own, opens) for each in reversed(node.named_children)]
        elif kind in _WRAPPERS:
            left += [(each, prefix, is_open) for each in reversed(node.named_children)]
        elif not is_open and shown is not None and not said & shown:
            continue
        elif kind in _METHODS:
            yield _static(said) + joined(prefix, _signature(node, named))
        elif kind in _NAMED_VALUES:
            yield joined(prefix, name(node))
        elif kind in _FIELDS:
            yield from (_static(said) + joined(prefix, each) for each in _names(node))


def _static(said: set[str]) -> str:
    return "static " if "static" in said else ""


def _listed(node: Node) -> list[Node]:
    """The parameters of a record, which has them in a field or without one."""
    held = parameters(node)
    listed = next((each for each in node.children if each.type == "parameter_list"), None)
    return held or (listed.named_children if listed is not None else [])


def _signature(node: Node, named: bool) -> str:
    called = name(node) or text(node.child_by_field_name("operator")) or "[]"
    listed = parameters(node)
    if not named:
        return f"{called}({len(listed)})"
    return f"{called}({', '.join(name(each).lstrip('$') or text(each) for each in listed)})"


def _names(node: Node) -> Iterator[str]:
    if name(node):
        yield name(node)
        return
    left = list(reversed(node.named_children))
    while left:
        each = left.pop()
        if each.type in _ELEMENTS:
            held = each.child_by_field_name("name") or each.named_child(0)
            yield text(held)
        elif each.type in _HOLDERS:
            left += reversed(each.named_children)


_RUBY_TYPES = ("class", "module")
_HIDING = ("private", "protected", "private_class_method", "private_constant")
_ATTRIBUTES = {"attr_reader": "r", "attr_writer": "w", "attr_accessor": "rw", "attr": "r"}


def ruby(root: Node) -> Iterator[str]:
    """The names of a program."""
    yield from _ruby_body(root, "")


def _ruby_body(body: Node, prefix: str) -> Iterator[str]:
    """The public names of a class or a program; what hides a method may stand behind it."""
    found: list[str] = []
    hidden: set[str] = set()
    is_open = True
    for node in body.named_children:
        if node.type in _RUBY_TYPES:
            found += _ruby_type(node, prefix)
        elif node.type == "singleton_class":
            inner = node.child_by_field_name("body")
            found += [f"static {each}" for each in (_ruby_body(inner, prefix) if inner else ())]
        elif node.type == "identifier" and text(node) in ("private", "protected", "public"):
            is_open = text(node) == "public"
        elif node.type == "call":
            found += _ruby_call(node, prefix, is_open, hidden)
        elif node.type == "method" and is_open:
            found.append(joined(prefix, _ruby_signature(node)))
        elif node.type == "singleton_method":
            found.append(f"static {joined(prefix, _ruby_signature(node))}")
        elif node.type == "assignment":
            left = node.child_by_field_name("left")
            if left is not None and left.type == "constant":
                found.append(joined(prefix, text(left)))
    for each in found:
        last = each.removeprefix("static ").removeprefix(prefix).lstrip(".")
        if last.partition("(")[0] not in hidden:
            yield each


def _ruby_type(node: Node, prefix: str) -> Iterator[str]:
    own = joined(prefix, name(node))
    yield own
    body = node.child_by_field_name("body")
    if body is not None:
        yield from _ruby_body(body, own)


def _ruby_call(node: Node, prefix: str, is_open: bool, hidden: set[str]) -> Iterator[str]:
    """What attributes define, and methods behind `public`; `hidden` is told what is private."""
    method = name(node, "method")
    listed = node.child_by_field_name("arguments")
    arguments = listed.named_children if listed is not None else []
    if method in _HIDING:
        hidden.update(text(each).lstrip(":") for each in arguments if each.type == "simple_symbol")
    elif method == "public":
        for each in arguments:
            if each.type == "method":
                yield joined(prefix, _ruby_signature(each))
    elif method in _ATTRIBUTES and is_open:
        for each in arguments:
            own = text(each).lstrip(":")
            if "r" in _ATTRIBUTES[method]:
                yield joined(prefix, f"{own}(0)")
            if "w" in _ATTRIBUTES[method]:
                yield joined(prefix, f"{own}=(1)")


def _ruby_signature(node: Node) -> str:
    """A method with how many values it takes, and the names of those that are named."""
    listed = parameters(node)
    named = sorted(f"{name(each)}:" for each in listed if each.type == "keyword_parameter")
    plain = [each for each in listed if each.type not in ("keyword_parameter", "block_parameter")]
    return f"{name(node)}({', '.join([str(len(plain)), *named])})"
