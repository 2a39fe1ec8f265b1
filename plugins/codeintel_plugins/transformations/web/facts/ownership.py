"""Arrays and objects that a function makes itself, so that nobody else can have them yet."""

from __future__ import annotations

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import Binding, Scope, Scopes
from codeintel_plugins.transformations.web.trees import listed, text

_MAKING = listed(
    "map filter slice split concat flat flatMap keys values entries from of fromEntries match"
)
_KEEPING = listed("sort reverse fill")
_CONSTRUCTORS = ("Array", "Map", "Set", "WeakMap", "WeakSet", "Date")
_MAX_DEPTH = 8


class Ownership:
    """Tells what is made anew."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes

    def is_new(self, node: Node | None, depth: int = 0) -> bool:
        """Whether an expression gives an array or object that did not exist before, or nothing
        that could be changed."""
        if node is None or depth > _MAX_DEPTH:
            return False
        kind = node.type
        if kind in ("array", "object", "string", "number", "null", "undefined", "template_string"):
            return True
        if kind in ("parenthesized_expression", "as_expression", "satisfies_expression"):
            return self.is_new(node.named_children[0], depth + 1)
        if kind == "non_null_expression":
            return self.is_new(node.named_children[0], depth + 1)
        if kind == "new_expression":
            constructor = node.child_by_field_name("constructor")
            return constructor is not None and self._scopes.is_global(constructor, *_CONSTRUCTORS)
        if kind != "call_expression":
            return False
        function = node.child_by_field_name("function")
        if function is None or function.type != "member_expression":
            return function is not None and self._scopes.is_global(function, "Array")
        name = text(function.child_by_field_name("property"))
        if name in _KEEPING:
            return self.is_new(function.child_by_field_name("object"), depth + 1)
        return name in _MAKING

    def is_own(self, binding: Binding | None) -> bool:
        """Whether all that a name ever stands for is made for it."""
        if binding is None or binding.kind not in ("const", "let", "var"):
            return False
        if len(binding.declared) != 1 or self._scopes.is_dynamic:
            return False
        declarator = binding.declared[0].parent
        if declarator is None or declarator.child_by_field_name("name") != binding.declared[0]:
            return False
        value = declarator.child_by_field_name("value")
        if value is not None and not self.is_new(value):
            return False
        for use in binding.writes:
            outer = use.node.parent
            if outer is None or outer.type != "assignment_expression":
                return False
            if outer.child_by_field_name("left") != use.node:
                return False
            if not self.is_new(outer.child_by_field_name("right")):
                return False
        return True

    def is_apart(self, own: Binding, other: Binding | None, around: Scope | None) -> bool:
        """Whether what an own name stands for cannot be what another one stands for. Without
        another one: whether it is made in a function."""
        if other is None:
            return around is not None and _function(own) is around
        if own is other:
            return False
        if self.is_own(other):
            return True
        if _function(own) is not _function(other):
            return False
        if other.kind == "parameter":
            return not other.writes
        later = own.declared[0].start_byte > other.declared[0].start_byte
        return later and not other.writes and not _is_repeated(own)


def _function(binding: Binding) -> Scope:
    return binding.scope.function


def _is_repeated(binding: Binding) -> bool:
    """Whether it is declared in a loop, so that one of it could be there from the turn before."""
    node = binding.declared[0].parent
    while node is not None and node.id != binding.scope.function.node.id:
        if node.type in ("for_statement", "for_in_statement", "while_statement", "do_statement"):
            return True
        node = node.parent
    return False
