"""Loops that count through an array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import Context, Piece, Rule
from codeintel_plugins.transformations.web.scopes import FUNCTIONS, Binding, is_written
from codeintel_plugins.transformations.web.trees import child_of, listed, text
from codeintel_plugins.transformations.web.type_inference import ARRAY

_RESERVED = listed(
    """
    arguments await break case catch class const continue debugger default delete do else enum eval
    export extends false finally for function if implements import in instanceof interface let new
    null number object package private protected public return static string super switch symbol
    this throw true try type typeof undefined var void while with yield
    """
)
_NAMES = ("item", "element", "entry", "each")
_SYNCHRONOUS = listed(
    "map filter forEach some every find findIndex reduce reduceRight flatMap sort replace"
)


class Counted(NamedTuple):
    """`for (let index = ...; index < limit; index++) body`."""

    node: Node
    counter: Binding
    declarators: list[Node]
    operator: str
    limit: Node
    increment: Node
    body: Node


def counted(node: Node, context: Context) -> Counted | None:
    """Return the loop, if it has its own variable that only the loop's head increments by one."""
    initializer, condition = (
        node.child_by_field_name("initializer"),
        node.child_by_field_name("condition"),
    )
    increment, body = node.child_by_field_name("increment"), node.child_by_field_name("body")
    if initializer is None or condition is None or increment is None or body is None:
        return None
    if initializer.type != "lexical_declaration" or text(initializer.children[0]) != "let":
        return None
    if condition.type != "binary_expression" or len(condition.children) != 3:
        return None
    left, operator, limit = condition.children
    declarators = [each for each in initializer.named_children if each.type != "comment"]
    index = context.scopes.binding(left) if left.type == "identifier" else None
    if index is None or not any(each.children[0] == index.declared[0] for each in declarators):
        return None
    if context.scopes.is_dynamic or len(index.declared) != 1 or len(index.writes) != 1:
        return None
    written = index.writes[0].node
    if not increment.start_byte <= written.start_byte < increment.end_byte:
        return None
    if "".join(text(increment).split()) not in _steps(index.name):
        return None
    return Counted(node, index, declarators, text(operator), limit, increment, body)


def _steps(name: str) -> tuple[str, ...]:
    return f"{name}++", f"++{name}", f"{name}+=1", f"{name}={name}+1"


def is_steady(binding: Binding, loop: Node) -> bool:
    """Return whether a name has the same value during the whole loop."""
    if len(binding.declared) != 1:
        return False
    around = binding.scope.function
    inside = _function_of(loop)
    if loop.start_byte <= binding.declared[0].start_byte < loop.end_byte:
        return False
    for use in binding.writes:
        if use.scope.function is not around or around.node.id != inside:
            return False
        if loop.start_byte <= use.node.start_byte < loop.end_byte:
            return False
    return True


def _function_of(node: Node) -> int:
    outer = node.parent
    while outer is not None and outer.parent is not None:
        if outer.type in FUNCTIONS or outer.type == "class_static_block":
            return outer.id
        outer = outer.parent
    return outer.id if outer is not None else node.id


def _for_of(context: Context) -> Iterator[list[Piece]]:
    taken: set[str] = set()
    for node in context.each("for_statement"):
        loop = counted(node, context)
        if loop is None or loop.operator != "<" or len(loop.declarators) != 1:
            continue
        value = loop.declarators[0].child_by_field_name("value")
        array = loop.limit.child_by_field_name("object")
        if text(value) != "0" or loop.limit.type != "member_expression" or array is None:
            continue
        if text(loop.limit.child_by_field_name("property")) != "length" or (
            array.type != "identifier" or child_of(loop.limit, "optional_chain")
        ):
            continue
        binding = context.scopes.binding(array)
        if binding is None or context.types.of(array) != ARRAY or not is_steady(binding, node):
            continue
        reads = _reads(loop, binding, context)
        if not reads or context.has_comment(node.start_byte, loop.body.start_byte):
            continue
        pieces = _named_first(loop, reads, array, context)
        if pieces is None and context.effects.keep([loop.body], binding):
            pieces = _named_anew(loop, reads, array, context, taken)
        if pieces is not None:
            yield pieces


