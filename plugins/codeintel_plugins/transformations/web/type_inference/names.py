"""Sorts of what names stand for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import Binding, Scopes
from codeintel_plugins.transformations.web.trees import child_of, text
from codeintel_plugins.transformations.web.type_inference import calls as known
from codeintel_plugins.transformations.web.type_inference.declared import (
    ARRAY,
    NUMBER,
    STRING,
    UNDEFINED,
    Sorts,
)
from codeintel_plugins.transformations.web.type_inference.elements import ElementSorts, either

_GLOBALS: Mapping[str, Sorts] = {"NaN": NUMBER, "Infinity": NUMBER, "undefined": UNDEFINED}
_MAX_TURNS = 7


class NameSorts(ElementSorts):
    """By declarations and all assignments. What is asked for again while it is worked out is taken
    as what is known of it so far, until that changes no more."""

    def __init__(self, scopes: Scopes, nodes: Mapping[str, list[Node]]) -> None:
        super().__init__(scopes, nodes)
        self._kept: dict[Binding, Sorts | None] = {}
        self._assumed: dict[Binding, Sorts | None] = {}

    @abstractmethod
    def _number(self, one: Sorts | None, other: Sorts | None = None) -> Sorts:
        """What comes of counting."""

    @abstractmethod
    def _joined(
        self, left: Node | None, operator: str, right: Node | None, depth: int
    ) -> Sorts | None:
        """What comes of two operands."""

    def _name(self, node: Node, depth: int) -> Sorts | None:
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

    def _declaration(self, binding: Binding, depth: int) -> Sorts | None:
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
            declared = self.declared.sorts(annotation)
            if declared is not None:
                bare = outer.child_by_field_name("value") is None
                return declared | UNDEFINED if bare else declared
        return self._assigned(binding, outer, depth)

    def _parameter(self, parameter: Node, depth: int) -> Sorts | None:
        annotation = parameter.child_by_field_name("type")
        value = parameter.child_by_field_name("value")
        if annotation is None:
            pattern = parameter.child_by_field_name("pattern")
            if value is not None:
                found = self.of(value, depth + 1)
                return found if found in (NUMBER, STRING) else None
            binding = self._scopes.binding(pattern) if pattern is not None else None
            return self._given(parameter, binding, depth) if binding is not None else None
        declared = self.declared.sorts(annotation)
        if declared is None:
            return None
        return declared | UNDEFINED if parameter.type == "optional_parameter" else declared

    def _given(self, parameter: Node, binding: Binding, depth: int) -> Sorts | None:
        """By the method of an array that alone calls a function."""
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
        if text(name) in known.ABOUT_ELEMENTS:
            if place == 1:
                return NUMBER
            return self.elements(object_, depth + 1) if place == 0 else None
        return self.elements(object_, depth + 1) if text(name) == "sort" and place < 2 else None

    def _assigned(self, binding: Binding, declarator: Node, depth: int) -> Sorts | None:
        """By everything that is assigned. A variable that may be read before is undefined then."""
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

    def _written(self, name: Node, depth: int) -> Sorts | None:
        """What an assignment gives to a name."""
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

    def _returned(self, function: Node) -> Sorts | None:
        """What a function of the code says that it returns."""
        binding = self._scopes.binding(function)
        if binding is None or binding.writes or len(binding.declared) != 1:
            return None
        outer = binding.declared[0].parent
        if outer is not None and outer.type == "variable_declarator" and binding.kind == "const":
            outer = outer.child_by_field_name("value")
        if outer is None or outer.type not in (
            *("function_declaration", "arrow_function", "function_expression"),
        ):
            return None
        if child_of(outer, "async") is not None:
            return None
        return self.declared.sorts(outer.child_by_field_name("return_type"))
