"""Infer the types of the values of expressions, as far as the code itself tells."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import Scopes
from codeintel_plugins.transformations.web.trees import child_of, text
from codeintel_plugins.transformations.web.type_inference.declared import (
    ARRAY,
    BIG,
    BOOLEAN,
    MAP,
    NOTHING,
    NULL,
    NUMBER,
    OF_CONSTRUCTORS,
    OF_FUNCTIONS,
    OF_METHODS,
    OF_STATICS,
    PRIMITIVE,
    SET,
    STRING,
    TAKING,
    UNDEFINED,
    RuntimeTypes,
)
from codeintel_plugins.transformations.web.type_inference.names import MAX_DEPTH, NameTypes, either

_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>"})
_COMPARISONS = frozenset({"===", "!==", "==", "!=", "<", ">", "<=", ">=", "in", "instanceof"})
_LITERALS: Mapping[str, RuntimeTypes] = {
    "string": STRING,
    "template_string": STRING,
    "true": BOOLEAN,
    "false": BOOLEAN,
    "null": NULL,
    "undefined": UNDEFINED,
    "array": ARRAY,
    "regex": frozenset({"regexp"}),
    "object": frozenset({"object"}),
    "arrow_function": frozenset({"function"}),
    "function_expression": frozenset({"function"}),
}
_MAX_STEPS = 2_000


class ValueTypes(NameTypes):
    """RuntimeTypes of expressions."""

    def __init__(self, scopes: Scopes, nodes: Mapping[str, list[Node]]) -> None:
        super().__init__(scopes, nodes)
        self._steps = 0

    def of(self, node: Node | None, depth: int = 0) -> RuntimeTypes | None:
        """Return all possible kinds of the value, or None if uncertain."""
        self._steps = self._steps + 1 if depth or self._assumed else 0
        if node is None or depth > MAX_DEPTH or self._steps > _MAX_STEPS:
            return None
        kind = node.type
        if kind in _LITERALS:
            return _LITERALS[kind]
        if kind == "number":
            return BIG if text(node).endswith("n") else NUMBER
        if kind == "identifier":
            return self._name(node, depth)
        if kind == "parenthesized_expression":
            return self.of(_only(node), depth + 1)
        if kind == "non_null_expression":
            return self.of(_only(node), depth + 1)  # that it is something is only claimed
        if kind in ("as_expression", "satisfies_expression"):
            return self.of(node.children[0], depth + 1)
        if kind == "unary_expression":
            return self._unary(node, depth)
        if kind == "update_expression":
            return self._number(self.of(node.child_by_field_name("argument"), depth + 1))
        if kind == "binary_expression":
            return self._binary(node, depth)
        if kind == "ternary_expression":
            return either(
                self.of(node.child_by_field_name("consequence"), depth + 1),
                self.of(node.child_by_field_name("alternative"), depth + 1),
            )
        if kind == "call_expression":
            return self._call(node, depth)
        if kind == "new_expression":
            constructor = node.child_by_field_name("constructor")
            if constructor is not None and self._scopes.is_global(constructor, *OF_CONSTRUCTORS):
                return OF_CONSTRUCTORS[text(constructor)]
            return None
        if kind == "subscript_expression":
            return self._element(node, depth)
        return self._member(node, depth) if kind == "member_expression" else None

    def of_object(self, node: Node | None, depth: int = 0) -> RuntimeTypes | None:
        """Return the possible kinds of the value if a property is read, which fails for null and
        undefined."""
        of = self.of(node, depth)
        return of - NOTHING if of is not None else None

    def is_primitive(self, node: Node | None) -> bool:
        """Return whether each conversion of the value results in the same text."""
        of = self.of(node)
        return of is not None and of <= PRIMITIVE

    def _unary(self, node: Node, depth: int) -> RuntimeTypes | None:
        operator = text(node.child_by_field_name("operator"))
        if operator in ("!", "delete"):
            return BOOLEAN
        if operator in ("-", "~"):
            return self._number(self.of(node.child_by_field_name("argument"), depth + 1))
        return {"typeof": STRING, "+": NUMBER, "void": UNDEFINED}.get(operator)

    def _number(self, one: RuntimeTypes | None, other: RuntimeTypes | None = None) -> RuntimeTypes:
        """Return the kinds that result from arithmetic.

        Two big integers result in one. Big integers fail with other types.
        """
        sides = [each for each in (one, other) if each is not None]
        if any("bigint" not in each and "object" not in each for each in sides):
            return NUMBER
        return BIG if sides and all(each == BIG for each in sides) else NUMBER | BIG

    def _binary(self, node: Node, depth: int) -> RuntimeTypes | None:
        operator = text(node.child_by_field_name("operator"))
        if operator in _COMPARISONS:
            return BOOLEAN
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        return self._joined(left, operator, right, depth)

    def _joined(
        self, left: Node | None, operator: str, right: Node | None, depth: int
    ) -> RuntimeTypes | None:
        one, other = self.of(left, depth + 1), self.of(right, depth + 1)
        if operator == ">>>":
            return NUMBER
        if operator in _ARITHMETIC:
            return self._number(one, other)
        if operator == "+":
            return _sum(one, other)
        if operator == "??" and one is not None:
            one = one - NOTHING
        return either(one, other) if operator in ("&&", "||", "??") else None

    def _element(self, node: Node, depth: int) -> RuntimeTypes | None:
        object_, index = node.child_by_field_name("object"), node.child_by_field_name("index")
        if self.of(index, depth + 1) != NUMBER:
            return None
        of = self.of_object(object_, depth + 1)
        if of == STRING:
            return STRING | UNDEFINED
        if of != ARRAY:
            return None
        found = self.elements(object_, depth + 1)
        return found | UNDEFINED if found is not None else None

    def _member(self, node: Node, depth: int) -> RuntimeTypes | None:
        name = text(node.child_by_field_name("property"))
        object_ = node.child_by_field_name("object")
        if object_ is None or child_of(node, "optional_chain") is not None:
            return None
        if object_.type == "this":
            annotation = self._fields.get(name)
            return self.declared.runtime_types(annotation)
        if self._scopes.is_global(object_, "Math", "Number"):
            return NUMBER if name.isupper() or "_" in name else None
        of = self.of_object(object_, depth + 1)
        if name == "length" and of in (STRING, ARRAY):
            return NUMBER
        return NUMBER if name == "size" and of in (MAP, SET) else None

    def _call(self, node: Node, depth: int) -> RuntimeTypes | None:
        function = node.child_by_field_name("function")
        if function is None or child_of(node, "optional_chain") is not None:
            return None
        if function.type == "identifier":
            if self._scopes.is_global(function, *OF_FUNCTIONS):
                return OF_FUNCTIONS[text(function)]
            return self._returned(function)
        object_ = function.child_by_field_name("object")
        name = text(function.child_by_field_name("property"))
        if function.type != "member_expression" or object_ is None:
            return None
        if child_of(function, "optional_chain") is not None:
            return None
        if self._scopes.is_global(object_, "Math"):
            return NUMBER
        if self._scopes.is_global(object_, *OF_STATICS):
            return OF_STATICS[text(object_)].get(name)
        of = self.of_object(object_, depth + 1)
        if not of:
            return None
        if of == ARRAY and name in TAKING:
            found = self.elements(object_, depth + 1)
            return found | UNDEFINED if found is not None else None
        if of == MAP and name == "get":
            found = self.declared.runtime_types(self.element_type(object_, 1))
            return found | UNDEFINED if found is not None else None
        return reduce(either, (OF_METHODS.get(each, {}).get(name) for each in of))


def _sum(one: RuntimeTypes | None, other: RuntimeTypes | None) -> RuntimeTypes | None:
    if STRING in (one, other):
        return STRING
    if one is None or other is None:
        return None
    both = one | other
    if both & {"object", "array", "map", "set", "regexp", "function"}:
        return None
    if "bigint" in both:
        return both if both <= NUMBER | BIG else None
    return STRING | NUMBER if "string" in both else NUMBER


def _only(node: Node) -> Node | None:
    inner = [each for each in node.named_children if each.type != "comment"]
    return inner[0] if len(inner) == 1 else None
