"""List what is public in JavaScript and TypeScript: the exports, or all top-level names of a
script."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel.engine.equivalence.interfaces.trees import name, parameters, text, words

_FUNCTIONS = frozenset(
    {
        *("function_declaration", "generator_function_declaration", "function_expression"),
        *("arrow_function", "generator_function", "function"),
    }
)
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_VALUES = ("lexical_declaration", "variable_declaration")
_ONLY_TYPES = ("interface_declaration", "type_alias_declaration")
_ENUM = "enum_declaration"
_CASTS = frozenset(
    {
        *("as_expression", "satisfies_expression", "type_assertion", "non_null_expression"),
        "parenthesized_expression",
    }
)
_FIELDS = ("field_definition", "public_field_definition")


def script(root: Node) -> Iterator[str]:
    """Yield the exported names.

    In a script without exports and imports, all top-level names are public.
    """
    locals_: dict[str, Node] = {}
    for node in _top(root):
        locals_.update(_declared(node))
    exported = list(_exports(root, locals_))
    if exported or any(
        node.type in ("import_statement", "export_statement") for node in _top(root)
    ):
        yield from exported
        return
    for own, node in locals_.items():
        yield from _described(own, node)


def types(root: Node) -> Iterator[str]:
    """Yield the exported types, and the functions that are only declared."""
    for node in root.named_children:
        held = node.child_by_field_name("declaration") if node.type == "export_statement" else None
        if held is not None and held.type in (*_ONLY_TYPES, "ambient_declaration"):
            yield name(held) or text(held).partition("{")[0].strip()
        elif held is not None and held.type == "abstract_class_declaration":
            body = held.child_by_field_name("body")
            for each in body.named_children if body is not None else []:
                if each.type == "abstract_method_signature":
                    yield f"{name(held)}.{name(each)}({len(_taken(each))})"
                elif each.type in _FIELDS and _is_erased(each):
                    yield f"{name(held)}.{name(each)}"
        for one in _specifiers(node) if node.type == "export_statement" else ():
            if _is_erased(one):
                yield name(one, "alias") or name(one)


def _top(root: Node) -> Iterator[Node]:
    for node in root.named_children:
        held = node.child_by_field_name("declaration") if node.type == "export_statement" else None
        yield node
        if held is not None:
            yield held


def _declared(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the names that a declaration declares, each with its value."""
    if node.type in _VALUES:
        for each in node.named_children:
            held = each.child_by_field_name("name")
            if each.type != "variable_declarator" or held is None:
                continue
            if held.type == "identifier":
                yield text(held), _bare(each.child_by_field_name("value")) or each
            else:
                yield from ((own, each) for own in _bound(held))
    elif node.type in _FUNCTIONS or node.type in _CLASSES or node.type == _ENUM:
        yield name(node), node


def _bare(value: Node | None) -> Node | None:
    """Strip casts that only the type checker reads."""
    while value is not None and value.type in _CASTS and value.named_children:
        value = value.named_children[-1 if value.type == "type_assertion" else 0]
    return value


def _bound(pattern: Node) -> Iterator[str]:
    left = [pattern]
    while left:
        node = left.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            yield text(node)
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            left.append(node.child_by_field_name("left") or node.children[0])
        elif node.type == "pair_pattern":
            left += filter(None, [node.child_by_field_name("value")])
        else:
            left += node.named_children


def _exports(root: Node, locals_: dict[str, Node]) -> Iterator[str]:
    for node in root.named_children:
        if node.type == "export_statement":
            yield from _exported(node, locals_)
        elif node.type == "expression_statement" and node.named_child_count:
            yield from _assigned(node.named_children[0], locals_)


