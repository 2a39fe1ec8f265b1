"""Edits of Rust."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.languages.temporaries import has_no_temporary
from codeintel_plugins.transformations.structural.nodes import dedented, named
from codeintel_plugins.transformations.structural.patches import Edit
from codeintel_plugins.transformations.structural.reading import Reading

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


def inline_arguments(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
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
    return [Edit(reading.span(literal).start, end, "".join(made) + text[done:])]


def single_match(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """A `match` of which one arm does something, as `if let`."""
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
        Edit(start, begun.start, head),
        Edit(begun.end, reading.span(node).end, ""),
        *dedented(reading, done, begun.start, node),
    ]


def _is_statement(node: SgNode) -> bool:
    parent = node.parent()
    if parent is None or parent.kind() != "expression_statement":
        return False
    return not parent.text().endswith(";")


def tail(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
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
        Edit(reading.span(node).start, value.start, ""),
        Edit(value.end, reading.span(node).end, ""),
    ]


def trait_object(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
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
    return [Edit(at, at, "dyn ")]


def limit(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """A limit of a number by the type's own constant."""
    words = node.text().removesuffix("()").split("::")
    own = rf"\b(?:mod|struct|enum|trait|type|as)\s+(?:std|core|{words[-2]})\b"
    if re.search(own, reading.text):
        return []
    if re.search(rf"\buse\b(?!\s+(?:std|core)::{words[-2]}\s*;)[^;]*\b{words[-2]}\b", reading.text):
        return []
    name = words[-1].removesuffix("_value").upper()
    return [Edit(*reading.span(node), f"{words[-2]}::{name}")]


def field_name(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """`x: x` as `x`."""
    first, second = node.get_match("A"), node.get_match("B")
    if first is None or second is None or first.text() != second.text():
        return []
    return [Edit(reading.span(first).end, reading.span(second).end, "")]


def loop(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """`while true` as `loop`."""
    condition = node.field("condition")
    word = next((each for each in node.children() if each.text() == "while"), None)
    if condition is None or word is None:
        return []
    return [Edit(reading.span(word).start, reading.span(condition).end, "loop")]


def unit(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """A function without `-> ()`."""
    listed, result = node.field("parameters"), node.field("return_type")
    if listed is None or result is None:
        return []
    return [Edit(reading.span(listed).end, reading.span(result).end, "")]


def truth(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
    """`if c { true } else { false }` as `c`."""
    held = node.get_match("C")
    if held is None or not has_no_temporary(reading, held) or has_attribute(node):
        return []
    return [Edit(*reading.span(node), reading.source(held))]


def has_attribute(node: SgNode) -> bool:
    """Whether an attribute stands above the statement: expressions may have none."""
    statement = node
    parent = node.parent()
    while parent is not None and parent.kind() in ("expression_statement", "let_declaration"):
        statement, parent = parent, parent.parent()
    before = statement.prev()
    while before is not None and "comment" in str(before.kind()):
        before = before.prev()
    return before is not None and "attribute" in str(before.kind())
