"""Edits of statements that several languages have alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.conditions import is_tight
from codeintel_plugins.transformations.structural.effects import (
    has_macro,
    has_no_temporary,
    is_in_directive,
    is_redefined,
    is_sure_truth,
    may_be_kept,
)
from codeintel_plugins.transformations.structural.patches import TextEdit
from codeintel_plugins.transformations.structural.reading import (
    BLOCKS,
    Reading,
    dedented,
    field,
    function_of,
    inner,
    is_boolean,
    line_edit,
    named,
    only_statement,
    operator,
    result_type,
    statements,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_KEPT = frozenset(
    {
        *("==", "!=", "<", ">", "<=", ">=", "===", "!==", "+", "-", "*", "/", "%", "&&", "&", "^"),
        *("<<", ">>", "instanceof", "is"),
    }
)
_DECLARES = re.compile(r"declaration|let_|initializer|init_st")
_LEAKS = re.compile(r"declaration_expression|declaration_pattern|var_pattern|designation")
_OVERLOADED = re.compile(r"\boperator\s*(?:&&|and\b|true\b)")


def return_condition(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """`if (c) return true; return false;` as `return c;`."""
    yes = _returned(only_statement(field(node, "consequence", "body")))
    alternative = node.field("alternative")
    other = alternative
    if alternative is None:
        other = node.next()
        while other is not None and not other.is_named() and other.text() == ";":
            other = other.next()
        if other is None or other.kind() != "return_statement":
            return []
    no = _returned(only_statement(other))
    condition = inner(node.field("condition"))
    if yes is None or no is None or condition is None or node.field("initializer"):
        return []
    parent = node.parent()
    if (
        parent is not None
        and str(parent.kind()) in ("else_clause", "if_statement")
        and (alternative is None)
    ):
        return []
    words = (yes.text(), no.text())
    straight, reverse = tuple(options["values"]), tuple(reversed(options["values"]))
    more = [tuple(each) for each in options.get("more", ())]
    if words in (straight, *more):
        negated = False
    elif words in (reverse, *(each[::-1] for each in more)):
        negated = True
    else:
        return []
    if not re.fullmatch(options.get("types", ".*"), result_type(node)):
        return []
    sure = options.get("sure")
    if not is_sure_truth(reading, condition):
        return []
    if not (is_boolean(condition) or (sure and re.fullmatch(sure, result_type(node)))):
        return []
    if is_redefined(reading, *words):
        return []
    text = reading.source(condition)
    if negated:
        text = (
            f"!{text}"
            if is_tight(condition) and not has_macro(reading, condition)
            else f"!({text})"
        )
    end = reading.span(other).end if other is not None else 0
    semicolon = "" if reading.language == "go" else ";"
    return [TextEdit(reading.span(node).start, end, f"return {text}{semicolon}")]


def _returned(node: SgNode | None) -> SgNode | None:
    if node is None or node.kind() != "return_statement":
        return None
    held = named(node)
    if len(held) == 1 and held[0].kind() == "expression_list":
        held = named(held[0])
    return held[0] if len(held) == 1 else None


def drop_last(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Remove a statement that is the last one of its function."""
    block = node.parent()
    if block is not None and block.kind() == "statement_list":
        block = block.parent()
    function = function_of(node)
    if block is None or function is None or function.kind() == "lambda_expression":
        return []
    body = function.field("body")
    found = statements(block)
    if body is None or body != block or found[-1] != node or len(found) < 2:
        return []
    if found[-2].kind() == "labeled_statement":
        return []
    return [line_edit(reading, *reading.span(node))]


