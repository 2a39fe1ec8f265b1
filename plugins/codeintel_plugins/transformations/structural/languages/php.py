"""Edits of PHP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.conditions import is_loose
from codeintel_plugins.transformations.structural.effects import sets_something
from codeintel_plugins.transformations.structural.patches import TextEdit
from codeintel_plugins.transformations.structural.reading import (
    Reading,
    function_of,
    inner,
    named,
    only_statement,
    operator,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_ARRAYS = frozenset(
    {*("$_GET", "$_POST", "$_SERVER", "$_COOKIE", "$_REQUEST", "$_ENV", "$_FILES", "$_SESSION")}
)
_MAGIC = re.compile(
    r"(?i)\bfunction\s+&?\s*__(?:get|isset|set|unset)\b|\bextends\b|^\s*use\s", re.MULTILINE
)
_INDEXES = frozenset({"string", "integer", "variable_name", "name"})
_ALIASES = {
    "sizeof": "count", "join": "implode", "is_integer": "is_int", "is_long": "is_int",
    "is_double": "is_float", "chop": "rtrim", "key_exists": "array_key_exists",
    "fputs": "fwrite", "strchr": "strstr", "ini_alter": "ini_set", "pos": "current",
    "show_source": "highlight_file", "is_writeable": "is_writable", "doubleval": "floatval",
}  # fmt: skip
_CASTS = {"intval": "int", "floatval": "float", "strval": "string", "boolval": "bool"}
_TIGHT = {
    "variable_name", "subscript_expression", "member_access_expression",
    "scoped_property_access_expression",
    "integer", "float", "string", "encapsed_string", "function_call_expression",
    "member_call_expression", "scoped_call_expression", "parenthesized_expression", "name",
    "array_creation_expression", "boolean", "null", "class_constant_access_expression",
}  # fmt: skip


def is_sure_place(reading: Reading, node: SgNode) -> bool:
    """Return whether reading the node twice equals reading it once, and `isset` only checks for
    null.

    This holds for a variable, a declared property of the object itself, or an element of an array.
    """
    if node.kind() == "variable_name":
        return not node.text().startswith("$$")
    if node.kind() == "member_access_expression":
        return _is_declared(node) is not None
    if node.kind() != "subscript_expression" or len(named(node)) != 2:
        return False
    held, index = named(node)
    if str(index.kind()) not in _INDEXES and (
        index.kind() != "encapsed_string" or "$" in index.text()
    ):
        return False
    if held.kind() == "variable_name":
        return held.text() in _ARRAYS or _is_array(reading, held)
    declared = _is_declared(held) if held.kind() == "member_access_expression" else None
    if declared is None:
        return False
    name = re.escape(named(held)[-1].text())
    if re.search(rf"(?<!\?)\b(?:array)\s+\${name}\b", declared):
        return True
    starts = re.search(rf"\bprivate\b[^;=]*\${name}\s*=\s*(?:array\s*\(|\[)", declared)
    return starts is not None and not re.search(
        rf"->\s*{name}\s*=(?![=>])|&\s*\$this\s*->\s*{name}\b", reading.text
    )


def is_plain_place(node: SgNode) -> bool:
    """Return whether a compound assignment accesses objects no more often than the long form.

    This holds for a variable or property, or an element of one.
    """
    if node.kind() == "subscript_expression" and len(named(node)) == 2:
        node, index = named(node)
        if str(index.kind()) not in _INDEXES:
            return False
    if node.kind() == "member_access_expression":
        held = named(node)
        return len(held) == 2 and held[0].text() == "$this" and held[1].kind() == "name"
    return node.kind() == "variable_name" and not node.text().startswith("$$")


def _is_declared(node: SgNode) -> str | None:
    """Return the declaration of a property of `$this`, if its class has no parents and no magic
    methods."""
    held = named(node)
    if len(held) != 2 or held[0].text() != "$this" or held[1].kind() != "name":
        return None
    own = next((each for each in node.ancestors() if each.kind() == "class_declaration"), None)
    if own is None or _MAGIC.search(own.text()):
        return None
    found = [
        each.text()
        for each in own.find_all(kind="property_declaration")
        if re.search(rf"\${re.escape(held[1].text())}\b", each.text())
    ]
    return found[0] if len(found) == 1 else None


def _is_array(reading: Reading, node: SgNode) -> bool:
    """Return whether the variable is a parameter declared as an array, or only assigned arrays."""
    function = function_of(node)
    text = function.text() if function is not None else reading.text
    name = re.escape(node.text())
    if re.search(
        rf"&\s*{name}\b|\bas\s+[^)]*{name}\b|\b(?:global|static)\b[^;]*{name}\b|\bextract\s*\("
        rf"|\[[^\]=]*{name}\b[^\]]*\]\s*=(?![=>])|\blist\s*\([^)]*{name}\b|\$\$|\buse\s*\(",
        text,
    ):
        return False
    made = re.findall(rf"{name}\s*=(?![=>])\s*(array\s*\(|\[)?", text)
    if function is None:
        others = re.search(r"\b(?:include|require|eval)\b", text) is not None
        return bool(made) and all(made) and not others
    listed = function.field("parameters")
    head = listed.text() if listed is not None else ""
    if re.search(rf"(?<![?|\w])array\s+{name}\b(?!\s*=\s*null)", head):
        return all(made)
    return not re.search(rf"{name}\b", head) and bool(made) and all(made)


def arguments(node: SgNode) -> list[SgNode]:
    """Return the arguments, if they are passed by position."""
    listed = node.field("arguments")
    found = []
    for each in named(listed) if listed is not None else []:
        held = each.children()
        if each.kind() != "argument" or len(held) != 1:
            return []
        found.append(held[0])
    return found


def coalesce(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`isset($a) ? $a : $b` as `$a ?? $b`."""
    condition, body = node.field("condition"), node.field("body")
    other = node.field("alternative")
    if condition is None or body is None or other is None:
        return []
    held = arguments(condition) if _calls(condition, "isset") else []
    if len(held) != 1 or held[0].text() != body.text() or not is_sure_place(reading, body):
        return []
    above = node.parent()
    if above is None or above.kind() == "conditional_expression":
        return []
    if str(other.kind()) not in _TIGHT:
        return []
    return [
        TextEdit(reading.span(node).start, reading.span(body).start, ""),
        TextEdit(reading.span(body).end, reading.span(other).start, " ?? "),
    ]


