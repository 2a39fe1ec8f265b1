"""Lower `switch`, `case` and `match`. In a case with constant labels, the value is one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Block,
    Branch,
    Choice,
    Evaluate,
    Expr,
    Join,
    Leave,
    Literal,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.lowering.lowerer import Lowerer
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


MAX_NESTED = 40
"""Number of cases beyond which labels are ignored, because each case would nest in the one
before it.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CASES = _words(
    """
    switch_block_statement_group switch_rule switch_section switch_case switch_default
    expression_case default_case case_statement default_statement when else match_arm case_clause
    switch_expression_arm communication_case type_case match_conditional_expression
    match_default_expression
    """
)
_BODIES = _words("switch_block switch_body compound_statement match_block block")
_HEADS = _words(
    """
    switch_label constant_pattern or_pattern declaration_pattern case_pattern pattern match_pattern
    when_clause discard union_pattern var_pattern recursive_pattern negated_pattern
    relational_pattern type_pattern and_pattern guard_clause if_clause parenthesized_pattern
    list_pattern tuple_pattern match_condition_list
    """
)
_WRAPPERS = _words(
    """
    switch_label constant_pattern or_pattern case_pattern pattern match_pattern union_pattern
    expression_list match_condition_list
    """
)
_NUMBERS = _words(
    """
    number integer float decimal_integer_literal integer_literal real_literal number_literal
    int_literal float_literal hex_integer_literal
    """
)
_CONSTANT = re.compile(r"(?:[\w.:]+[.:])?[A-Z][A-Z0-9_]*|[A-Z]\w*(?:\.|::)[A-Z]\w*")
_DEFAULT = re.compile(r"default\b|else\b|_\s*(?:=>|->)|case\s+_\s*(?::|->)")
_NOWHERE = Span(0, 0)


class Way(NamedTuple):
    """A case of a switch. `labels` are its constants, `patterns` its other conditions."""

    labels: tuple[SgNode, ...]
    patterns: tuple[SgNode, ...]
    default: bool
    body: tuple[SgNode, ...]


def lower_switch(lowerer: Lowerer, node: SgNode, value: SgNode) -> Stmt:
    """Lower a statement to a chain of branches, the default last."""
    asked = lowerer.expr(value)
    found = _ways(node, value)
    rest: tuple[Stmt, ...] = ()
    patterns: list[Stmt] = []
    made: list[Stmt] = [Evaluate(span(value), asked)]
    for way in sorted(found, key=lambda each: not each.default):
        patterns += [Evaluate(span(each), lowerer.expr(each)) for each in way.patterns]
        body = _without_break(_statements(lowerer, way.body))
        if way.default:
            rest = body
        elif len(found) > MAX_NESTED:
            made.append(_branch(way, Literal(_NOWHERE, ""), body, ()))
        else:
            rest = (_branch(way, _condition(lowerer, way, asked), body, rest),)
    return Sequence(span(node), (*made, *patterns, *rest))


def lower_choice(lowerer: Lowerer, node: SgNode, value: SgNode) -> Expr:
    """Lower an expression to a chain of choices, the default last."""
    asked = lowerer.expr(value)
    made: Expr | None = None
    for way in sorted(_ways(node, value)[:MAX_NESTED], key=lambda each: not each.default):
        parts = _statements(lowerer, way.body)
        found: Expr = Block(_around(way.body), parts)
        if len(parts) == 1 and isinstance(parts[0], Evaluate):
            found = parts[0].value
        if made is None:
            made = found
        else:
            condition = _condition(lowerer, way, asked)
            made = Choice(_around(way.body), (found, made), condition)
    return Choice(span(node), (made,) if made is not None else (), asked)


def _condition(lowerer: Lowerer, way: Way, asked: Expr) -> Expr:
    if way.patterns or not way.labels:
        return Literal(_NOWHERE, "")
    place = _around(way.labels)
    return Test(place, (asked, Join(place, tuple(map(lowerer.expr, way.labels)))), "in")


def _branch(way: Way, condition: Expr, body: tuple[Stmt, ...], rest: tuple[Stmt, ...]) -> Branch:
    return Branch(_around(way.body), condition, body, rest)


def _statements(lowerer: Lowerer, body: tuple[SgNode, ...]) -> tuple[Stmt, ...]:
    return tuple(statement for node in body for statement in lowerer.statements(node))


def _without_break(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Drop the final break: after the case, execution continues behind the switch."""
    if body and isinstance(body[-1], Leave) and body[-1].ends_switch:
        return body[:-1]
    return body


def _around(nodes: tuple[SgNode, ...]) -> Span:
    return Span(span(nodes[0]).start, span(nodes[-1]).end)


def _ways(node: SgNode, value: SgNode) -> list[Way]:
    """Return the cases of a switch. Cases without a body are merged with the next one."""
    found: list[Way] = []
    labels: list[SgNode] = []
    patterns: list[SgNode] = []
    default = False
    for case in _cases(node, span(value)):
        heads, body = _split(case)
        for head in heads:
            constants = list(_constants(head))
            if None in constants:
                patterns.append(head)
            labels.extend(each for each in constants if each is not None)
        default = default or _DEFAULT.match(case.text()) is not None
        if body:
            found.append(Way(tuple(labels), tuple(patterns), default, tuple(body)))
            labels, patterns, default = [], [], False
    return found


def _cases(node: SgNode, value: Span) -> Iterator[SgNode]:
    for child in node.named_children():
        if span(child) == value:
            continue
        if child.kind() in _CASES:
            yield child
        elif child.kind() in _BODIES:
            yield from (each for each in child.named_children() if each.kind() in _CASES)


def _split(case: SgNode) -> tuple[list[SgNode], list[SgNode]]:
    """Return a case's labels, patterns and conditions, and its body."""
    named = [child for child in case.named_children() if child.kind() not in kinds.IGNORED]
    marked = {span(each) for name in ("pattern", "value") for each in case.field_children(name)}
    if case.kind() == "match_arm":  # Rust: the value of an arm is its body
        marked = {span(each) for each in case.field_children("pattern")}
    heads = [child for child in named if child.kind() in _HEADS or span(child) in marked]
    places = {span(each) for each in heads}
    return heads, [child for child in named if span(child) not in places]


def _constants(head: SgNode) -> Iterator[SgNode | None]:
    """Yield the constants in a label, and None for anything else in it."""
    kind = head.kind()
    if kind in kinds.STRINGS or kind in _NUMBERS or _CONSTANT.fullmatch(head.text()):
        yield head
    elif kind in _WRAPPERS:
        for child in head.named_children():
            yield from _constants(child)
    else:
        yield None
