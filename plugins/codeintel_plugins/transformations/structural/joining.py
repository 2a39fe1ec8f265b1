"""Two conditions as one: what stands beside `&&` as it is, and what must not be evaluated so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codeintel_plugins.transformations.structural.facts.conditions import is_tight
from codeintel_plugins.transformations.structural.facts.macros import has_macro
from codeintel_plugins.transformations.structural.languages.temporaries import has_no_temporary
from codeintel_plugins.transformations.structural.nodes import (
    BLOCKS,
    dedented,
    field,
    inner,
    named,
    only_statement,
    operator,
)
from codeintel_plugins.transformations.structural.patches import Edit
from codeintel_plugins.transformations.structural.reading import Reading

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


def merge_ifs(reading: Reading, node: SgNode, _: Any) -> list[Edit]:
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
    made = [Edit(between, again, joint)]
    if wrap_first:
        made.append(Edit(start, start, "("))
    if wrap_second:
        made.append(Edit(behind, behind, ")"))
    if braces:
        made.append(Edit(reading.span(nested).end, reading.span(body).end, ""))
        made += dedented(reading, nested, behind, node)
    return made


def _may_join(reading: Reading, first: SgNode, second: SgNode) -> bool:
    """Whether the second may be evaluated while what the first made is still there, and what the
    second declares be known in the block around both."""
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
    """Whether it stands beside `&&` without parentheses, as do all parts at its ends."""
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
