"""Infer the types of the values of names, and of the elements of arrays, sets and maps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import Binding, Scopes
from codeintel_plugins.transformations.web.trees import child_of, text
from codeintel_plugins.transformations.web.type_inference.declared import (
    ABOUT_ELEMENTS,
    ARRAY,
    NUMBER,
    SAME_ELEMENTS,
    STRING,
    UNDEFINED,
    Declared,
    RuntimeTypes,
    declared_types,
)

MAX_DEPTH = 12
_GLOBALS: Mapping[str, RuntimeTypes] = {"NaN": NUMBER, "Infinity": NUMBER, "undefined": UNDEFINED}
_MAX_TURNS = 7


class NameTypes(ABC):
    """Infers kinds of values from declarations and all assignments. A recursive request returns
    the current state, until the states no longer change. Elements of a list are known by
    declared types, or by their origin."""

    def __init__(self, scopes: Scopes, nodes: Mapping[str, list[Node]]) -> None:
        self._scopes = scopes
        self.declared: Declared = declared_types(nodes)
        self._fields = _fields(nodes)
        self._kept: dict[Binding, RuntimeTypes | None] = {}
        self._assumed: dict[Binding, RuntimeTypes | None] = {}

    @abstractmethod
    def of(self, node: Node | None, depth: int = 0) -> RuntimeTypes | None:
        """Return all possible kinds of a value, or None if uncertain."""

    @abstractmethod
    def _number(self, one: RuntimeTypes | None, other: RuntimeTypes | None = None) -> RuntimeTypes:
        """Return the kinds that result from arithmetic."""

    @abstractmethod
    def _joined(
        self, left: Node | None, operator: str, right: Node | None, depth: int
    ) -> RuntimeTypes | None:
        """Return the kinds that result from two operands."""

    def element_type(self, node: Node | None, at: int = 0) -> Node | None:
        """Return the declared type of what is in an array, a set or a map."""
        return self.declared.elements(self._type(node), at)

    def elements(self, node: Node | None, depth: int = 0) -> RuntimeTypes | None:
        """Return the possible kinds of elements of an array or a set."""
        while node is not None and node.type in (
            *("parenthesized_expression", "non_null_expression"),
            *("as_expression", "satisfies_expression"),
        ):
            node = node.children[1] if node.children[0].type == "(" else node.children[0]
        if node is None or depth > MAX_DEPTH:
            return None
        declared = self.declared.elements(self._type(node))
        if declared is not None:
            return self.declared.runtime_types(declared)
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
        """Return whether the array of a name is only read by index or length."""
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

    def _literal(self, node: Node, depth: int) -> RuntimeTypes | None:
        given = [each for each in node.named_children if each.type != "comment"]
        commas = sum(each.type == "," for each in node.children)
        if commas > len(given) or any(each.type == "spread_element" for each in given):
            return None
        if not given:
            return None  # what will be in it is not known
        found: RuntimeTypes | None = frozenset()
        for each in given:
            found = either(found, self.of(each, depth + 1))
        return found

    def _elements_of_call(self, node: Node, depth: int) -> RuntimeTypes | None:
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
        if of == ARRAY and name in SAME_ELEMENTS and name != "concat":
            return self.elements(object_, depth + 1)
        return None

    def _type(self, node: Node | None) -> Node | None:
        """Return the declared type of a name or of a field of `this`."""
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
        return self.declared.runtime_types(type_) == ARRAY

    def _name(self, node: Node, depth: int) -> RuntimeTypes | None:
        binding = self._scopes.binding(node)
        if binding is None:
            name = text(node)
            return _GLOBALS.get(name) if self._scopes.is_global(node, name) else None
        if self._scopes.is_dynamic or len(binding.declared) != 1:
            return None
        if binding in self._assumed:
            return self._assumed[binding]
        if binding not in self._kept:
            found = self._declaration(binding, depth)
            if self._assumed:
                return found  # it may depend on what is only assumed
            self._kept[binding] = found
        return self._kept[binding]

    def _declaration(self, binding: Binding, depth: int) -> RuntimeTypes | None:
        leaf = binding.declared[0]
        outer = leaf.parent
        if outer is None:
            return None
        if outer.type == "rest_pattern" and outer.parent is not None:
            of_all = outer.parent.type in ("required_parameter", "formal_parameters")
            return ARRAY if of_all else None
        if outer.type in ("required_parameter", "optional_parameter"):
            return self._parameter(outer, depth)
        if outer.type == "formal_parameters" or (
            outer.type == "arrow_function" and outer.child_by_field_name("parameter") == leaf
        ):
            return self._given(leaf, binding, depth)
        if outer.type == "for_in_statement":
            right = outer.child_by_field_name("right")
            if binding.writes or outer.child_by_field_name("left") != leaf:
                return None
            is_in = child_of(outer, "in") is not None
            return STRING if is_in else self.elements(right, depth + 1)
        if outer.type != "variable_declarator" or outer.child_by_field_name("name") != leaf:
            return None
        annotation = outer.child_by_field_name("type")
        if annotation is not None:
            declared = self.declared.runtime_types(annotation)
            if declared is not None:
                bare = outer.child_by_field_name("value") is None
                return declared | UNDEFINED if bare else declared
        return self._assigned(binding, outer, depth)

    def _parameter(self, parameter: Node, depth: int) -> RuntimeTypes | None:
        annotation = parameter.child_by_field_name("type")
        value = parameter.child_by_field_name("value")
        if annotation is None:
            pattern = parameter.child_by_field_name("pattern")
            if value is not None:
                found = self.of(value, depth + 1)
                return found if found in (NUMBER, STRING) else None
            binding = self._scopes.binding(pattern) if pattern is not None else None
            return self._given(parameter, binding, depth) if binding is not None else None
        declared = self.declared.runtime_types(annotation)
        if declared is None:
            return None
        return declared | UNDEFINED if parameter.type == "optional_parameter" else declared

    def _given(self, parameter: Node, binding: Binding, depth: int) -> RuntimeTypes | None:
        """Infer a parameter from the array method that alone calls its function."""
        list_ = parameter.parent
        is_list = list_ is not None and list_.type == "formal_parameters"
        function = list_.parent if list_ is not None and is_list else list_
        if list_ is None or function is None or binding.writes:
            return None
        if function.type not in ("arrow_function", "function_expression"):
            return None
        if function.child_by_field_name("name") is not None:
            return None
        given = function.parent
        call = given.parent if given is not None else None
        if given is None or call is None or given.type != "arguments":
            return None
        method = call.child_by_field_name("function")
        if (
            method is None
            or method.type != "member_expression"
            or given.named_children[0] != (function)
        ):
            return None
        object_, name = method.child_by_field_name("object"), method.child_by_field_name("property")
        if self.of(object_, depth + 1) != ARRAY:
            return None
        place = (
            [each for each in list_.named_children if each.type != "comment"].index(parameter)
            if list_.type == "formal_parameters"
            else 0
        )
        if text(name) in ABOUT_ELEMENTS:
            if place == 1:
                return NUMBER
            return self.elements(object_, depth + 1) if place == 0 else None
        return self.elements(object_, depth + 1) if text(name) == "sort" and place < 2 else None

    def _assigned(self, binding: Binding, declarator: Node, depth: int) -> RuntimeTypes | None:
        """Infer a variable from all assignments. It is undefined if it may be read before them."""
        value = declarator.child_by_field_name("value")
        word = binding.kind
        if word not in ("const", "let", "var"):
            return None
        found = self.of(value, depth + 1) if value is not None else UNDEFINED
        if word == "var" and found is not None:
            found = found | UNDEFINED
        for _ in range(_MAX_TURNS):
            before = found
            self._assumed[binding] = found
            try:
                for use in binding.writes:
                    found = either(found, self._written(use.node, depth))
            finally:
                del self._assumed[binding]
            if found == before or found is None:
                return found
        return None

    def _written(self, name: Node, depth: int) -> RuntimeTypes | None:
        """Return the kinds that an assignment gives to a name."""
        outer = name.parent
        if outer is None:
            return None
        if outer.type == "update_expression":
            return self._number(self.of(name, depth + 1))
        if outer.child_by_field_name("left") != name:
            return None
        right = outer.child_by_field_name("right")
        if outer.type == "assignment_expression":
            return self.of(right, depth + 1)
        if outer.type == "augmented_assignment_expression":
            operator = text(outer.child_by_field_name("operator")).removesuffix("=")
            return self._joined(name, operator, right, depth)
        return None

    def _returned(self, function: Node) -> RuntimeTypes | None:
        """Return the declared result of a function in the code."""
        found = self._scopes.function_of(function)
        if found is None:
            return None
        return self.declared.runtime_types(found.child_by_field_name("return_type"))


def either(one: RuntimeTypes | None, other: RuntimeTypes | None) -> RuntimeTypes | None:
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
    """Return the types of fields, by names that only one class has."""
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
