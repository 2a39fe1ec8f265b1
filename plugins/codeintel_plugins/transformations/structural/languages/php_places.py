"""Variables of PHP that hold no object which could run code when it is asked for an element."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel_plugins.transformations.structural.nodes import function_of, named
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_ARRAYS = frozenset(
    {*("$_GET", "$_POST", "$_SERVER", "$_COOKIE", "$_REQUEST", "$_ENV", "$_FILES", "$_SESSION")}
)
_MAGIC = re.compile(
    r"(?i)\bfunction\s+&?\s*__(?:get|isset|set|unset)\b|\bextends\b|^\s*use\s", re.MULTILINE
)
_INDEXES = frozenset({"string", "integer", "variable_name", "name"})


def is_sure_place(reading: Reading, node: SgNode) -> bool:
    """Whether reading it once or twice is the same, and `isset` asks only whether it is null: a
    variable, a declared property of the object itself, or an element of what is an array."""
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
    """Whether an operator with an assignment asks an object of it no more often than the long form:
    a variable or property, or an element of one."""
    if node.kind() == "subscript_expression" and len(named(node)) == 2:
        node, index = named(node)
        if str(index.kind()) not in _INDEXES:
            return False
    if node.kind() == "member_access_expression":
        held = named(node)
        return len(held) == 2 and held[0].text() == "$this" and held[1].kind() == "name"
    return node.kind() == "variable_name" and not node.text().startswith("$$")


def _is_declared(node: SgNode) -> str | None:
    """The declaration of a property of `$this` whose class stands alone and has nothing magic."""
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
    """Whether the variable is a parameter declared as an array, or only ever made one here."""
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
