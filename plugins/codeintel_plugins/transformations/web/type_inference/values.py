"""What is sure about the kind of a value, from the code around it alone."""

from __future__ import annotations

from tree_sitter import Node

from codeintel_plugins.transformations.web.scopes import Binding, Scopes
from codeintel_plugins.transformations.web.trees import listed, text
from codeintel_plugins.transformations.web.type_inference.declared import PRIMITIVE
from codeintel_plugins.transformations.web.type_inference.sorts import ValueSorts

STRING, NUMBER, BOOLEAN, ARRAY = "string", "number", "boolean", "array"
PRIMITIVES = frozenset({STRING, NUMBER, BOOLEAN})
_OF_SORTS = {frozenset({each}): each for each in (STRING, NUMBER, BOOLEAN, ARRAY)}
_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>"})
_COMPARISONS = frozenset({"===", "!==", "==", "!=", "<", ">", "<=", ">=", "in", "instanceof"})
_TYPES = {"string": STRING, "number": NUMBER}  # who is no boolean shows at run time only
_TO_STRING = frozenset({"String", "encodeURIComponent", "decodeURIComponent"})
_STRING_METHODS = listed(
    """
    trim trimStart trimEnd toUpperCase toLowerCase charAt padStart padEnd repeat substring
    replaceAll normalize
    """
)
_ARRAY_STATICS = frozenset({"keys", "values", "entries", "from", "of"})
_ARRAY_METHODS = frozenset({"map", "filter", "flat", "flatMap"})
_MAX_DEPTH = 6


