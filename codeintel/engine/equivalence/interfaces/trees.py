"""List what is public in Java, C#, PHP, Ruby, Go, Rust, C and C++, from their syntax trees."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node


def text(node: Node | None) -> str:
    """Return the text of a node, or an empty string for None."""
    return "" if node is None or node.text is None else node.text.decode(errors="replace")


def name(node: Node, field: str = "name") -> str:
    """Return the name of a declaration."""
    return text(node.child_by_field_name(field))


def words(node: Node, *types: str) -> set[str]:
    """Return the modifiers of a declaration, such as `public`: the words in children of the
    given types."""
    return {word for child in node.children if child.type in types for word in text(child).split()}


def parameters(node: Node, field: str = "parameters") -> list[Node]:
    """Return the parameters of a function."""
    listed = node.child_by_field_name(field)
    if listed is None:
        return []
    return [child for child in listed.named_children if "comment" not in child.type]


def joined(prefix: str, last: str) -> str:
    """Return a qualified name."""
    return f"{prefix}.{last}" if prefix else last


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
    """Yield everything that is not private, because other classes of the package may use it."""
    yield from _walk(root, hidden=frozenset({"private"}), shown=None, named=False)


def csharp(root: Node) -> Iterator[str]:
    """Yield the members that are declared accessible. Callers may name parameters."""
    shown = frozenset({"public", "protected", "internal"})
    yield from _walk(root, hidden=frozenset({"private"}), shown=shown, named=True)


def php(root: Node) -> Iterator[str]:
    """Yield everything that is not private. Callers may name parameters."""
    yield from _walk(root, hidden=frozenset({"private"}), shown=None, named=True)


def _walk(
    root: Node, *, hidden: frozenset[str], shown: frozenset[str] | None, named: bool
) -> Iterator[str]:
    """Yield the public names below a node.

    :param hidden: modifiers that hide a declaration.
    :param shown: modifiers that make a class member public, or None if members need no modifier.
    :param named: whether callers may name parameters.
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
    """Return the parameters of a record, whose grammar may keep them outside a field."""
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
    """Yield the public names of a program."""
    yield from _ruby_body(root, "")


def _ruby_body(body: Node, prefix: str) -> Iterator[str]:
    """Yield the public names of a class or a program. A call after a method may still hide it."""
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
    """Yield the methods that attributes define and `public` declares.

    Add private names to `hidden`.
    """
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
    """Return a method with its number of positional parameters and the names of its keyword
    parameters."""
    listed = parameters(node)
    named = sorted(f"{name(each)}:" for each in listed if each.type == "keyword_parameter")
    plain = [each for each in listed if each.type not in ("keyword_parameter", "block_parameter")]
    return f"{name(node)}({', '.join([str(len(plain)), *named])})"


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
    """Yield the names that start with a capital letter."""
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
    """Yield items declared `pub`, and the members of traits and public enums."""
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
    """Yield the names that other files can use: those that are neither static nor private."""
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
    """Yield the members of a type, each with whether it is accessible."""
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
    """Return the declared name, with the number of parameters of a function."""
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
