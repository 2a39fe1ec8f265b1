"""Expressions that stay the same while a loop runs."""

from __future__ import annotations

from tree_sitter import Node

from codeintel_plugins.transformations.web.faster.loops import counted, is_steady
from codeintel_plugins.transformations.web.rules import Context, arguments, method_of
from codeintel_plugins.transformations.web.scopes import Binding
from codeintel_plugins.transformations.web.trees import child_of, listed, text
from codeintel_plugins.transformations.web.type_inference.declared import (
    ARRAY,
    NOTHING,
    NUMBER,
    STRING,
)

_MATH = listed("sqrt floor ceil round trunc min max abs pow log2 log10 cbrt")
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "**"})


class Steady:
    """What stays the same in one loop."""

    def __init__(self, loop: Node, context: Context) -> None:
        self._loop = loop
        self._context = context
        self._may_fail = False
        body = loop.child_by_field_name("body")
        parts = [loop.child_by_field_name("condition"), loop.child_by_field_name("increment"), body]
        self._parts = [each for each in parts if each is not None]

    def is_limit(self, node: Node, *, always: bool) -> bool:
        """Whether it is worked out, and always to the same value.

        :param always: whether that is done in the first turn at any rate, so that it may fail.
        """
        self._may_fail = always
        return _takes_time(node) and self._is(node, node)

    def _is(self, node: Node, limit: Node) -> bool:
        kind = node.type
        if kind == "number":
            return not text(node).endswith("n")
        if kind == "identifier":
            binding = self._context.scopes.binding(node)
            known = self._context.sorts.of(node) == NUMBER
            return binding is not None and known and is_steady(binding, self._loop)
        if kind == "parenthesized_expression":
            return all(self._is(each, limit) for each in node.named_children)
        if kind == "binary_expression":
            plain = len(node.children) == 3 and text(node.children[1]) in _ARITHMETIC
            return plain and all(self._is(each, limit) for each in node.named_children)
        if kind == "call_expression":
            found, given = method_of(node), arguments(node)
            if found is None or given is None or found[1] not in _MATH:
                return False
            is_math = self._context.scopes.is_global(found[0], "Math")
            return is_math and all(self._is(each, limit) for each in given)
        return kind == "member_expression" and self._is_length(node, limit)

    def _is_length(self, node: Node, limit: Node) -> bool:
        object_ = node.child_by_field_name("object")
        if object_ is None or child_of(node, "optional_chain") is not None:
            return False
        if text(node.child_by_field_name("property")) != "length":
            return False
        of = self._context.sorts.of(object_)
        if object_.type == "identifier":
            binding = self._context.scopes.binding(object_)
            if binding is None or not is_steady(binding, self._loop):
                return False
            if not self._may_fail and not self._is_taken_for_granted(binding):
                return False
            return of == STRING or (
                of == ARRAY
                and self._context.effects.keep(self._parts, binding, self._index(node, limit))
            )
        return of is not None and self._may_fail and self._is_row(object_, of - NOTHING == STRING)

    def _is_taken_for_granted(self, binding: Binding) -> bool:
        """Whether the condition does not ask first whether there is something."""
        condition = self._parts[0]
        return all(
            use.node.parent is not None
            and use.node.parent.type in ("member_expression", "subscript_expression")
            and use.node.parent.children[0] == use.node
            and use.node.parent.children[1].type != "optional_chain"
            for use in binding.uses
            if condition.start_byte <= use.node.start_byte < condition.end_byte
        )

    def _is_row(self, row: Node, is_text: bool) -> bool:
        """Whether `rows[index]` stays the same, and is as long."""
        rows, index = row.child_by_field_name("object"), row.child_by_field_name("index")
        if row.type != "subscript_expression" or rows is None or index is None:
            return False
        binding = self._context.scopes.binding(rows) if rows.type == "identifier" else None
        if binding is None or not is_steady(binding, self._loop):
            return False
        if index.type != "number" and not self._is(index, index):
            return False
        if self._context.sorts.of(rows) != ARRAY or not self._context.effects.keep(
            self._parts, binding
        ):
            return False
        if is_text:
            return True
        of = self._context.sorts.of(row)
        return of is not None and of - NOTHING == ARRAY and _is_only_read(binding)

    def _index(self, length: Node, limit: Node) -> Node | None:
        """The index, if it stays below the length: then an element that it stands for is there."""
        loop = counted(self._loop, self._context) if self._loop.type == "for_statement" else None
        below = loop is not None and loop.limit == length == limit and loop.operator == "<"
        return loop.counter.declared[0] if loop is not None and below else None


def _is_only_read(rows: Binding) -> bool:
    """Whether a parameter's rows are those that were given, and none of our own among them."""
    if rows.kind != "parameter" or rows.writes:
        return False
    for use in rows.uses:
        outer = use.node.parent
        if outer is None or outer.children[0] != use.node:
            return False
        if outer.type == "member_expression":
            if text(outer.child_by_field_name("property")) != "length":
                return False
        elif outer.type != "subscript_expression":
            return False
        above = outer.parent
        if above is None or (
            above.type.endswith(("assignment_expression", "pattern")) and above.children[0] == outer
        ):
            return False
    return True


def _takes_time(node: Node) -> bool:
    if node.type in ("member_expression", "call_expression"):
        return True
    return any(map(_takes_time, node.named_children))
