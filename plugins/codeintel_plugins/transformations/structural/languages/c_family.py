"""Edits of C and C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.conditions import calls_only, is_pure
from codeintel_plugins.transformations.structural.declarations import is_local, types_of
from codeintel_plugins.transformations.structural.effects import is_in_directive
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
_QUALIFIERS = ("type_qualifier", "ref_qualifier")
_POINTER = re.compile(r"(?:const )?[\w:<>, ]+\*+")
_ARITHMETIC = re.compile(
    r"bool|char|(?:(?:un)?signed )?(?:char|short|int|long|long long)(?: int)?|unsigned|float|double"
    r"|long double|wchar_t|char(?:8|16|32)_t|(?:std::)?(?:size_t|ptrdiff_t|u?int(?:8|16|32|64)_t)"
)
_NULLS = ("NULL", "0", "nullptr")


def alias(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
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
    return [TextEdit(*reading.span(node), text)]


def override(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Add `override` to methods that override those of a class in the same code."""
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
                return [TextEdit(at, at, " override")]
    return []


def _has_types(members: list[SgNode]) -> bool:
    """Return whether a class declares names of types. The same name may be another type in
    another class."""
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
    """Return the members of a class that the code defines once."""
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
    """Return the name, the types of parameters, and the qualifiers after them, without parameter
    names and defaults."""
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


def no_parameters(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
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
    return [TextEdit(*reading.span(listed), "(void)")]


def _asked(node: SgNode) -> SgNode | None:
    """Return the pointer that a condition compares with null."""
    condition = inner(node.field("condition"))
    if condition is None or node.field("alternative") is not None:
        return None
    if condition.kind() == "binary_expression":
        sides = named(condition)
        if operator(condition) != "!=" or len(sides) != 2 or sides[1].text() not in _NULLS:
            return None
        condition = sides[0]
    return condition if is_pure(condition) else None


def free(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`if (p) free(p);` as `free(p);`."""
    asked, statement = _asked(node), only_statement(node.field("consequence"))
    call = named(statement)[0] if statement is not None and named(statement) else None
    if asked is None or statement is None or call is None or call.kind() != "call_expression":
        return []
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.text() != "free":
        return []
    if [each.text() for each in named(listed)] != [asked.text()]:
        return []
    return _only(reading, node, statement)


def delete(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`if (p) delete p;` as `delete p;`."""
    asked, statement = _asked(node), only_statement(node.field("consequence"))
    gone = named(statement)[0] if statement is not None and named(statement) else None
    if asked is None or statement is None or gone is None or gone.kind() != "delete_expression":
        return []
    if [each.text() for each in named(gone)] != [asked.text()] or not _is_pointer(reading, asked):
        return []
    return _only(reading, node, statement)


def _only(reading: Reading, node: SgNode, statement: SgNode) -> list[TextEdit]:
    parent = node.parent()
    if parent is None or parent.kind() in ("if_statement", "else_clause"):
        return []
    whole, kept = reading.span(node), reading.span(statement)
    ends = [TextEdit(kept.end, whole.end, "")] if kept.end < whole.end else []
    return [TextEdit(whole.start, kept.start, ""), *ends]


def _is_pointer(reading: Reading, node: SgNode | None) -> bool:
    types = types_of(reading, node) if node is not None and node.kind() == "identifier" else None
    return (
        node is not None
        and bool(types)
        and all(_POINTER.fullmatch(each) for each in types or ())
        and is_local(reading, node)
    )


def null_pointer(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`NULL` as `nullptr` where a pointer is meant."""
    parent = node.parent()
    if parent is None:
        return []
    kind = str(parent.kind())
    if kind == "init_declarator":
        declarator = parent.field("declarator")
        sure = declarator is not None and declarator.kind() == "pointer_declarator"
    elif kind in ("assignment_expression", "binary_expression"):
        left = parent.field("left")
        sure = operator(parent) in ("=", "==", "!=") and _is_pointer(reading, left)
    elif kind == "return_statement":
        function = function_of(node)
        declarator = function.field("declarator") if function is not None else None
        sure = (
            function is not None
            and function.kind() == "function_definition"
            and declarator is not None
            and declarator.kind() == "pointer_declarator"
        )
    elif kind == "argument_list":
        call = parent.parent()
        sure = call is not None and _is_clock(reading, call)
    else:
        sure = False
    return [TextEdit(*reading.span(node), "nullptr")] if sure else []


def _is_clock(reading: Reading, call: SgNode) -> bool:
    """Return whether the call is the standard's `time`, which takes a pointer.

    This is `std::time`, or `time` outside of classes if the code declares no other.
    """
    if not re.search(r"#\s*include\s*<(?:ctime|time\.h)>", reading.text):
        return False
    if re.match(r"std::time\(", call.text()):
        return True
    function = function_of(call)
    declarator = function.field("declarator") if function is not None else None
    name = declarator.field("declarator") if declarator is not None else None
    if name is None or name.kind() != "identifier" or not re.match(r"time\(", call.text()):
        return False
    return calls_only(reading, call, ["time"])


def uncast(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Remove the cast of malloc's result."""
    typed, value = node.get_match("TYPE"), node.field("value")
    declarator = node.parent()
    declaration = declarator.parent() if declarator is not None else None
    if typed is None or value is None or declarator is None or declaration is None:
        return []
    declared = declaration.field("type")
    held = declarator.field("declarator")
    stars = held.text().count("*") if held is not None else 0
    words = "".join(typed.text().split())
    if declared is None or words != "".join(declared.text().split()) + "*" * stars:
        return []
    return [TextEdit(reading.span(node).start, reading.span(value).start, "")]


def rename(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """Replace a function by its present name."""
    name = node.get_match("NAME")
    return [TextEdit(*reading.span(name), options[name.text()])] if name is not None else []


def cast_type(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`auto` for what a cast of the same type begins with."""
    typed, declarator = node.get_match("TYPE"), node.field("declarator")
    value = declarator.field("value") if declarator is not None else None
    function = value.field("function") if value is not None else None
    if typed is None or function is None:
        return []
    if not _ARITHMETIC.fullmatch(" ".join(typed.text().split())):
        return []
    if "".join(function.text().split()) != f"static_cast<{''.join(typed.text().split())}>":
        return []
    return [TextEdit(*reading.span(typed), "auto")]


def closing(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`> >` as `>>`."""
    end = reading.span(node).end - 1
    start = end
    while reading.text[start - 1].isspace():
        start -= 1
    last = named(node)[-1] if named(node) else None
    while last is not None and named(last) and last.kind() != "template_argument_list":
        last = named(last)[-1]
    if last is None or last.kind() != "template_argument_list" or start == end:
        return []
    return [TextEdit(start - 1, end + 1, ">>")]
