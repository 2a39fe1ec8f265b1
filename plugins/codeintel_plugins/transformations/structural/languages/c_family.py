"""Edits of C and C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.facts.macros import is_in_directive
from codeintel_plugins.transformations.structural.nodes import named
from codeintel_plugins.transformations.structural.patches import Edit
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NO_ALIAS = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"})


_OF_ALIAS = frozenset({"type_qualifier", "comment"})
_OF_METHOD = frozenset(
    {
        "field_identifier",
        "parameter_list",
        "type_qualifier",
        "ref_qualifier",
        "noexcept",
        "trailing_return_type",
    }
)


def alias(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """`typedef T *name;` as `using name = T *;`."""
    typed = node.field("type")
    declarators = list(node.field_children("declarator"))
    if typed is None or len(declarators) != 1 or str(typed.kind()) in _NO_ALIAS:
        return []
    if any(
        str(each.kind()) not in _OF_ALIAS and each not in (typed, declarators[0])
        for each in named(node)
    ):
        return []
    if "type_qualifier" in {str(each.kind()) for each in named(node)} and (
        reading.text[reading.span(typed).end : reading.span(declarators[0]).start].strip()
    ):
        return []
    inner, stars = declarators[0], ""
    while inner.kind() == "pointer_declarator":
        held = inner.field("declarator")
        if held is None or len(named(inner)) != 1:
            return []
        inner, stars = held, stars + "*"
    if inner.kind() != "type_identifier" or inner.text() == typed.text():
        return []
    begin = reading.span(node.children()[0]).end
    meant = reading.text[begin : reading.span(typed).end].strip()
    text = f"using {inner.text()} = {meant}{' ' * bool(stars)}{stars};"
    return [Edit(*reading.span(node), text)]


def override(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """`override` at methods that override those of a class that stands in the same code."""
    declarator = _method(node)
    body = node.parent()
    own = body.parent() if body is not None else None
    if declarator is None or own is None or own.kind() != "class_specifier":
        return []
    words = {each.text() for each in declarator.children()}
    if words & {"override", "final"} or "override" in node.text():
        return []
    above = own.parent()
    if above is None or above.kind() == "template_declaration":
        return []
    if any(str(each.kind()) not in _OF_METHOD for each in named(declarator)):
        return []
    bases = next((each for each in named(own) if each.kind() == "base_class_clause"), None)
    if bases is None:
        return []
    wanted = _signature(node, declarator)
    for base in named(bases):
        if base.kind() != "type_identifier":
            continue
        members = _members(reading, base.text())
        if _has_types(named(body) if body is not None else []) or _has_types(members):
            continue
        for member in members:
            method = _method(member)
            if method is None or not member.text().startswith("virtual"):
                continue
            if _signature(member, method) == wanted:
                at = reading.span(declarator).end
                return [Edit(at, at, " override")]
    return []


def _has_types(members: list[SgNode]) -> bool:
    """Whether a class has names for types, which may be others than those of another class."""
    kinds = ("type_definition", "alias_declaration", "using_declaration", "template_declaration")
    return any(
        str(each.kind()) in kinds or re.match(r"(?:struct|class|enum|union)\b", each.text())
        for each in members
    )


def _method(node: SgNode) -> SgNode | None:
    held = node.field("declarator")
    while held is not None and str(held.kind()) in ("pointer_declarator", "reference_declarator"):
        held = held.field("declarator") or next(iter(named(held)), None)
    return held if held is not None and held.kind() == "function_declarator" else None


def _members(reading: Reading, name: str) -> list[SgNode]:
    """The members of a class that the code defines once."""
    found = []
    for each in reading.named.get(name, ()):
        parent = each.parent()
        if parent is None or str(parent.kind()) not in ("class_specifier", "struct_specifier"):
            continue
        held, body = parent.field("name"), parent.field("body")
        if body is not None and held is not None and held == each:
            found.append(body)
    return named(found[0]) if len(found) == 1 else []


def _signature(node: SgNode, declarator: SgNode) -> tuple[str, ...]:
    """Name, types of parameters, and what stands behind them; names and defaults do not count."""
    name, listed = declarator.field("declarator"), declarator.field("parameters")
    typed = node.field("type")
    types = []
    for each in named(listed) if listed is not None else ():
        held = each.field("declarator")
        text = each.text().partition("=")[0]
        while held is not None and held.kind() != "identifier":
            held = held.field("declarator") or next(iter(named(held)), None)
        if held is not None:
            text = text.replace(held.text(), "", 1) if text.count(held.text()) == 1 else text
        types.append("".join(text.split()))
    behind = [each.text() for each in named(declarator) if str(each.kind()) in _QUALIFIERS]
    return (
        name.text() if name is not None else "",
        typed.text() if typed is not None else "",
        *types,
        "|",
        *behind,
    )


_QUALIFIERS = ("type_qualifier", "ref_qualifier")


def no_parameters(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """`()` as `(void)` where a function takes nothing, and nothing is passed to it."""
    name, listed = node.get_match("NAME"), node.get_match("LIST")
    if name is None or listed is None:
        return []
    is_own = any(
        each.kind() == "storage_class_specifier" and each.text() == "static" for each in named(node)
    )
    if not is_own and name.text() != "main":
        return []
    if is_in_directive(reading, name.text()):
        return []
    for use in reading.named.get(name.text(), ()):
        parent = use.parent()
        if parent is None or use == name:
            continue
        arguments = parent.field("arguments") if parent.kind() == "call_expression" else None
        if parent.kind() == "function_declarator":
            taken = parent.field("parameters")
            if taken is None or taken.text().strip("() ") not in ("", "void"):
                return []
            continue
        if arguments is None or named(arguments):
            return []
    return [Edit(*reading.span(listed), "(void)")]
