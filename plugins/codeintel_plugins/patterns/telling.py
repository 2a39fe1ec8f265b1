"""The messages of matches: the rule's title, then the value and the call at fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span, span
from codeintel_plugins.patterns.rule import PatternRule
from codeintel_plugins.toolkit.messages import MAX_MESSAGE, call_name, quoted, reaches, shortened

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from codeintel.engine.dataflow.origins import Origins

# Weaknesses in which a value reaches a call that it should not reach.
_OF_VALUES = frozenset(
    f"CWE-{number}"
    for number in (
        22, 23, 36, 73, 74, 77, 78, 79, 80, 88, 89, 90, 91, 93, 94, 95, 96, 98, 113, 117, 134, 409,
        434, 470, 501, 502, 564, 601, 611, 639, 643, 770, 789, 829, 915, 917, 918, 941, 943, 1333,
        1336,
    )
)  # fmt: skip
_CALLS = (
    "call", "call_expression", "new_expression", "method_invocation", "object_creation_expression",
    "function_call_expression", "member_call_expression", "scoped_call_expression",
    "nullsafe_member_call_expression", "invocation_expression", "macro_invocation", "command",
)  # fmt: skip
_MAX_ANCESTORS = 12
# Calls with a path. What is deserialized is the content of the file, so the path is no answer.
_WITH_PATH = ("`open()`", "`Path()`", "`pathlib.Path()`", "`io.open()`")


def in_tree(node: SgNode, text: str, rule: PatternRule, origins: Callable[[], Origins]) -> str:
    """Return the message of a match of syntax trees."""
    return _of_value(node, text, rule, origins) or _located(rule, _call(node))


def at_place(rule: PatternRule, code: str) -> str:
    """Return the message that names the code at the place, if it is short, and what is wrong."""
    return _located(rule, call_name(code) if "(" in code else quoted(code))


def _located(rule: PatternRule, named: str) -> str:
    where = f" in {named}" if named else ""
    message = f"{rule.title}{where}: {rule.summary}"
    return message if len(message) <= MAX_MESSAGE else shortened(f"{rule.title}: {rule.summary}")


def places_of(node: SgNode, variable: str) -> list[Span]:
    """Return the positions of a variable in a match. `$$$ARGS` can match several nodes."""
    return [span(each) for each in _nodes(node, variable)]


def _nodes(node: SgNode, variable: str) -> list[SgNode]:
    single = node.get_match(variable)
    if single is not None:
        return [single]
    return [each for each in node.get_multiple_matches(variable) if each.is_named()]


def _of_value(node: SgNode, text: str, rule: PatternRule, origins: Callable[[], Origins]) -> str:
    """Return the message that names the value; empty if the rule is not about one."""
    if rule.cwe not in _OF_VALUES:
        return ""
    for variable in (*rule.external, *rule.dynamic, *rule.dynamic_any):
        for at_fault in _nodes(node, variable):
            label = origins().worst(span(at_fault), rule.cwe)
            sink = _sink(at_fault, node)
            if label is None or not sink or (rule.cwe == "CWE-502" and sink in _WITH_PATH):
                continue
            origin = text[label.origin.start : label.origin.end]
            return reaches(rule.title, at_fault.text(), label, origin, sink)
    return ""


def _sink(at_fault: SgNode, node: SgNode) -> str:
    """Return the name of the call that the value is an argument of, within the match."""
    whole = span(node)
    for ancestor in list(at_fault.ancestors())[:_MAX_ANCESTORS]:
        place = span(ancestor)
        if place.start < whole.start or place.end > whole.end:
            break
        if ancestor.kind() in _CALLS and (place != span(at_fault)):
            return call_name(ancestor.text())
    return ""


def _call(node: SgNode) -> str:
    """Return the name of the called function if the match is a call."""
    return call_name(node.text()) if node.kind() in _CALLS else ""
