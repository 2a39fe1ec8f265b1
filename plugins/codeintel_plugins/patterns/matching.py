"""Finding the places in a syntax tree that rules are about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from codeintel.engine.dataflow.lowering.rust_macros import find_in_macros
from codeintel.engine.dataflow.tree import Span, span
from codeintel_plugins.patterns.needs import may_match
from codeintel_plugins.patterns.rule import PatternRule

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from codeintel.engine.dataflow.origins import Origins
    from codeintel.engine.symbolic.facts import Found


class Match(NamedTuple):
    """A rule applies at a place. `steps` are the places that led to it, and what happens there."""

    rule: PatternRule
    span: Span
    steps: tuple[tuple[Span, str], ...] = ()


def find_matches(
    root: SgNode,
    text: str,
    rules: Iterable[PatternRule],
    origins: Callable[[], Origins],
    facts: Callable[[], Iterable[Found]] = tuple,
) -> Iterator[Iterator[Match]]:
    """The matches of each rule that may have some, in order of place.

    :param origins: where values come from; called only when a rule wants to know.
    :param facts: what symbolic execution finds; called only when a rule wants to know.
    """
    lower = text.lower()
    for rule in rules:
        if not rule.facts and not may_match(rule.need, lower):
            continue
        if rule.required is not None and rule.required.search(text) is None:
            continue
        if rule.excluded is not None and rule.excluded.search(text) is not None:
            continue
        yield _executed(rule, facts) if rule.facts else _in_tree(root, text, rule, origins)


def _executed(rule: PatternRule, facts: Callable[[], Iterable[Found]]) -> Iterator[Match]:
    for found in facts():
        if found.fact in rule.facts:
            yield Match(rule, found.place, found.steps)


def _in_tree(
    root: SgNode, text: str, rule: PatternRule, origins: Callable[[], Origins]
) -> Iterator[Match]:
    last = Span(-1, -1)
    for node in _nodes(root, text, rule):
        place = span(_reported(node, rule))
        inside_last = last.start <= place.start and place.end <= last.end
        if (inside_last and not rule.nested) or not _carries(node, rule, origins):
            continue
        last = place
        yield Match(rule, place)


def _nodes(root: SgNode, text: str, rule: PatternRule) -> list[SgNode]:
    found: list[SgNode] = list(root.find_all(rule.config))  # type: ignore[call-overload]
    if "rust" in rule.languages and (more := find_in_macros(text, rule.config)):
        nodes = {span(node): node for node in (*more, *found)}
        found = [nodes[place] for place in sorted(nodes, key=lambda each: (each.start, -each.end))]
    return found


def _reported(node: SgNode, rule: PatternRule) -> SgNode:
    return (node.get_match(rule.report) if rule.report else None) or node


def _carries(node: SgNode, rule: PatternRule, origins: Callable[[], Origins]) -> bool:
    """Whether the values at the rule's variables come from where the rule says."""
    if not rule.asks_origins:
        return True
    known = origins()
    if not all(_says(known, node, *each) for each in rule.resolved.items()):
        return False
    if any(_says(known, node, *each) for each in rule.unresolved.items()):
        return False
    any_of = [place for name in rule.dynamic_any for place in _places(node, name)]
    return (
        all(_some(known.is_dynamic, _places(node, name), rule) for name in rule.dynamic)
        and all(_some(known.is_external, _places(node, name), rule) for name in rule.external)
        and (not rule.dynamic_any or _some(known.is_dynamic, any_of, rule))
    )


def _says(known: Origins, node: SgNode, variable: str, wanted: re.Pattern[str]) -> bool:
    """Whether a variable's text, or that of what it was assigned, contains something."""
    places = _places(node, variable)
    return any(wanted.search(text) for place in places for text in known.texts(place))


def _some(holds: Callable[[Span, str | None], bool], places: list[Span], rule: PatternRule) -> bool:
    return any(holds(place, rule.cwe) for place in places)


def _places(node: SgNode, variable: str) -> list[Span]:
    """Where a variable of a match stands; `$$$ARGS` may stand for several nodes."""
    single = node.get_match(variable)
    if single is not None:
        return [span(single)]
    return [span(each) for each in node.get_multiple_matches(variable) if each.is_named()]