def _reads(loop: Counted, array: Binding, context: Context) -> list[Node]:
    """Return all nodes that read an element, or none if the index has any other use."""
    found: list[Node] = []
    for use in loop.counter.uses:
        if use.node.end_byte <= loop.body.start_byte:
            continue
        outer = use.node.parent
        if outer is None or outer.type != "subscript_expression" or len(outer.children) != 4:
            return []
        object_ = outer.child_by_field_name("object")
        if object_ is None or outer.child_by_field_name("index") != use.node:
            return []
        if object_.type != "identifier" or context.scopes.binding(object_) is not array:
            return []
        if is_written(outer) or _is_special(outer) or _is_later(outer, loop.body):
            return []
        found.append(outer)
    return found


def _is_special(element: Node) -> bool:
    """Return whether the element is called, so that the array would be `this`, or deleted."""
    outer = element.parent
    while outer is not None and outer.type in ("non_null_expression", "parenthesized_expression"):
        element, outer = outer, outer.parent
    if outer is None or outer.type == "unary_expression":
        return outer is None or text(outer.children[0]) == "delete"
    return outer.type in ("call_expression", "new_expression") and outer.children[0] == element


def _is_later(node: Node, body: Node) -> bool:
    """Return whether a function reads the node that might be called after the loop's iteration."""
    outer = node.parent
    while outer is not None and outer.id != body.id:
        if outer.type in FUNCTIONS:
            given = outer.parent
            call = given.parent if given is not None else None
            method = call.child_by_field_name("function") if call is not None else None
            if given is None or given.type != "arguments" or method is None:
                return True
            if text(method.child_by_field_name("property")) not in _SYNCHRONOUS:
                return True
            if child_of(outer, "async") is not None:
                return True
        outer = outer.parent
    return False


def _named_first(
    loop: Counted, reads: list[Node], array: Node, context: Context
) -> list[Piece] | None:
    """Move the element's name to the loop's head, if the body begins with its declaration."""
    if len(reads) != 1 or loop.body.type != "statement_block":
        return None
    inner = loop.body.named_children
    if len(inner) < 2 or inner[0].type != "lexical_declaration":
        return None
    declarator = inner[0].named_children[0]
    name, type_ = declarator.child_by_field_name("name"), declarator.child_by_field_name("type")
    if len(inner[0].named_children) != 1 or declarator.child_by_field_name("value") != reads[0]:
        return None
    if name is None or (type_ is not None and not _is_element_type(type_, array, context)):
        return None
    if context.has_comment(inner[0].start_byte, inner[0].end_byte) or (
        text(name) == text(array) or not text(inner[0]).endswith(";")
    ):
        return None
    word = text(inner[0].children[0])
    head = f"{word} {text(name)} of {text(array)}"
    return [*_head(loop, head), Piece(inner[0].start_byte, _behind(context, inner[0]), "")]


def _is_element_type(type_: Node, array: Node, context: Context) -> bool:
    element = context.types.element_type(array)
    return element is not None and text(type_.named_children[-1]) == text(element)


def _behind(context: Context, statement: Node) -> int:
    """Return the start of the text after a statement, if only white space is between."""
    following = statement.next_sibling
    at = statement.end_byte
    end = following.start_byte if following is not None else at
    return end if not context.code[at:end].strip() else at


def _named_anew(
    loop: Counted, reads: list[Node], array: Node, context: Context, taken: set[str]
) -> list[Piece] | None:
    names = [each for each in _candidates(text(array)) if each not in taken | _RESERVED]
    name = next((each for each in names if context.is_free(each)), None)
    if name is None:
        return None
    taken.add(name)
    head = f"const {name} of {text(array)}"
    return [
        *_head(loop, head),
        *(Piece(each.start_byte, each.end_byte, name) for each in reads),
    ]


def _head(loop: Counted, head: str) -> list[Piece]:
    opening, closing = child_of(loop.node, "("), loop.increment
    start = opening.end_byte if opening is not None else loop.node.start_byte
    return [Piece(start, closing.end_byte, head)]


def _candidates(array: str) -> Iterator[str]:
    """Yield names for one of many."""
    stem = array.lstrip("_")
    if stem.endswith("ies") and len(stem) > 4:
        yield f"{stem[:-3]}y"
    elif stem.endswith(("sses", "xes", "ches", "shes")):
        yield stem[:-2]
    elif stem.endswith("s") and not stem.endswith("ss") and len(stem) > 3:
        yield stem[:-1]
    yield from _NAMES


FOR_OF = Rule("prefer-for-of", "Use `for...of`, because only elements are used.", _for_of)
