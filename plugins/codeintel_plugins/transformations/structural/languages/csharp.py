"""Edits of C#."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.declarations import declared_type, types_of
from codeintel_plugins.transformations.structural.patches import TextEdit
from codeintel_plugins.transformations.structural.reading import (
    Reading,
    function_of,
    inner,
    line_edit,
    named,
    only_statement,
    operator,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\d+)([,:][^{}]*)?\}|[{}]")
_SIMPLE = re.compile(r"(?:string|int|long|double|decimal|bool|char|DateTime|Guid|float)\??")


def interpolation(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`string.Format("{0} of {1}", a, b)` as `$"{a} of {b}"`."""
    listed = node.field("arguments")
    if listed is None:
        return []
    arguments = [inner_argument(each) for each in named(listed)]
    if len(arguments) < 2 or any(each is None for each in arguments):
        return []
    values = [each for each in arguments[1:] if each is not None]
    first = arguments[0]
    if first is None or first.kind() != "string_literal" or not all(map(_fits, values)):
        return []
    if len(values) == 1 and not _is_scalar(reading, values[0]):
        return []
    above = node.parent()
    if "InterpolatedStringHandler" in reading.text or (
        above is not None
        and above.kind() == "argument"
        and any(each.kind() == "invocation_expression" for each in values)
    ):
        return []  # what takes a text in parts need not ask for all of them
    pieces, used, place = [], [], 0
    text = first.text()
    for found in _PLACEHOLDER.finditer(text):
        if found[0] in "{}":
            return []
        if found[1] is None:
            continue
        if re.search(r'["\\\\]', found[0]):
            return []
        index = int(found[1])
        if index >= len(values):
            return []
        used.append(index)
        pieces += [text[place : found.start()], "{", values[index].text(), found[2] or "", "}"]
        place = found.end()
    if used != list(range(len(values))):
        return []
    return [TextEdit(*reading.span(node), "$" + "".join(pieces) + text[place:])]


def inner_argument(node: SgNode) -> SgNode | None:
    """Return the value of an argument, or None if it is named or passed by reference."""
    children = node.children()
    return children[0] if node.kind() == "argument" and len(children) == 1 else None


def _fits(node: SgNode) -> bool:
    """Return whether the expression fits into a placeholder unchanged."""
    kind = str(node.kind())
    if kind in ("identifier", "integer_literal"):
        return True
    if kind == "member_access_expression":
        return re.fullmatch(r"[\w.]+", node.text()) is not None
    return kind == "invocation_expression" and (
        re.fullmatch(r"[\w.]+\(\w*\)", node.text()) is not None
    )


def _is_scalar(reading: Reading, node: SgNode) -> bool:
    """Return whether the only value is not an array, whose elements would be the values."""
    if node.kind() == "integer_literal" or node.text().endswith((".ToString()", ".Length")):
        return True
    if node.text().endswith(".Count") or node.kind() != "identifier":
        return node.text().endswith(".Count")
    types = types_of(reading, node)
    return bool(types) and all(_SIMPLE.fullmatch(each) for each in types or ())


def raised_event(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`if (Changed != null) Changed(this, e);` as `Changed?.Invoke(this, e);`."""
    condition = inner(node.field("condition"))
    statement = only_statement(node.field("consequence"))
    if condition is None or statement is None or node.field("alternative") is not None:
        return []
    sides = [each.text() for each in named(condition)]
    call = next(iter(named(statement)), None)
    if operator(condition) != "!=" or len(sides) != 2 or sides[1] != "null" or call is None:
        return []
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.text() != sides[0]:
        return []
    if statement.kind() != "expression_statement" or not _is_event(reading, sides[0]):
        return []
    parent = node.parent()
    if parent is None or parent.kind() != "block":
        return []
    if "nameof" in sides[0] or "." in sides[0]:
        return []
    text = f"{sides[0]}?.Invoke{reading.source(listed)};"
    return [TextEdit(*reading.span(node), text)]


def _is_event(reading: Reading, name: str) -> bool:
    """Return whether the code declares the name once, as an event."""
    declared = 0
    for node in reading.named.get(name, ()):
        kinds = [str(each.kind()) for each in list(node.ancestors())[:3]]
        if kinds[:1] != ["variable_declarator"] and declared_type(node, "csharp") is not None:
            return False
        if kinds[:1] == ["variable_declarator"]:
            if kinds[2] != "event_field_declaration":
                return False
            declared += 1
    return declared == 1


def name_of(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace the name of a parameter in quotes by `nameof`."""
    literal, function = node.get_match("NAME"), function_of(node)
    if literal is None or function is None:
        return []
    name = literal.text().strip('"')
    parameters = function.field("parameters")
    listed = named(parameters) if parameters is not None else []
    if not any(
        held is not None and held.text() == name
        for held in (each.field("name") for each in listed if each.kind() == "parameter")
    ):
        return []
    if "nameof" in reading.named and any(
        (parent := each.parent()) is not None and parent.kind() == "method_declaration"
        for each in reading.named["nameof"]
    ):
        return []
    return [TextEdit(*reading.span(literal), f"nameof({name})")]


def out_variable(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`int n; if (int.TryParse(s, out n))` with `out int n`."""
    name, typed = node.get_match("NAME"), node.get_match("TYPE")
    following = node.next()
    while following is not None and following.kind() == "comment":
        following = following.next()
    if name is None or typed is None or following is None or typed.text() == "var":
        return []
    above = node.parent()
    if above is None or above.kind() != "block":
        return []
    where = following.field("condition") if following.kind() == "if_statement" else following
    if where is None or str(following.kind()) not in (
        "if_statement", "expression_statement", "local_declaration_statement",
    ):  # fmt: skip
        return []
    uses = [
        each
        for each in reading.named.get(name.text(), ())
        if reading.span(following).start <= reading.span(each).start < reading.span(following).end
    ]
    if not uses:
        return []
    use = uses[0]
    argument = use.parent()
    place = reading.span(where)
    if argument is None or argument.kind() != "argument" or not argument.text().startswith("out "):
        return []
    if not place.start <= reading.span(use).start < place.end:
        return []
    if any(
        str(each.kind()) in ("lambda_expression", "binary_expression", "conditional_expression")
        or "query" in str(each.kind())
        for each in use.ancestors()
        if place.start <= reading.span(each).start and reading.span(each).end <= place.end
    ):
        return []
    at = reading.span(use).start
    return [line_edit(reading, *reading.span(node)), TextEdit(at, at, f"{typed.text()} ")]
