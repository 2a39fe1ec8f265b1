"""Read which kinds of values the annotations of TypeScript allow for parameters."""

from __future__ import annotations

from tree_sitter import Node

from codeintel.engine.equivalence.type_removal import typescript_tree, without_tag_types
from codeintel.engine.sandbox.javascript.kinds import Kind
from codeintel.engine.sandbox.javascript.source import text_of, walk

_MAX_DEPTH = 7
_PREDEFINED = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "bigint": "bigint",
    "undefined": "undefined",
    "void": "undefined",
    "null": "null",
    "any": "any",
    "unknown": "any",
    "object": ["object", {}],
    "Date": "date",
    "RegExp": "regexp",
    "Function": "function",
}
_LISTS = frozenset(("Array", "ReadonlyArray"))
_ITERABLES = frozenset(("Iterable", "IterableIterator", "Generator"))
_SAME = frozenset(("Readonly", "Required", "NonNullable"))
UNKNOWN = "unknown"
"""The kind of an annotation that cannot be read."""


class Annotations:
    """The annotations of a TypeScript program."""

    def __init__(self, code: str) -> None:
        readable, _ = without_tag_types(code.removeprefix("\ufeff").encode())
        self._root = typescript_tree(readable)
        self._types: dict[str, Node] = {}
        self._classes: set[str] = set()
        self._functions: dict[tuple[int, int], Node] = {}
        for node in walk(self._root):
            name = text_of(node.child_by_field_name("name"))
            if node.type in ("interface_declaration", "type_alias_declaration"):
                self._types[name] = node
            elif node.type in ("class_declaration", "abstract_class_declaration"):
                self._classes.add(name)
            if node.child_by_field_name("parameters") is not None:
                self._functions[node.start_point.row, _column(node)] = node

    def parameters(self, function: Node) -> list[Kind] | None:
        """Return the kinds of a function's parameters, or None if any of them is unknown.

        :param function: the function in the program without types, which has the same lines.
        """
        node = self._functions.get((function.start_point.row, _column(function)))
        listed = node.child_by_field_name("parameters") if node is not None else None
        if listed is None:
            return None
        found = []
        for each in listed.named_children:
            if each.type not in ("required_parameter", "optional_parameter"):
                continue
            if text_of(each.child_by_field_name("pattern")) == "this":
                continue
            kind = self._annotated(each.child_by_field_name("type"), {}, 0)
            if kind == UNKNOWN or UNKNOWN in repr(kind):
                return None
            is_rest = any(child.type == "rest_pattern" for child in each.named_children)
            found.append(kind[1] if is_rest and isinstance(kind, list) else kind)
        return found

    def _annotated(self, node: Node | None, names: dict[str, Kind], depth: int) -> Kind:
        if node is None:
            return UNKNOWN
        inner = node.named_children[0] if node.type == "type_annotation" else node
        return self._kind(inner, names, depth)

    def _kind(self, node: Node, names: dict[str, Kind], depth: int) -> Kind:
        if depth > _MAX_DEPTH:
            return "any"
        kind = node.type
        if kind in ("parenthesized_type", "readonly_type"):
            return self._kind(node.named_children[0], names, depth)
        if kind in ("predefined_type", "type_identifier"):
            return self._named(text_of(node), [], names, depth)
        if kind == "array_type":
            return ["array", self._kind(node.named_children[0], names, depth + 1)]
        if kind == "tuple_type":
            return ["tuple", [self._kind(each, names, depth + 1) for each in node.named_children]]
        if kind == "union_type":
            return ["either", [self._kind(each, names, depth) for each in node.named_children]]
        if kind == "literal_type":
            return self._literal(node)
        if kind == "function_type":
            return "function"
        if kind in ("object_type", "interface_body"):
            return self._object(node, names, depth)
        if kind == "generic_type":
            arguments = next((e for e in node.children if e.type == "type_arguments"), None)
            given = arguments.named_children if arguments is not None else []
            inner = [self._kind(each, names, depth + 1) for each in given]
            return self._named(text_of(node.child_by_field_name("name")), inner, names, depth)
        return UNKNOWN

    def _literal(self, node: Node) -> Kind:
        text = text_of(node)
        if text in ("null", "undefined"):
            return text
        if text in ("true", "false"):
            return ["value", text == "true"]
        if text[:1] in "\"'":
            return ["value", text[1:-1]]
        try:
            return ["value", int(text) if text.lstrip("-").isdigit() else float(text)]
        except ValueError:
            return UNKNOWN

    def _named(self, name: str, inner: list[Kind], names: dict[str, Kind], depth: int) -> Kind:
        if name in names:
            return names[name]
        if name in _PREDEFINED:
            return _PREDEFINED[name]
        if name in _LISTS and inner:
            return ["array", inner[0]]
        if name in _ITERABLES and inner:
            return ["iterable", inner[0]]
        if name in _SAME and inner:
            return inner[0]
        if name in ("Record", "Map", "ReadonlyMap") and len(inner) == 2:
            return ["record" if name == "Record" else "map", inner[1]]
        if name in ("Set", "ReadonlySet") and inner:
            return ["set", inner[0]]
        if name in ("Promise", "PromiseLike") and inner:
            return ["promise", inner[0]]
        if name in self._types:
            return self._declared(self._types[name], inner, depth)
        return ["new", name] if name in self._classes else UNKNOWN

    def _declared(self, node: Node, inner: list[Kind], depth: int) -> Kind:
        parameters = node.child_by_field_name("type_parameters")
        listed = parameters.named_children if parameters is not None else []
        names = {
            text_of(each.child_by_field_name("name")): kind
            for each, kind in zip(listed, inner, strict=False)
        }
        value = node.child_by_field_name("value") or node.child_by_field_name("body")
        if value is None or any(e.type == "extends_type_clause" for e in node.children):
            return UNKNOWN
        return self._kind(value, names, depth + 1)

    def _object(self, node: Node, names: dict[str, Kind], depth: int) -> Kind:
        members: dict[str, Kind] = {}
        for each in node.named_children:
            if each.type == "comment":
                continue
            name = text_of(each.child_by_field_name("name"))
            if each.type == "index_signature":
                return [
                    "record",
                    self._annotated(each.child_by_field_name("type"), names, depth + 1),
                ]
            if each.type == "method_signature":
                members[name] = "function"
            elif each.type == "property_signature":
                kind = self._annotated(each.child_by_field_name("type"), names, depth + 1)
                is_optional = any(child.type == "?" for child in each.children)
                members[name] = ["optional", kind] if is_optional else kind
            else:
                return UNKNOWN
        return ["object", members]


def _column(node: Node) -> int:
    """Return the column of a function's parameters, which stay where they are without types."""
    listed = node.child_by_field_name("parameters")
    return (listed or node).start_point.column
