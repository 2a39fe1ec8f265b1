"""Edits of Rust."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.conditions import is_tight, no_type
from codeintel_plugins.transformations.structural.declarations import types_of
from codeintel_plugins.transformations.structural.effects import has_no_temporary
from codeintel_plugins.transformations.structural.patches import TextEdit
from codeintel_plugins.transformations.structural.reading import Reading, dedented, named

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(:[^{}$*]*)?\}|[{}]")
_ARGUMENTS = re.compile(r"(?:,\s*[a-z_]\w*\s*)+,?\s*")
_NO_NAMES = frozenset({"self", "super", "crate", "_", "true", "false"})
_FORMATS = {"println", "print", "eprintln", "eprint", "format", "write", "writeln", "format_args"}
_WHOLE = frozenset(
    {
        *("identifier", "self", "field_expression", "call_expression", "reference_expression"),
        *("tuple_expression", "index_expression", "try_expression", "await_expression"),
        *("macro_invocation", "unary_expression"),
    }
)
_STD_OPTIONS = re.compile(r"next|pop|pop_front|pop_back|checked_\w+|last_mut|take")
_RESULT = re.compile(r"((?:\w+::)*Result)<(.*)>")


def inline_arguments(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`println!("{}", x)` as `println!("{x}")`."""
    macro = node.field("macro")
    tree = next((each for each in named(node) if each.kind() == "token_tree"), None)
    if macro is None or tree is None or macro.text() not in _FORMATS:
        return []
    tokens = tree.children()
    at = next((n for n, each in enumerate(tokens) if each.kind() == "string_literal"), None)
    if (
        at is None
        or (at == 1) == macro.text().startswith("write")
        or (
            at > 1
            and not re.fullmatch(r"&?(?:mut)?[\w.]+,", "".join(t.text() for t in tokens[1:at]))
        )
    ):
        return []
    literal = tokens[at]
    place, end = reading.span(literal).end, reading.span(tokens[-1]).start
    listed = reading.text[place:end]
    if not _ARGUMENTS.fullmatch(listed):
        return []
    names = [each.strip() for each in listed.split(",") if each.strip()]
    text, made, used, done = literal.text(), [], 0, 0
    if f"macro_rules! {macro.text()}" in reading.text or not text.startswith('"'):
        return []
    if _NO_NAMES & set(names):
        return []
    for found in _PLACEHOLDER.finditer(text):
        if found[0] in "{}" and len(found[0]) == 1:
            return []
        if found[0] in ("{{", "}}"):
            continue
        if used == len(names):
            return []
        made += [text[done : found.start()], "{", names[used], found[1] or "", "}"]
        done, used = found.end(), used + 1
    if used != len(names):
        return []
    return [TextEdit(reading.span(literal).start, end, "".join(made) + text[done:])]


