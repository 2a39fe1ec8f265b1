"""Syntax for which the language has something newer."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import (
    Context,
    Piece,
    Rule,
    arguments,
    method_of,
    replaced,
)
from codeintel_plugins.transformations.web.scopes import leaves
from codeintel_plugins.transformations.web.trees import child_of, listed, text

_CALLBACKS = listed(
    """
    map filter forEach reduce reduceRight some every find findIndex findLast flatMap sort
    then catch finally replace replaceAll nextTick
    """
)
_GLOBAL_CALLBACKS = ("setTimeout", "setInterval", "setImmediate", "queueMicrotask")
_OWN = frozenset({"function_expression", "function_declaration", "method_definition"}) | {
    "generator_function",
    "generator_function_declaration",
    "class",
    "class_declaration",
}
_ASSIGNING = frozenset({"||", "&&", "??", "+", "-", "*", "/", "%", "**", "|", "&", "^"})
_LOGICAL = frozenset({"||", "&&", "??"})
_NAMED_BY_PLACE = frozenset(
    {"arrow_function", "function_expression", "class", "generator_function"}
)


def _optional_catch(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("catch_clause"):
        parameter = node.child_by_field_name("parameter")
        if parameter is None or parameter.type != "identifier" or context.scopes.is_dynamic:
            continue
        binding = context.scopes.binding(parameter)
        body = node.child_by_field_name("body")
        if binding is None or binding.uses or body is None or len(binding.declared) != 1:
            continue
        if any(each.name == binding.name and each.is_hidden for each in context.scopes.bindings):
            continue  # `var` of the same name is written through it
        opening = child_of(node, "(")
        if opening is not None and not context.has_comment(opening.start_byte, body.start_byte):
            yield [Piece(opening.start_byte, body.start_byte, "")]


def _shorthand(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("pair"):
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is None or value is None or key.type != "property_identifier":
            continue
        if (value.type == "identifier" and text(key) == text(value) != "__proto__") and (
            not context.has_comment(node.start_byte, node.end_byte)
        ):
            yield replaced(node, text(value))
    for node in context.each("pair_pattern"):
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is None or value is None or key.type != "property_identifier":
            continue
        if (value.type == "identifier" and text(key) == text(value)) and (
            not context.has_comment(node.start_byte, node.end_byte)
        ):
            yield replaced(node, text(value))


def _arrow(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("function_expression"):
        call = node.parent.parent if node.parent is not None else None
        body, parameters = node.child_by_field_name("body"), node.child_by_field_name("parameters")
        if (
            call is None
            or body is None
            or parameters is None
            or not is_callback(node, call, context)
        ):
            continue
        if node.child_by_field_name("name") is not None or needs_its_own(node):
            continue
        names = [text(leaf) for each in parameters.named_children for leaf in leaves(each)]
        if len(set(names)) != len(names) or context.scopes.is_dynamic:
            continue
        word = child_of(node, "function")
        begin = node.child_by_field_name("type_parameters") or parameters
        if word is None or context.has_comment(word.start_byte, body.start_byte):
            continue
        head = node.child_by_field_name("return_type") or parameters
        yield [
            Piece(word.start_byte, begin.start_byte, ""),
            # No line may end before the arrow.
            Piece(head.end_byte, body.start_byte, " => "),
            *_body(body, context),
        ]


def _body(body: Node, context: Context) -> list[Piece]:
    """Convert the body to an expression, if it is only a `return` of one on a single line."""
    returned = body.named_children[0] if len(body.named_children) == 1 else None
    if returned is None or returned.type != "return_statement" or not returned.named_children:
        return []
    value = returned.named_children[0]
    one_line = body.start_point.row == body.end_point.row
    if value.type in ("sequence_expression", "comment") or not one_line:
        return []
    if context.has_comment(body.start_byte, body.end_byte):
        return []
    code = text(value)
    wrapped = f"({code})" if code.startswith("{") else code
    return [Piece(body.start_byte, body.end_byte, wrapped)]


def is_callback(node: Node, call: Node, context: Context) -> bool:
    """Return whether a function is passed to one that is known to only call it."""
    given = arguments(call) if call.type == "call_expression" else None
    if given is None or all(each.id != node.id for each in given):
        return False
    function = call.child_by_field_name("function")
    if function is not None and context.scopes.is_global(function, *_GLOBAL_CALLBACKS):
        return True
    found = method_of(call)
    return found is not None and found[1] in _CALLBACKS


def needs_its_own(node: Node) -> bool:
    """Return whether `this`, `arguments` and the like would have another meaning in an arrow
    function."""
    stack = list(node.children)
    while stack:
        inner = stack.pop()
        if inner.type in ("this", "super", "meta_property"):
            return True
        if inner.type == "identifier" and text(inner) in ("arguments", "eval"):
            return True
        if inner.type in _OWN and inner.is_named:
            # They have their own, except for computed names and defaults, which are rare.
            if inner.type in ("class", "class_declaration", "method_definition"):
                return True
            continue
        stack.extend(inner.children)
    return False


def _use_strict(context: Context) -> Iterator[list[Piece]]:
    if not context.is_module():
        return
    for node in context.source.root.children:
        if node.type == "comment":
            continue
        if node.type != "expression_statement" or node.children[0].type != "string":
            return
        if text(node.children[0])[1:-1] == "use strict" and text(node).endswith(";"):
            end = node.end_byte
            while context.code[end : end + 1] in (b" ", b"\t", b"\r"):
                end += 1
            line = context.code[end : end + 1] == b"\n"
            yield [Piece(node.start_byte, end + 1 if line else node.end_byte, "")]


def _assignment(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("assignment_expression"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or right.type != "binary_expression":
            continue
        first, operator, second = right.children[0], text(right.children[1]), right.children[2]
        if text(first) != text(left) or first.type != left.type or operator not in _ASSIGNING:
            continue
        if second.type in _NAMED_BY_PLACE or len(right.children) != 3:
            continue
        if context.has_comment(node.start_byte, node.end_byte):
            continue
        if _is_variable(left, context) or (
            operator not in _LOGICAL and _is_looked_up_again(left, context)
        ):
            yield [Piece(left.end_byte, second.start_byte, f" {operator}= ")]


def _is_variable(left: Node, context: Context) -> bool:
    binding = context.scopes.binding(left) if left.type == "identifier" else None
    return binding is not None and binding.kind in ("var", "let", "parameter")


def _is_looked_up_again(left: Node, context: Context) -> bool:
    """Return whether a target may be looked up once instead of twice: `this.count`,
    `counts[key]`."""
    object_ = left.child_by_field_name("object")
    if object_ is None or object_.type not in ("identifier", "this"):
        return False
    if left.type == "member_expression":
        return child_of(left, "optional_chain") is None
    index = left.child_by_field_name("index")
    return index is not None and context.types.is_primitive(index) and _is_quiet(index)


def _is_quiet(index: Node) -> bool:
    """Return whether computing the index has no side effects."""
    if index.type in ("identifier", "number", "string"):
        return True
    plain = ("binary_expression", "member_expression", "parenthesized_expression")
    return (index.type in plain and all(map(_is_quiet, index.named_children))) or (
        index.type in ("property_identifier", "subscript_expression")
        and all(map(_is_quiet, index.named_children))
    )


def _nullish(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("ternary_expression"):
        condition, one, other = node.named_children[:3]
        name, positive = _is_nothing(condition)
        value, default = (other, one) if positive else (one, other)
        if name is None or value.type != "identifier" or text(value) != name:
            continue
        if context.scopes.binding(value) is None or node.start_point.row != node.end_point.row:
            continue
        plain = default.type in (
            "identifier",
            "string",
            "number",
            "array",
            "object",
            "call_expression",
        )
        outer = node.parent
        apart = outer is not None and outer.type in (
            "variable_declarator",
            "return_statement",
            "arguments",
            "pair",
        )
        if plain and apart and not context.has_comment(node.start_byte, node.end_byte):
            yield replaced(node, f"{name} ?? {text(default)}")


def _is_nothing(condition: Node) -> tuple[str | None, bool]:
    """Return the name that a condition compares with null or undefined, and whether it must be
    equal."""
    while condition.type == "parenthesized_expression" and len(condition.named_children) == 1:
        condition = condition.named_children[0]
    if condition.type != "binary_expression":
        return None, False
    left, operator, right = (
        condition.children[0],
        text(condition.children[1]),
        condition.children[2],
    )
    if operator in ("==", "!=") and text(right) in ("null", "undefined"):
        return (text(left), operator == "==") if left.type == "identifier" else (None, False)
    wanted = {"||": "===", "&&": "!=="}.get(operator)
    if wanted is None or left.type != "binary_expression" or right.type != "binary_expression":
        return None, False
    sides = [left, right]
    names = {text(each.children[0]) for each in sides}
    values = {text(each.children[2]) for each in sides}
    same = all(text(each.children[1]) == wanted for each in sides) and len(names) == 1
    if same and values == {"null", "undefined"} and left.children[0].type == "identifier":
        return names.pop(), wanted == "==="
    return None, False


OPTIONAL_CATCH = Rule(
    "prefer-optional-catch-binding", "Remove an unused catch variable.", _optional_catch
)
SHORTHAND = Rule("object-shorthand", "Use shorthand property syntax.", _shorthand)
ARROW = Rule("prefer-arrow-callback", "Use an arrow function as callback.", _arrow)
USE_STRICT = Rule("no-use-strict", "Remove `use strict` from a module.", _use_strict)
ASSIGNMENT = Rule("operator-assignment", "Use an assignment operator.", _assignment)
NULLISH = Rule("prefer-nullish-coalescing", "Use `??` for null and undefined.", _nullish)