class Values:
    """Kinds of expressions."""

    def __init__(self, scopes: Scopes, sorts: ValueSorts) -> None:
        self._scopes = scopes
        self._sorts = sorts
        self._known: dict[Binding, str] = {}

    def kind(self, node: Node | None, depth: int = 0) -> str:
        """The kind of an expression's value, or nothing where it is not sure. A number may be a
        big one."""
        found = self._kind(node, depth)
        if found or depth:
            return found
        return _OF_SORTS.get(self._sorts.of(node) or frozenset(), "")

    def is_primitive(self, node: Node) -> bool:
        """Whether a value has one text only, however it is asked for it."""
        of = self._sorts.of(node)
        return self.kind(node) in PRIMITIVES or (of is not None and of <= PRIMITIVE)

    def _kind(self, node: Node | None, depth: int) -> str:
        if node is None or depth > _MAX_DEPTH:
            return ""
        type_ = node.type
        if type_ in ("string", "template_string"):
            return STRING
        if type_ == "number" or type_ == "update_expression":
            return NUMBER
        if type_ in ("true", "false"):
            return BOOLEAN
        if type_ == "array":
            return ARRAY
        if type_ in ("parenthesized_expression", "non_null_expression"):
            inner = node.named_children
            return self.kind(inner[0], depth + 1) if len(inner) == 1 else ""
        if type_ == "unary_expression":
            return _unary(text(node.child_by_field_name("operator")))
        if type_ == "binary_expression":
            return self._binary(node, depth)
        if type_ == "ternary_expression":
            one = self.kind(node.child_by_field_name("consequence"), depth + 1)
            return (
                one if one == self.kind(node.child_by_field_name("alternative"), depth + 1) else ""
            )
        if type_ == "call_expression":
            return self._call(node, depth)
        if type_ == "member_expression" and text(node.child_by_field_name("property")) == "length":
            known = self.kind(node.child_by_field_name("object"), depth + 1)
            return NUMBER if known in (STRING, ARRAY) else ""
        return self._name(node, depth) if type_ == "identifier" else ""

    def _binary(self, node: Node, depth: int) -> str:
        operator = text(node.child_by_field_name("operator"))
        if operator in _COMPARISONS:
            return BOOLEAN
        if operator in _ARITHMETIC:
            return NUMBER
        left = self.kind(node.child_by_field_name("left"), depth + 1)
        right = self.kind(node.child_by_field_name("right"), depth + 1)
        if operator == "+":
            if STRING in (left, right):
                return STRING
            return NUMBER if left == right == NUMBER else ""
        return left if operator in ("&&", "||") and left == right else ""

    def _call(self, node: Node, depth: int) -> str:
        function = node.child_by_field_name("function")
        if function is None or node.child_by_field_name("arguments") is None:
            return ""
        if self._scopes.is_global(function, *_TO_STRING):
            return STRING
        if self._scopes.is_global(function, "Boolean"):
            return BOOLEAN
        if self._scopes.is_global(function, "Number", "parseInt", "parseFloat"):
            return NUMBER
        object_ = function.child_by_field_name("object")
        method = text(function.child_by_field_name("property"))
        if function.type != "member_expression" or object_ is None:
            return ""
        if self._scopes.is_global(object_, "Math"):
            return NUMBER
        if self._scopes.is_global(object_, "Object", "Array") and method in _ARRAY_STATICS:
            return ARRAY if (text(object_) == "Object") == (method not in ("from", "of")) else ""
        if self._scopes.is_global(object_, "Array", "Number") and method.startswith("is"):
            return BOOLEAN
        known = self.kind(object_, depth + 1)
        if known == STRING:
            return STRING if method in _STRING_METHODS else ARRAY if method == "split" else ""
        if known == NUMBER and method in ("toFixed", "toPrecision", "toString"):
            return STRING
        if known == ARRAY:
            return STRING if method == "join" else ARRAY if method in _ARRAY_METHODS else ""
        return ""

    def _name(self, node: Node, depth: int) -> str:
        binding = self._scopes.binding(node)
        if binding is None or self._scopes.is_dynamic or len(binding.declared) != 1:
            return ""
        declared = binding.declared[0].parent
        if declared is None:
            return ""
        if binding not in self._known:
            self._known[binding] = ""  # while it is asked for: what depends on itself is not sure
            self._known[binding] = _annotated(declared) or self._assigned(binding, declared, depth)
        return self._known[binding]

    def _assigned(self, binding: Binding, declared: Node, depth: int) -> str:
        """By everything that is assigned; a variable that may be read before is not sure."""
        if declared.type != "variable_declarator" or binding.kind not in ("const", "let"):
            return ""
        if declared.child_by_field_name("name") != binding.declared[0]:
            return ""
        kind = self.kind(declared.child_by_field_name("value"), depth + 1)
        for use in binding.writes:
            assigned = use.node.parent
            if assigned is None or assigned.type == "update_expression":
                kind = kind if kind == NUMBER else ""
            elif assigned.type == "augmented_assignment_expression":
                joined = text(assigned.child_by_field_name("operator")) == "+=" and kind == STRING
                counted = kind == NUMBER and (
                    self.kind(assigned.child_by_field_name("right"), depth + 1) == NUMBER
                )
                kind = kind if joined or counted else ""
            elif assigned.type == "assignment_expression":
                value = assigned.child_by_field_name("right")
                kind = kind if self.kind(value, depth + 1) == kind else ""
            else:
                return ""
        return kind


def _unary(operator: str) -> str:
    return {"!": BOOLEAN, "typeof": STRING, "delete": BOOLEAN, "-": NUMBER, "+": NUMBER}.get(
        operator, NUMBER if operator == "~" else ""
    )


def _annotated(declared: Node) -> str:
    """By its type, which has to be a plain one and not optional."""
    type_ = declared.child_by_field_name("type")
    if type_ is None or declared.type == "optional_parameter" or len(type_.named_children) != 1:
        return ""
    named = type_.named_children[0]
    if named.type == "readonly_type":
        named = named.named_children[-1]
    if named.type == "array_type":
        return ARRAY
    if named.type == "generic_type" and text(named.child_by_field_name("name")) in (
        "Array",
        "ReadonlyArray",
    ):
        return ARRAY
    return _TYPES.get(text(named), "") if named.type == "predefined_type" else ""
