"""What is in arrays, sets and maps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import Binding, Scopes
from codeintel_plugins.transformations.web.trees import child_of, text
from codeintel_plugins.transformations.web.type_inference import calls as known
from codeintel_plugins.transformations.web.type_inference.declared import (
    ARRAY,
    NUMBER,
    STRING,
    Declared,
    Sorts,
    declared_types,
)

MAX_DEPTH = 12


class ElementSorts(ABC):
    """Sorts of elements, by declared types or by where a list comes from."""

    def __init__(self, scopes: Scopes, nodes: Mapping[str, list[Node]]) -> None:
        self._scopes = scopes
        self.declared: Declared = declared_types(nodes)
        self._fields = _fields(nodes)

    @abstractmethod
    def of(self, node: Node | None, depth: int = 0) -> Sorts | None:
        """All that a value can be, or None where that is not sure."""

    def element_type(self, node: Node | None, at: int = 0) -> Node | None:
        """The declared type of what is in an array, a set or a map."""
        return self.declared.elements(self._type(node), at)

    def elements(self, node: Node | None, depth: int = 0) -> Sorts | None:
        """What can be in an array or a set."""
        while node is not None and node.type in (
            *("parenthesized_expression", "non_null_expression"),
            *("as_expression", "satisfies_expression"),
        ):
            node = node.children[1] if node.children[0].type == "(" else node.children[0]
        if node is None or depth > MAX_DEPTH:
            return None
        declared = self.declared.elements(self._type(node))
        if declared is not None:
            return self.declared.sorts(declared)
        if node.type == "array":
            return self._literal(node, depth)
        if node.type == "call_expression":
            return self._elements_of_call(node, depth)
        binding = self._scopes.binding(node) if node.type == "identifier" else None
        fixed = binding is not None and binding.kind in ("const", "let") and not binding.writes
        if binding is None or not fixed or len(binding.declared) != 1:
            return STRING if self.of(node, depth + 1) == STRING else None
        declarator = binding.declared[0].parent
        value = declarator.child_by_field_name("value") if declarator is not None else None
        if value is None or (value.type == "array" and not self._is_kept_as_is(binding)):
            return None
        return self.elements(value, depth + 1)

    def _is_kept_as_is(self, binding: Binding) -> bool:
        """Whether an array that a name stands for is only looked at: read by index or length."""
        for use in binding.uses:
            outer = use.node.parent
            if outer is None or outer.children[0] != use.node:
                return False
            if outer.type == "member_expression":
                name = text(outer.child_by_field_name("property"))
                if name not in ("length", "includes", "indexOf", "join", "slice", "map", "filter"):
                    return False
            elif outer.type != "subscript_expression" or _is_changed(outer):
                return False
        return True

    def _literal(self, node: Node, depth: int) -> Sorts | None:
        given = [each for each in node.named_children if each.type != "comment"]
        commas = sum(each.type == "," for each in node.children)
        if commas > len(given) or any(each.type == "spread_element" for each in given):
            return None
        if not given:
            return None  # what will be in it is not known
        found: Sorts | None = frozenset()
        for each in given:
            found = either(found, self.of(each, depth + 1))
        return found

    def _elements_of_call(self, node: Node, depth: int) -> Sorts | None:
        function = node.child_by_field_name("function")
        if function is None or function.type != "member_expression":
            return None
        object_ = function.child_by_field_name("object")
        name = text(function.child_by_field_name("property"))
        if object_ is not None and self._scopes.is_global(object_, "Object") and name == "keys":
            return STRING
        of = self.of(object_, depth + 1)
        if of == STRING and name == "split":
            return STRING
        if of == ARRAY and name in known.SAME_ELEMENTS and name != "concat":
            return self.elements(object_, depth + 1)
        return None

    def _type(self, node: Node | None) -> Node | None:
        """The declared type of a name or of a field of `this`."""
        if node is None:
            return None
        if node.type == "identifier":
            binding = self._scopes.binding(node)
            if binding is None or len(binding.declared) != 1:
                return None
            outer = binding.declared[0].parent
            if outer is not None and outer.type == "rest_pattern":
                return outer.parent.child_by_field_name("type") if outer.parent else None
            of_name = outer is not None and (
                outer.child_by_field_name("pattern") or outer.child_by_field_name("name")
            )
            if outer is None or of_name != binding.declared[0]:
                return None
            return outer.child_by_field_name("type")
        if node.type == "subscript_expression":
            rows = self._type(node.child_by_field_name("object"))
            is_index = self.of(node.child_by_field_name("index"), 1) == NUMBER
            return self.declared.elements(rows) if is_index and self._is_list(rows) else None
        if node.type == "member_expression" and node.children[0].type == "this":
            return self._fields.get(text(node.child_by_field_name("property")))
        return None

    def _is_list(self, type_: Node | None) -> bool:
        return self.declared.sorts(type_) == ARRAY


def either(one: Sorts | None, other: Sorts | None) -> Sorts | None:
    return None if one is None or other is None else one | other


def _is_changed(node: Node) -> bool:
    outer = node.parent
    if outer is None:
        return False
    if outer.type == "update_expression" or outer.type.endswith(("pattern", "_in_statement")):
        return True
    if outer.type == "unary_expression":
        return text(outer.children[0]) == "delete"
    return outer.type in ("assignment_expression", "augmented_assignment_expression", "array") and (
        outer.type == "array" or outer.child_by_field_name("left") == node
    )


def _fields(nodes: Mapping[str, list[Node]]) -> dict[str, Node]:
    """The types of fields, by names that only one class has."""
    found: dict[str, Node] = {}
    seen: list[str] = []
    for node in nodes.get("public_field_definition", ()):
        name = text(node.child_by_field_name("name"))
        seen.append(name)
        annotation = node.child_by_field_name("type")
        if annotation is not None and child_of(node, "?", "!") is None:
            found[name] = annotation
    seen += [text(node.child_by_field_name("name")) for node in nodes.get("method_definition", ())]
    return {name: node for name, node in found.items() if seen.count(name) == 1}