def single_match(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace a `match` with a single active arm by `if let`."""
    value, body = node.field("value"), node.field("body")
    arms = named(body) if body is not None else []
    if value is None or body is None or len(arms) != 2 or not _is_statement(node):
        return []
    first, second = arms
    pattern, done, nothing = first.field("pattern"), first.field("value"), second.field("value")
    other = second.field("pattern")
    if pattern is None or other is None or done is None or nothing is None:
        return []
    if nothing.text().replace(" ", "") not in ("{}", "()") or done.kind() != "block":
        return []
    if other.text() not in ("None", "_") or " if " in f" {pattern.text()} ":
        return []
    if other.text() == "None" and not re.fullmatch(r"Some\(.*\)", pattern.text(), re.DOTALL):
        return []
    if "struct_expression" in (str(value.kind()), *(str(e.kind()) for e in named(value))):
        return []
    if str(value.kind()) not in _WHOLE or has_attribute(node):
        return []
    if any(each.text().startswith("#") for each in arms):
        return []
    if not named(done) or "|" in pattern.text() or second.field("pattern") is None:
        return []
    start, begun = reading.span(node).start, reading.span(done)
    head = f"if let {reading.source(pattern)} = {reading.source(value)} "
    return [
        TextEdit(start, begun.start, head),
        TextEdit(begun.end, reading.span(node).end, ""),
        *dedented(reading, done, begun.start, node),
    ]


def _is_statement(node: SgNode) -> bool:
    parent = node.parent()
    if parent is None or parent.kind() != "expression_statement":
        return False
    return not parent.text().endswith(";")


def tail(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`return x;` at the end of a function as `x`."""
    block = node.parent()
    function = block.parent() if block is not None else None
    if block is None or function is None or function.kind() != "function_item":
        return []
    returned = named(node)[0] if named(node) else None
    held = named(returned) if returned is not None else []
    if len(held) != 1 or named(block)[-1] != node or has_attribute(node):
        return []
    if not has_no_temporary(reading, held[0]):
        return []
    value = reading.span(held[0])
    return [
        TextEdit(reading.span(node).start, value.start, ""),
        TextEdit(value.end, reading.span(node).end, ""),
    ]


def trait_object(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`Box<Trait>` as `Box<dyn Trait>` for traits of this code."""
    name = node.get_match("NAME")
    if name is None or re.search(rf"\buse\b[^;]*\b{name.text()}\b", reading.text):
        return []
    declared = {
        str(parent.kind())
        for each in reading.named.get(name.text(), ())
        if (parent := each.parent()) is not None
        and (held := parent.field("name")) is not None
        and held == each
    }
    if declared != {"trait_item"}:
        return []
    if any(
        (p := each.parent()) is not None and str(p.kind()) in ("type_parameter", "type_parameters")
        for each in reading.named[name.text()]
    ):
        return []
    at = reading.span(name).start
    return [TextEdit(at, at, "dyn ")]


def limit(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace a limit of a number by the type's own constant."""
    words = node.text().removesuffix("()").split("::")
    own = rf"\b(?:mod|struct|enum|trait|type|as)\s+(?:std|core|{words[-2]})\b"
    if re.search(own, reading.text):
        return []
    if re.search(rf"\buse\b(?!\s+(?:std|core)::{words[-2]}\s*;)[^;]*\b{words[-2]}\b", reading.text):
        return []
    name = words[-1].removesuffix("_value").upper()
    return [TextEdit(*reading.span(node), f"{words[-2]}::{name}")]


def field_name(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`x: x` as `x`."""
    first, second = node.get_match("A"), node.get_match("B")
    if first is None or second is None or first.text() != second.text():
        return []
    return [TextEdit(reading.span(first).end, reading.span(second).end, "")]


def loop(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`while true` as `loop`."""
    condition = node.field("condition")
    word = next((each for each in node.children() if each.text() == "while"), None)
    if condition is None or word is None:
        return []
    return [TextEdit(reading.span(word).start, reading.span(condition).end, "loop")]


def unit(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Remove `-> ()` from a function."""
    listed, result = node.field("parameters"), node.field("return_type")
    if listed is None or result is None:
        return []
    return [TextEdit(reading.span(listed).end, reading.span(result).end, "")]


def truth(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`if c { true } else { false }` as `c`."""
    held = node.get_match("C")
    if held is None or not has_no_temporary(reading, held) or has_attribute(node):
        return []
    return [TextEdit(*reading.span(node), reading.source(held))]


def has_attribute(node: SgNode) -> bool:
    """Return whether the statement has an attribute, which expressions may not have."""
    statement = node
    parent = node.parent()
    while parent is not None and parent.kind() in ("expression_statement", "let_declaration"):
        statement, parent = parent, parent.parent()
    before = statement.prev()
    while before is not None and "comment" in str(before.kind()):
        before = before.prev()
    return before is not None and "attribute" in str(before.kind())


def question_mark(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace a `match` that returns a failure by `?`."""
    value, body = node.field("value"), node.field("body")
    arms = named(body) if body is not None else []
    if value is None or len(arms) != 2 or not is_tight(value):
        return []
    texts = []
    for arm in arms:
        pattern, result = arm.field("pattern"), arm.field("value")
        if pattern is None or result is None:
            return []
        texts.append(("".join(pattern.text().split()), " ".join(result.text().split())))
    texts.sort(reverse=True)
    (good, kept), (bad, gone) = texts
    if bad.startswith(("Ok(", "Some(")):
        (good, kept), (bad, gone) = (bad, gone), (good, kept)
    name = re.fullmatch(r"(Ok|Some)\(([a-z_]\w*)\)", good)
    if name is None or kept != name[2]:
        return []
    if name[1] == "Some":
        if bad not in ("None", "_") or gone != "return None":
            return []
    else:
        error = re.fullmatch(r"Err\(([a-z_]\w*)\)", bad)
        if error is None or gone != f"return Err({error[1]})":
            return []
    if any(str(each.kind()) in ("closure_expression", "async_block") for each in node.ancestors()):
        return []
    if any(each.text().startswith("#") for each in arms):
        return []
    if not _results(reading, node, value, "Option" if name[1] == "Some" else "Result"):
        return []
    return [TextEdit(*reading.span(node), f"{reading.source(value)}?")]


def _results(reading: Reading, node: SgNode, value: SgNode, failure: str) -> bool:
    """Return whether a value is certainly an Option, or a Result with the function's error type."""
    own = next((each for each in node.ancestors() if each.kind() == "function_item"), None)
    head = reading.text[reading.span(own).start :] if own is not None else ""
    if own is None or re.match(r"(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?const\b", head):
        return False
    given = own.field("return_type")
    if given is None or not no_type(reading, node, ["Option", "Result", "Some", "Ok", "Err"]):
        return False
    typed = _type_of_value(reading, value)
    if typed is None:
        return False
    if failure == "Option":
        return all(each.startswith("Option<") for each in (typed, given.text()))
    wanted = _RESULT.fullmatch("".join(given.text().split()))
    found = _RESULT.fullmatch("".join(typed.split()))
    if wanted is None or found is None or wanted[1] != found[1]:
        return False
    return _error(wanted[2]) == _error(found[2])


def _error(listed: str) -> str:
    """Return the last of the types in a list, if it has two."""
    depth = 0
    for place, sign in reversed(list(enumerate(listed))):
        depth += (sign in ">)]") - (sign in "<([")
        if sign == "," and not depth:
            return listed[place + 1 :]
    return ""


def _type_of_value(reading: Reading, value: SgNode) -> str | None:
    """Return the declared type of a value."""
    if value.kind() == "identifier":
        types = types_of(reading, value)
        return types[0] if types is not None and len(types) == 1 else None
    function = value.field("function") if value.kind() == "call_expression" else None
    if function is None:
        return None
    name = function.field("field") or function.field("name") or function
    made = [
        above
        for each in reading.root.find_all({"rule": {"kind": "identifier"}})
        if each.text() == name.text()
        and (above := each.parent()) is not None
        and str(above.kind()) in ("function_item", "function_signature_item", "let_declaration")
        and (above.field("name") or above.field("pattern")) == each
    ]
    if not made and function.kind() == "field_expression":
        return "Option<>" if _STD_OPTIONS.fullmatch(name.text()) else None
    if len(made) != 1 or made[0].kind() != "function_item":
        return None
    typed = made[0].field("return_type")
    if typed is None or made[0].field("type_parameters") is not None:
        return None
    return typed.text()
