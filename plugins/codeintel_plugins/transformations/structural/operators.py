"""Edits of assignments and operators that several languages have alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.conditions import is_pure
from codeintel_plugins.transformations.structural.declarations import is_local, types_of
from codeintel_plugins.transformations.structural.effects import (
    has_macro,
    is_calm,
    is_macro,
    is_private,
    sets_something,
)
from codeintel_plugins.transformations.structural.languages.php import is_plain_place
from codeintel_plugins.transformations.structural.patches import TextEdit
from codeintel_plugins.transformations.structural.reading import Reading, named, operator

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def compound(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """`x = x + y` as `x += y`."""
    assignment = node.get_match("SET") or node
    left, right = assignment.field("left"), assignment.field("right")
    if left is not None and left.kind() == "expression_list":
        left = named(left)[0] if len(named(left)) == 1 else None
    if right is not None and right.kind() == "expression_list":
        right = named(right)[0] if len(named(right)) == 1 else None
    if left is None or right is None or str(right.kind()) not in ("binary_expression", "binary"):
        return []
    first, second = right.field("left"), right.field("right")
    sign = operator(right)
    if first is None or second is None or first.text() != left.text() or not is_pure(left):
        return []
    if not re.fullmatch(options.get("operators", r"[-+*/%&|^]"), sign):
        return []
    between = reading.text[reading.span(left).end : reading.span(right).start]
    if between.strip() != "=":
        return []
    if "names" in options and not re.fullmatch(options["names"], str(left.kind())):
        return []
    if reading.language in ("c", "cpp") and (
        is_macro(reading, left.text().partition("->")[0]) or has_macro(reading, second)
    ):
        return []
    if reading.language == "php" and (
        not is_plain_place(left) or (sign == "." and second.kind() == "binary_expression")
    ):
        return []
    if not _keeps_order(reading, left, second):
        return []
    if "types" in options:
        types = types_of(reading, left) if left.kind() == "identifier" else None
        if not types or not all(re.fullmatch(options["types"], each) for each in types):
            return []
        if not is_local(reading, left):
            return []
    start, end = reading.span(left).end, reading.span(second).start
    return [TextEdit(start, end, f" {sign}= ")]


def _keeps_order(reading: Reading, left: SgNode, second: SgNode) -> bool:
    """Return whether it is unobservable if the target is read before or after the right side.

    Java and C# define that it is before, in both forms. Ruby reads the operator as the assignment.
    """
    language = reading.language
    if language in ("java", "csharp", "ruby"):
        above = left.parent()
        outer = above.parent() if above is not None else None
        return outer is None or outer.kind() != "rescue_modifier"
    if is_calm(second, language):
        return True
    if language == "php":
        return left.kind() == "variable_name" and not sets_something(second)
    if language == "rust":
        return re.search(r"&mut\b|[{}|]|!\s*[(\[]|[^=!<>]=[^=]", second.text()) is None
    return not sets_something(second) and is_private(reading, left)


def other_operator(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """Replace an operator by an equivalent one."""
    for each in node.children():
        if each.text() in options and not named(each):
            return [TextEdit(*reading.span(each), options[each.text()])]
    return []


def go_increment(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`x = x + 1` and `x += 1` as `x++`."""
    left, right = node.field("left"), node.field("right")
    target = named(left) if left is not None else []
    value = named(right) if right is not None else []
    if len(target) != 1 or len(value) != 1 or not is_pure(target[0]):
        return []
    by = value[0]
    if operator(node) == "=" and by.kind() == "binary_expression" and operator(by) == "+":
        first, second = by.field("left"), by.field("right")
        if first is None or second is None or first.text() != target[0].text():
            return []
        by = second
    elif operator(node) != "+=":
        return []
    place = TextEdit(reading.span(target[0]).end, reading.span(node).end, "++")
    return [place] if by.text() == "1" else []


def go_range(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`for i, _ := range` as `for i := range`."""
    left, right = node.field("left"), node.field("right")
    if left is None or right is None:
        return []
    names = named(left)
    start, end = reading.span(left)
    if len(names) == 1:
        behind = reading.text.index("range", end)
        return [TextEdit(start, behind, "")]
    return [TextEdit(reading.span(names[0]).end, end, "")] if names[0].text() != "_" else []


def declared_type(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """Replace the type of a declaration with a single name by another word."""
    holder = next((each for each in named(node) if each.kind() == "variable_declaration"), node)
    typed = holder.field("type")
    names = [each for each in named(holder) if "declarator" in str(each.kind())]
    return [TextEdit(*reading.span(typed), options["type"])] if typed and len(names) == 1 else []


def csharp_property(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`{ get { return x; } }` as `=> x;`."""
    accessors = node.field("accessors")
    held = named(accessors) if accessors is not None else []
    if accessors is None or len(held) != 1 or held[0].text().partition("{")[0].strip() != "get":
        return []
    block = held[0].field("body")
    inside = named(block) if block is not None else []
    value = named(inside[0]) if len(inside) == 1 and inside[0].kind() == "return_statement" else []
    if len(value) != 1 or node.field("value") is not None:
        return []
    start, end = reading.span(accessors)
    while reading.text[start - 1].isspace():
        start -= 1
    if "\n" in value[0].text():
        return []
    return [TextEdit(start, end, f" => {reading.source(value[0])};")]