def default(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`if (!isset($a)) { $a = 1; }` as `$a ??= 1;`."""
    condition = inner(node.field("condition"))
    statement = only_statement(node.field("body"))
    if condition is None or statement is None or node.field("alternative") is not None:
        return []
    if not condition.text().startswith("!") or node.text().rstrip().endswith("endif;"):
        return []
    asked = named(condition)
    held = arguments(asked[0]) if len(asked) == 1 and _calls(asked[0], "isset") else []
    if (
        len(held) != 1
        or not is_sure_place(reading, held[0])
        or statement.kind() != "expression_statement"
    ):
        return []
    made = named(statement)[0]
    left, right = made.field("left"), made.field("right")
    if made.kind() != "assignment_expression" or left is None or right is None:
        return []
    if sets_something(right):
        return []
    if (
        left.text() != held[0].text()
        or "&" in reading.text[reading.span(left).end : reading.span(right).start]
    ):
        return []
    return [
        TextEdit(reading.span(node).start, reading.span(left).start, ""),
        TextEdit(reading.span(left).end, reading.span(right).start, " ??= "),
        TextEdit(reading.span(statement).end, reading.span(node).end, ""),
    ]


def elvis(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`$a ? $a : $b` as `$a ?: $b`."""
    condition, body = node.field("condition"), node.field("body")
    if condition is None or body is None or condition.text() != body.text():
        return []
    if not is_sure_place(reading, body) or node.field("alternative") is None:
        return []
    start = reading.span(condition).end
    behind = reading.text.index(":", reading.span(body).end)
    return [TextEdit(start, behind, " ?")]


def contains(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`strpos($a, $b) !== false` as `str_contains($a, $b)`."""
    call, other = node.field("left"), node.field("right")
    held = arguments(call) if call is not None else []
    if call is None or other is None or len(held) != 2:
        return []
    sign, value = operator(node), other.text().lower()
    if value == "0" and sign != "===":
        return []
    function = "str_starts_with" if value == "0" else "str_contains"
    bang = "!" if sign == "===" and value == "false" else ""
    name = call.field("function")
    if name is None or (bang and not _may_negate(node)):
        return []
    return [
        TextEdit(*reading.span(name), f"{bang}{function}"),
        TextEdit(reading.span(call).end, reading.span(node).end, ""),
    ]


def _may_negate(node: SgNode) -> bool:
    parent = node.parent()
    return parent is not None and str(parent.kind()) != "unary_op_expression"


def short_list(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace `list($a, list($b))` by `[$a, [$b]]`, including nested lists, because the forms
    must not be mixed."""
    if any(each.kind() == "list_literal" for each in node.ancestors()):
        return []
    found: list[TextEdit] = []
    for each in (node, *node.find_all(kind="list_literal")):
        tokens = each.children()
        if len(tokens) < 3 or tokens[1].text() != "(" or tokens[-1].text() != ")":
            return []
        found.append(TextEdit(reading.span(tokens[0]).start, reading.span(tokens[1]).end, "["))
        found.append(TextEdit(*reading.span(tokens[-1]), "]"))
    return list(dict.fromkeys(found))


def alias(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace a function by its usual name."""
    name = node.get_match("NAME")
    return [TextEdit(*reading.span(name), _ALIASES[name.text()])] if name is not None else []


def cast(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`intval($a)` as `(int) $a`."""
    name, held = node.get_match("NAME"), arguments(node)
    parent = node.parent()
    if name is None or len(held) != 1 or str(held[0].kind()) not in _TIGHT or parent is None:
        return []
    if parent.kind() == "binary_expression" and operator(parent) == "**":
        return []
    if "access" in str(parent.kind()) or parent.kind() == "subscript_expression":
        return []
    opened = reading.span(held[0])
    return [
        TextEdit(reading.span(node).start, opened.start, f"({_CASTS[name.text()]}) "),
        TextEdit(opened.end, reading.span(node).end, ""),
    ]


def power(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`pow($a, $b)` as `$a ** $b`."""
    held, parent = arguments(node), node.parent()
    if len(held) != 2 or parent is None or any(str(each.kind()) not in _TIGHT for each in held):
        return []
    if parent.kind() == "binary_expression" and operator(parent) == "**":
        return []
    if parent.kind() not in ("binary_expression", "assignment_expression") and not is_loose(
        reading, node, None
    ):
        return []
    first, second = map(reading.span, held)
    return [
        TextEdit(reading.span(node).start, first.start, ""),
        TextEdit(first.end, second.start, " ** "),
        TextEdit(second.end, reading.span(node).end, ""),
    ]


def null(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`is_null($a)` as `$a === null`."""
    held, whole = arguments(node), node
    parent = node.parent()
    if len(held) != 1 or str(held[0].kind()) not in _TIGHT or parent is None:
        return []
    sign = "==="
    if parent.kind() == "unary_op_expression" and parent.text().startswith("!"):
        whole, sign = parent, "!=="
        parent = parent.parent()
    logical = parent is not None and (
        parent.kind() == "binary_expression" and operator(parent) in ("&&", "||")
    )
    if not logical and not is_loose(reading, whole, None):
        return []
    place = reading.span(held[0])
    return [
        TextEdit(reading.span(whole).start, place.start, ""),
        TextEdit(place.end, reading.span(whole).end, f" {sign} null"),
    ]


def _calls(node: SgNode, name: str) -> bool:
    function = node.field("function")
    return function is not None and function.text().lower() == name
