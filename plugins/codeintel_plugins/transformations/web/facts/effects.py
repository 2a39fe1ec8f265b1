"""Whether code, when it runs, might change an array that it did not make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tree_sitter import Node

from codeintel_plugins.transformations.web.facts import effects_names as names
from codeintel_plugins.transformations.web.facts.ownership import Ownership
from codeintel_plugins.transformations.web.scopes import FUNCTIONS, Binding, Scope, Scopes
from codeintel_plugins.transformations.web.trees import child_of, text, walk
from codeintel_plugins.transformations.web.type_inference.declared import ARRAY, PRIMITIVE
from codeintel_plugins.transformations.web.type_inference.sorts import ValueSorts


class Effects:
    """Looks for what could change an array: everything that is not known to leave it alone."""

    def __init__(self, scopes: Scopes, sorts: ValueSorts, nodes: Mapping[str, list[Node]]) -> None:
        self._scopes = scopes
        self._sorts = sorts
        self._ownership = Ownership(scopes)
        self._accessors, self._methods = names.defined(nodes)
        self._is_tricky = scopes.is_dynamic or names.is_tricky(nodes, self._methods)
        self._functions: dict[int, bool] = {}

    def keep(self, nodes: Iterable[Node], array: Binding, index: Node | None = None) -> bool:
        """Whether running the nodes leaves the array alone that a name stands for.

        :param index: where a variable is declared that always stands for an index which the array
            has: such elements may be changed.
        """
        if self._is_tricky:
            return False
        return all(
            self._is_at(each, array, index) or self._keeps(each, array, None)
            for node in nodes
            for each in walk(node)
        )

    def _is_at(self, node: Node, array: Binding, index: Node | None) -> bool:
        """Whether an element is assigned to that is there."""
        place = "argument" if node.type == "update_expression" else "left"
        if index is None or not node.type.endswith(("assignment_expression", "update_expression")):
            return False
        left = node.child_by_field_name(place)
        if left is None or left.type != "subscript_expression":
            return False
        object_, at = left.child_by_field_name("object"), left.child_by_field_name("index")
        if object_ is None or at is None or at.type != "identifier":
            return False
        of_index = self._scopes.binding(index)
        return self._scopes.binding(object_) is array and self._scopes.binding(at) is of_index

    def is_own(self, binding: Binding | None) -> bool:
        """Whether all that a name ever stands for is made for it."""
        return self._ownership.is_own(binding)

    def _keeps(self, node: Node, array: Binding | None, around: Scope | None) -> bool:
        kind = node.type
        if kind == "call_expression":
            return self._call(node, array, around)
        if kind == "new_expression":
            constructor = node.child_by_field_name("constructor")
            return constructor is not None and self._scopes.is_global(
                constructor, *names.CONSTRUCTORS
            )
        if kind in ("assignment_expression", "augmented_assignment_expression"):
            return self._target(node.child_by_field_name("left"), array, around)
        if kind == "update_expression":
            return self._target(node.child_by_field_name("argument"), array, around)
        if kind == "for_in_statement":
            left = node.child_by_field_name("left")
            return (
                left is not None
                and left.type in (*("identifier", "array_pattern", "object_pattern"),)
                and not any(each.type in names.MEMBERS for each in walk(left))
            )
        if kind == "unary_expression":
            return text(node.children[0]) != "delete"
        if kind == "member_expression":
            return text(node.child_by_field_name("property")) not in self._accessors
        return kind not in ("await_expression", "yield_expression", "with_statement")

    def _target(self, left: Node | None, array: Binding | None, around: Scope | None) -> bool:
        """Whether assigning to this leaves the array alone."""
        while left is not None and left.type in ("non_null_expression", "parenthesized_expression"):
            left = left.named_children[0]
        if left is None or left.type == "identifier":
            return left is not None
        if left.type in ("array_pattern", "object_pattern"):
            return all(
                self._target(each, array, around)
                for each in walk(left)
                if each.type in names.MEMBERS
            )
        if left.type not in names.MEMBERS:
            return False
        object_ = left.child_by_field_name("object")
        if object_ is not None and object_.type == "this" and left.type == "member_expression":
            return text(left.child_by_field_name("property")) != "length"
        return self._is_own(object_, array, around)

    def _is_own(self, object_: Node | None, array: Binding | None, around: Scope | None) -> bool:
        if object_ is None or object_.type != "identifier":
            return False
        binding = self._scopes.binding(object_)
        return (
            binding is not None
            and self._ownership.is_own(binding)
            and self._ownership.is_apart(binding, array, around)
        )

    def _call(self, call: Node, array: Binding | None, around: Scope | None) -> bool:
        function, given = (
            call.child_by_field_name("function"),
            call.child_by_field_name("arguments"),
        )
        if function is None or given is None or given.type != "arguments":
            return False
        if function.type == "identifier":
            if self._scopes.is_global(function, *names.FUNCTIONS):
                return True
            return self._is_harmless(function)
        if function.type != "member_expression":
            return False
        object_ = function.child_by_field_name("object")
        name = text(function.child_by_field_name("property"))
        if object_ is None or not self._callbacks(given, name):
            return False
        if self._scopes.is_global(object_, *names.STATICS):
            return name in names.STATICS[text(object_)] or text(object_) in ("Math", "console")
        of = self._sorts.of(object_)
        if of is not None and of <= PRIMITIVE | {"regexp"}:
            return True
        if of is not None and of <= {"map", "set"}:
            return True
        if name in names.HARMLESS:
            return of == ARRAY or name not in self._methods
        if name not in names.CHANGING or name in self._methods:
            return False
        return self._is_own(object_, array, around) or (
            object_.type != "identifier" and self._ownership.is_new(object_)
        )

    def _callbacks(self, given: Node, name: str) -> bool:
        """Whether functions that are handed over are harmless; those written there are looked
        through anyway."""
        if name not in names.CALLING:
            return True
        for each in given.named_children:
            if each.type in FUNCTIONS or each.type == "comment":
                continue
            if each.type == "identifier" and (
                self._scopes.is_global(each, *names.FUNCTIONS) or self._is_harmless(each)
            ):
                continue
            of = self._sorts.of(each)
            if of is None or "function" in of:
                return False
        return True

    def _is_harmless(self, name: Node) -> bool:
        """Whether a function of the code changes no array but those it makes itself."""
        binding = self._scopes.binding(name)
        if binding is None or binding.writes or len(binding.declared) != 1:
            return False
        outer = binding.declared[0].parent
        if outer is not None and outer.type == "variable_declarator" and binding.kind == "const":
            outer = outer.child_by_field_name("value")
        if outer is None or outer.type not in (
            *("function_declaration", "arrow_function", "function_expression"),
        ):
            return False
        if child_of(outer, "async") is not None:
            return False
        if outer.id not in self._functions:
            before = dict(self._functions)
            self._functions[outer.id] = True  # while it is looked at, for what calls itself
            body = outer.child_by_field_name("body")
            around = self._scopes.of_functions.get(outer.id)
            if (
                body is None
                or around is None
                or not all(self._keeps(each, None, around) for each in walk(body))
            ):
                self._functions = {**before, outer.id: False}  # others relied on it
        return self._functions[outer.id]
