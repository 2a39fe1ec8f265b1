"""Edits of Java."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.conditions import is_from, no_type
from codeintel_plugins.transformations.structural.declarations import declared_type
from codeintel_plugins.transformations.structural.patches import TextEdit
from codeintel_plugins.transformations.structural.reading import (
    Reading,
    dedented,
    function_of,
    named,
    result_type,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_GOES_ON = frozenset(
    {
        *("append", "insert", "reverse", "deleteCharAt", "delete", "replace", "appendCodePoint"),
    }
)
_ENDS = frozenset(
    {
        *("setLength", "setCharAt", "toString", "length", "charAt", "indexOf", "lastIndexOf"),
        *("substring", "isEmpty", "capacity", "ensureCapacity"),
    }
)
_SAME_HERE = _GOES_ON | _ENDS
_INHERITED = re.compile(
    r"(?<![.\w])(?:this|super|toString|hashCode|equals|getClass|notify|notifyAll|wait|clone"
    r"|finalize|run|call|compare|reversed|thenComparing\w*|actionPerformed|naturalOrder"
    r"|reverseOrder|nullsFirst|nullsLast|comparing\w*)\b"
    r"|(?<![.\w])(?:test|get|accept|apply|negate|and|or|not|isEqual|andThen|compose|identity"
    r"|minBy|maxBy)\s*\("
)
"""What an object has of its interface; a lambda finds it in the class around it."""
_TAKES = {
    "Runnable": re.compile(r"(?:new\s+Thread|(?:SwingUtilities|EventQueue)\.invokeLater)\("),
    "Comparator": re.compile(r"Collections\.(?:sort|max|min)\(|Arrays\.sort\("),
}


def diamond(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`new ArrayList<String>()` as `new ArrayList<>()`."""
    typed = node.field("type")
    listed = named(typed)[-1] if typed is not None and named(typed) else None
    if listed is None or listed.kind() != "type_arguments":
        return []
    return [TextEdit(*reading.span(listed), "<>")]


def builder(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace a StringBuffer that is only used in its method by a StringBuilder."""
    name, block = node.get_match("NAME"), node.parent()
    old = [each for each in (node.get_match("TYPE"), node.get_match("MADE")) if each is not None]
    if name is None or block is None or len(old) != 2 or block.kind() != "block":
        return []
    if len(list(node.field_children("declarator"))) != 1:
        return []
    around = reading.span(block)
    for use in reading.named.get(name.text(), ()):
        inside = around.start <= reading.span(use).start < around.end
        if inside and use != name and not _stays(use, block):
            return []
    return [TextEdit(*reading.span(each), "StringBuilder") for each in old]


def _stays(use: SgNode, block: SgNode) -> bool:
    """Return whether the value stays in the method: only its own methods are called."""
    for each in use.ancestors():
        if each == block:
            break
        if str(each.kind()) in ("lambda_expression", "class_body"):
            return False
    at, parent = use, use.parent()
    last = ""
    while parent is not None and parent.kind() == "method_invocation":
        held, called = parent.field("object"), parent.field("name")
        if called is not None and called == at and last == "":
            return True  # the name of some method, not the value
        if held is None or held != at or called is None:
            break
        last = called.text()
        if last not in _SAME_HERE:
            return False
        if last in _ENDS:
            return True
        at, parent = parent, parent.parent()
    if parent is None:
        return False
    if parent.kind() == "field_access" and last == "":
        last_name = parent.field("field")
        return last_name is not None and last_name == at
    return bool(last) and parent.kind() == "expression_statement"


def to_lambda(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace an object of an interface with one method by a lambda."""
    typed, body = node.field("type"), node.child(len(node.children()) - 1)
    if typed is None or body is None or body.kind() != "class_body":
        return []
    methods = named(body)
    if len(methods) != 1 or methods[0].kind() != "method_declaration":
        return []
    method = methods[0]
    parameters, block = method.field("parameters"), method.field("body")
    if parameters is None or block is None or method.field("type_parameters") is not None:
        return []
    modifiers = next((each.text() for each in named(method) if each.kind() == "modifiers"), "")
    if not re.fullmatch(r"(?:@Override\s+)?public(?:\s+@Override)?", modifiers):
        return []
    name = method.field("name")
    own = rf"(?<![.\w]){re.escape(name.text())}\s*\(" if name is not None else ""
    if _INHERITED.search(block.text()) or re.search(own, block.text()):
        return []
    if not is_from(reading, typed.text().partition("<")[0]):
        return []
    if not _expected(reading, node, typed.text()):
        return []
    outer = function_of(node)
    if outer is None or outer.kind() != "method_declaration":
        return []
    if set(_declares(reading, method)) & set(_declares(reading, outer, method)):
        return []
    start = reading.span(node).start
    listed, begun = reading.span(parameters), reading.span(block)
    made = [
        TextEdit(start, listed.start, ""),
        TextEdit(listed.end, begun.start, " -> "),
        TextEdit(begun.end, reading.span(node).end, ""),
    ]
    return made + dedented(reading, block, begun.start, node)


def _expected(reading: Reading, node: SgNode, typed: str) -> bool:
    """Return whether the context determines the interface."""
    parent = node.parent()
    if parent is None:
        return False
    if parent.kind() == "variable_declarator":
        holder = parent.parent()
        declared = holder.field("type") if holder is not None else None
        return (
            holder is not None
            and holder.kind() == "local_variable_declaration"
            and declared is not None
            and declared.text() == typed
        )
    if parent.kind() == "return_statement":
        return result_type(node) == typed
    call = parent.parent() if parent.kind() == "argument_list" else None
    takes = _TAKES.get(typed.partition("<")[0])
    others = ["Thread", "Collections", "Arrays", "SwingUtilities", "EventQueue"]
    return (
        call is not None
        and takes is not None
        and takes.match(call.text()) is not None
        and no_type(reading, call, others)
    )


def _declares(reading: Reading, node: SgNode, without: SgNode | None = None) -> Iterator[str]:
    """Yield the names that are declared within a node."""
    start, end = reading.span(node)
    hole = reading.span(without) if without is not None else (0, 0)
    for name, uses in reading.named.items():
        for use in uses:
            place = reading.span(use).start
            outside = not start <= place < end or hole[0] <= place < hole[1]
            if not outside and declared_type(use, "java") is not None:
                yield name
                break


def array_type(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`String names[]` as `String[] names`."""
    holder = node
    if node.kind() == "variable_declarator":
        above = node.parent()
        if above is None or len(list(above.field_children("declarator"))) != 1:
            return []
        holder = above
    typed, brackets = holder.field("type"), node.field("dimensions")
    if typed is None or brackets is None or typed.text() == "var":
        return []
    at = reading.span(typed).end
    return [TextEdit(at, at, brackets.text()), TextEdit(*reading.span(brackets), "")]