def drop_word(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """Remove a word and the space after it."""
    word = node.get_match(options["word"]) if "word" in options else node
    if word is None:
        return []
    start, end = reading.span(word)
    while end < len(reading.text) and reading.text[end] in " \t":
        end += 1
    return [TextEdit(start, end, "")]


def parts(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """Replace variables of the match by other text."""
    found = []
    for name, text in options.items():
        part = node.get_match(name)
        if part is None:
            return []
        found.append(TextEdit(*reading.span(part), text))
    return found


def call_brackets(reading: Reading, node: SgNode, options: Any) -> list[TextEdit]:
    """Replace a word and its parentheses by brackets."""
    tokens = node.children()
    if len(tokens) < 3 or tokens[1].text() != "(" or tokens[-1].text() != ")":
        return []
    first, last = reading.span(tokens[0]).start, reading.span(tokens[1]).end
    opening, closing = options["brackets"]
    return [TextEdit(first, last, opening), TextEdit(*reading.span(tokens[-1]), closing)]


def loop_variable(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """Replace `int i; for (i = 0; ...)` by `for (int i = 0; ...)`, if only the loop uses the
    name."""
    name, typed = node.get_match("NAME"), node.get_match("TYPE")
    block = node.parent()
    if name is None or typed is None or block is None or str(block.kind()) not in BLOCKS:
        return []
    if is_in_directive(reading, name.text()):
        return []
    around, found = reading.span(block), None
    for use in reading.named.get(name.text(), ()):
        place = reading.span(use)
        if use == name or not around.start <= place.start < around.end:
            continue
        loop = next((each for each in use.ancestors() if _is_child(each, block)), None)
        if loop is None or loop.kind() != "for_statement" or place.start < reading.span(node).end:
            return []
        if found is not None and found != loop:
            return []
        above = use.parent()
        if above is not None and str(above.kind()) in ("pointer_expression", "lambda_expression"):
            return []
        if reading.language == "cpp" and may_be_kept(reading, use):
            return []
        found = loop
    init = field(found, "initializer", "init") if found is not None else None
    if found is None or init is None or init.kind() != "assignment_expression":
        return []
    left = init.field("left")
    if left is None or left.text() != name.text() or operator(init) != "=":
        return []
    if len(list(found.field_children("init"))) > 1 or "goto" in reading.named:
        return []
    if re.search(rf"\b{re.escape(name.text())}\b", (init.field("right") or init).text()):
        return []
    start = reading.span(init).start
    return [line_edit(reading, *reading.span(node)), TextEdit(start, start, f"{typed.text()} ")]


def _is_child(node: SgNode, block: SgNode) -> bool:
    parent = node.parent()
    return parent is not None and parent == block


def merge_ifs(reading: Reading, node: SgNode, _: Any) -> list[TextEdit]:
    """`if (a) { if (b) { ... } }` as `if (a && b) { ... }`."""
    body = field(node, "consequence", "body")
    nested = only_statement(body)
    if nested is not None and nested.kind() == "expression_statement":
        held = named(nested)
        nested = held[0] if len(held) == 1 and not nested.text().endswith(";") else None
    if body is None or nested is None or nested.kind() != node.kind():
        return []
    if any(each.field(name) for each in (node, nested) for name in ("alternative", "initializer")):
        return []
    if any({":", "constexpr"} & {c.text() for c in each.children()} for each in (node, nested)):
        return []
    first, second = inner(node.field("condition")), inner(nested.field("condition"))
    if first is None or second is None or not _may_join(reading, first, second):
        return []
    braces = str(body.kind()) in BLOCKS
    if not braces and nested != body:
        return []
    wrap_first = not _binds(first) or has_macro(reading, first)
    wrap_second = not _binds(second) or has_macro(reading, second)
    start, between = reading.span(first)
    again, behind = reading.span(second)
    joint = f"{')' * wrap_first} && {'(' * wrap_second}"
    made = [TextEdit(between, again, joint)]
    if wrap_first:
        made.append(TextEdit(start, start, "("))
    if wrap_second:
        made.append(TextEdit(behind, behind, ")"))
    if braces:
        made.append(TextEdit(reading.span(nested).end, reading.span(body).end, ""))
        made += dedented(reading, nested, behind, node)
    return made


def _may_join(reading: Reading, first: SgNode, second: SgNode) -> bool:
    """Return whether two conditions may be joined.

    That is so if the second may be evaluated while temporaries of the first still exist, and its
    declarations may be visible in the block around both.
    """
    if any(_DECLARES.search(str(each.kind())) for each in (first, second)):
        return False
    if _OVERLOADED.search(reading.text):
        return False
    if reading.language == "csharp":
        return not any(_LEAKS.search(str(each.kind())) for each in _all(second))
    if reading.language in ("cpp", "rust"):
        return has_no_temporary(reading, first)
    return True


def _all(node: SgNode) -> list[SgNode]:
    found = [node]
    for each in found:
        found.extend(each.children())
    return found


def _binds(node: SgNode) -> bool:
    """Return whether the node can be an operand of `&&` without parentheses, as can all of its
    outermost parts."""
    kind = str(node.kind())
    if kind in ("binary_expression", "instanceof_expression", "is_expression"):
        if kind == "binary_expression" and operator(node) not in _KEPT:
            return False
        left, right = node.field("left"), node.field("right")
        return all(each is None or _binds(each) or _is_type(each) for each in (left, right))
    if "unary" in kind or kind == "not_operator":
        held = named(node)
        return len(held) == 1 and _binds(held[0])
    return is_tight(node)


def _is_type(node: SgNode) -> bool:
    return "type" in str(node.kind()) or node.kind() == "name"