def _exported(node: Node, locals_: dict[str, Node]) -> Iterator[str]:
    tokens = {each.type for each in node.children}
    held = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    if "type" in tokens:
        return
    if "default" in tokens:
        if value is not None and value.type == "identifier":
            value = locals_.get(text(value), value)
        meant = held or value
        if meant is not None and meant.type not in _ONLY_TYPES:
            yield from _described("default", meant)
    elif held is not None:
        for own, each in _declared(held):
            yield from _described(own, each)
    elif "*" in tokens:
        yield f"* from {text(node.child_by_field_name('source'))}"
    for each in node.named_children:
        if each.type == "namespace_export":
            yield text(each).removeprefix("*").split()[-1]
    for one in _specifiers(node):
        own, alias = name(one), name(one, "alias")
        if _is_erased(one):
            continue
        if "source" not in {node.field_name_for_child(n) for n in range(node.child_count)}:
            yield from _described(alias or own, locals_.get(own))
        else:
            yield alias or own


def _specifiers(node: Node) -> Iterator[Node]:
    """Yield the specifiers in the braces of an export."""
    for clause in node.named_children:
        if clause.type == "export_clause":
            yield from clause.named_children


def _is_erased(node: Node) -> bool:
    """Return whether a node exists for TypeScript only."""
    return any(each.type in ("type", "abstract", "declare") for each in node.children)


def _assigned(node: Node, locals_: dict[str, Node]) -> Iterator[str]:
    """Yield the names that `module.exports = ...` and `exports.x = ...` export."""
    if node.type != "assignment_expression":
        return
    left = text(node.child_by_field_name("left"))
    right = node.child_by_field_name("right")
    if right is None:
        return
    if left == "module.exports" and right.type == "object":
        for each in right.named_children:
            if each.type == "shorthand_property_identifier":
                yield from _described(text(each), locals_.get(text(each)))
            elif each.type == "pair":
                value = each.child_by_field_name("value")
                if value is not None and value.type == "identifier":
                    value = locals_.get(text(value), value)
                yield from _described(name(each, "key"), value)
            elif each.type == "method_definition":
                yield f"{name(each)}({len(_taken(each))})"
    elif left == "module.exports":
        yield from _described("module.exports", locals_.get(text(right), right))
    elif left.startswith(("module.exports.", "exports.")) and left.count(".") <= 2:
        yield from _described(left.rpartition(".")[2], locals_.get(text(right), right))


def _described(own: str, node: Node | None) -> Iterator[str]:
    """Yield a name with its function's parameter count or its class's members."""
    if node is None:
        yield own
    elif node.type in _FUNCTIONS:
        yield f"{own}({len(_taken(node))})"
    elif node.type in _CLASSES:
        yield own
        body = node.child_by_field_name("body")
        for each in body.named_children if body is not None else []:
            yield from _member(own, each)
    elif node.type == _ENUM:
        yield own
        body = node.child_by_field_name("body")
        for each in body.named_children if body is not None else []:
            yield f"{own}.{name(each) or text(each)}"
    else:
        yield own


def _member(own: str, node: Node) -> Iterator[str]:
    called = name(node) or name(node, "property")
    if not called or called.startswith("#"):
        return
    if words(node, "accessibility_modifier") & {"private"} or _is_erased(node):
        return
    static = "static " if any(each.type == "static" for each in node.children) else ""
    if node.type == "method_definition":
        tokens = {each.type for each in node.children}
        kind = "get " if "get" in tokens else "set " if "set" in tokens else ""
        yield f"{static}{kind}{own}.{called}({len(_taken(node))})"
    elif node.type in _FIELDS:
        value = node.child_by_field_name("value")
        taken = f"({len(_taken(value))})" if value is not None and value.type in _FUNCTIONS else ""
        yield f"{static}{own}.{called}{taken}"


def _taken(node: Node) -> list[Node]:
    """Return the parameters of a function. TypeScript's `this` is none."""
    alone = node.child_by_field_name("parameter")
    if alone is not None:
        return [alone]
    return [
        each for each in parameters(node) if text(each.child_by_field_name("pattern")) != "this"
    ]
