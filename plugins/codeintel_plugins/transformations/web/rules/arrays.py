"""Arrays that are made, spread and changed in newer syntax."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import (
    Context,
    Piece,
    Rule,
    arguments,
    begins_statement,
    grouped,
    method_of,
    replaced,
)
from codeintel_plugins.transformations.web.trees import listed, text
from codeintel_plugins.transformations.web.type_inference import (
    ARRAY,
    MAP,
    NUMBER,
    SET,
    STRING,
)

_ITERABLE = (STRING, ARRAY, SET, MAP)
_BLOCKS = listed(
    """
    if_statement for_statement for_in_statement while_statement statement_block try_statement
    switch_statement function_declaration class_declaration
    """
)
_SLICES = ("Array.prototype.slice", "[].slice")


def _spread_array(context: Context) -> Iterator[list[Piece]]:
    """`Array.from(iterable)` and `slice.call(arguments)`."""
    for call in context.each("call_expression"):
        found, given = method_of(call), arguments(call)
        if found is None or given is None or len(given) != 1 or _stands_alone(call):
            continue
        if context.has_comment(call.start_byte, call.end_byte):
            continue
        if found[1] == "from" and context.scopes.is_global(found[0], "Array"):
            if _is_iterable(given[0], context):
                yield replaced(call, f"[...{text(given[0])}]")
        elif found[1] == "call" and text(found[0]) in _SLICES and text(given[0]) == "arguments":
            own = context.scopes.is_global(given[0], "arguments")
            if own and all(each.name != "Array" for each in context.scopes.bindings):
                yield replaced(call, "[...arguments]")


def _stands_alone(call: Node) -> bool:
    """Return whether an array at this position might be parsed as a continuation of the line
    before."""
    return begins_statement(call) or call.child_by_field_name("type_arguments") is not None


def _is_iterable(node: Node, context: Context) -> bool:
    if context.types.of(node) in _ITERABLE:
        return True
    found, given = method_of(node), arguments(node)
    if found is None or given != [] or found[1] not in ("keys", "values", "entries"):
        return False
    return context.types.of(found[0]) in _ITERABLE[1:]


def _spread_call(context: Context) -> Iterator[list[Piece]]:
    """`Math.max.apply(null, array)`."""
    for call in context.each("call_expression"):
        found, given = method_of(call), arguments(call)
        if found is None or given is None or len(given) != 2 or found[1] != "apply":
            continue
        function = found[0]
        owner = function.child_by_field_name("object")
        if owner is None or function.type != "member_expression":
            continue
        name = text(function.child_by_field_name("property"))
        if not (
            context.scopes.is_global(owner, "Math")
            or (context.scopes.is_global(owner, "String") and name.startswith("from"))
        ):
            continue
        if given[0].type not in ("null", "undefined", "identifier", "this") or (
            context.has_comment(call.start_byte, call.end_byte)
        ):
            continue
        if context.types.of(given[1]) == ARRAY:
            yield replaced(call, f"{text(function)}(...{grouped(given[1])})")


def _swap(context: Context) -> Iterator[list[Piece]]:
    """`const t = a; a = b; b = t;`."""
    for node in context.each("lexical_declaration"):
        declarators = node.named_children
        second, third = node.next_named_sibling, _after(node.next_named_sibling)
        if len(declarators) != 1 or second is None or third is None:
            continue
        kept, one = (
            declarators[0].child_by_field_name("name"),
            declarators[0].child_by_field_name("value"),
        )
        first_pair, second_pair = _pair(second), _pair(third)
        if kept is None or one is None or first_pair is None or second_pair is None:
            continue
        if kept.type != "identifier" or declarators[0].child_by_field_name("type") is not None:
            continue
        if text(first_pair[0]) != text(one) or text(first_pair[1]) != text(second_pair[0]):
            continue
        binding = context.scopes.binding(kept)
        if text(second_pair[1]) != text(kept) or binding is None or len(binding.uses) != 1:
            continue
        if binding.declared != [kept] or context.has_comment(node.start_byte, third.end_byte):
            continue
        other = first_pair[1]
        if not all(_is_place(each, context) for each in (one, other)) or not _ends(node, third):
            continue
        pair = f"[{text(one)}, {text(other)}] = [{text(other)}, {text(one)}];"
        yield [Piece(node.start_byte, third.end_byte, pair)]


def _after(node: Node | None) -> Node | None:
    return node.next_named_sibling if node is not None else None


def _ends(node: Node, third: Node) -> bool:
    """Return whether the statement before certainly ends. A line that begins with a bracket may
    continue it."""
    before = node.prev_sibling
    if before is None or before.type in ("{", ":") or text(before).endswith(";"):
        ended = True
    else:
        ended = before.type in _BLOCKS and text(before).endswith("}")
    return ended and all(text(each).endswith(";") for each in (node, third))


def _pair(node: Node) -> tuple[Node, Node] | None:
    """Return both sides of a plain assignment."""
    inner = node.named_children[0] if len(node.named_children) == 1 else None
    if node.type != "expression_statement" or inner is None:
        return None
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if inner.type != "assignment_expression" or left is None or right is None:
        return None
    return left, right


def _is_place(node: Node, context: Context) -> bool:
    """Return a name, or an element of an array at a place that does not change by being looked
    up."""
    if node.type == "identifier":
        return context.scopes.binding(node) is not None
    object_, index = node.child_by_field_name("object"), node.child_by_field_name("index")
    if node.type != "subscript_expression" or object_ is None or index is None:
        return False
    if object_.type != "identifier" or context.types.of(object_) != ARRAY:
        return False
    return _is_plain_index(index, context)


def _is_plain_index(index: Node, context: Context) -> bool:
    if index.type in ("number", "identifier"):
        return context.types.of(index) == NUMBER
    return (
        index.type == "binary_expression"
        and len(index.children) == 3
        and text(index.children[1]) in ("+", "-")
        and all(_is_plain_index(each, context) for each in index.named_children)
    )


def _typed_array(context: Context) -> Iterator[list[Piece]]:
    """`new Array<Type>()` as a value whose name can tell the type."""
    if context.language != "typescript":
        return
    for node in context.each("variable_declarator", "public_field_definition"):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None or value.type != "new_expression":
            continue
        constructor = value.child_by_field_name("constructor")
        types = value.child_by_field_name("type_arguments")
        if constructor is None or types is None or arguments(value) != []:
            continue
        if not context.scopes.is_global(constructor, "Array") or len(types.named_children) != 1:
            continue
        if node.child_by_field_name("type") is not None or (
            context.has_comment(node.start_byte, node.end_byte)
        ):
            continue
        element = types.named_children[0]
        plain = element.type in ("predefined_type", "type_identifier", "array_type")
        if plain and name.type in ("identifier", "property_identifier"):
            yield [
                Piece(name.end_byte, name.end_byte, f": {text(element)}[]"),
                Piece(value.start_byte, value.end_byte, "[]"),
            ]


SPREAD_ARRAY = Rule("prefer-spread-array", "Copy into an array with a spread.", _spread_array)
SPREAD_CALL = Rule("prefer-spread", "Pass the elements of an array with a spread.", _spread_call)
SWAP = Rule("prefer-swap", "Swap values without a temporary variable.", _swap)
TYPED_ARRAY = Rule("typed-array-literal", "Use an empty array literal.", _typed_array)
