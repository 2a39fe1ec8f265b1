"""Finding the places in a syntax tree that rules are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from codeintel_plugins.flow.tree import Span, span
from codeintel_plugins.patterns.rule import PatternRule

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from codeintel_plugins.flow.origins import Origins


class Match(NamedTuple):
    """A rule applies at a place."""

    rule: PatternRule
    span: Span


def find_matches(
    root: SgNode, text: str, rules: Iterable[PatternRule], origins: Callable[[], Origins]
) -> Iterator[Match]:
    """The matches of all rules, rule by rule, each in order of place.

    :param origins: where values come from; called only when a rule wants to know.
    """
    for rule in rules:
        if rule.required is not None and rule.required.search(text) is None:
            continue
        if rule.excluded is not None and rule.excluded.search(text) is not None:
            continue
        last = Span(-1, -1)
        for node in root.find_all(rule.config):  # type: ignore[call-overload]
            place = span(_reported(node, rule))
            inside_last = last.start <= place.start and place.end <= last.end
            if (inside_last and not rule.nested) or not _carries(node, rule, origins):
                continue
            last = place
            yield Match(rule, place)


def _reported(node: SgNode, rule: PatternRule) -> SgNode:
    return (node.get_match(rule.report) if rule.report else None) or node


def _carries(node: SgNode, rule: PatternRule, origins: Callable[[], Origins]) -> bool:
    """Whether the values at the rule's variables come from where the rule says."""
    if not (rule.dynamic or rule.dynamic_any or rule.external):
        return True
    known = origins()
    any_of = [place for name in rule.dynamic_any for place in _places(node, name)]
    return (
        all(_some(known.is_dynamic, _places(node, name), rule) for name in rule.dynamic)
        and all(_some(known.is_external, _places(node, name), rule) for name in rule.external)
        and (not rule.dynamic_any or _some(known.is_dynamic, any_of, rule))
    )


def _some(holds: Callable[[Span, str | None], bool], places: list[Span], rule: PatternRule) -> bool:
    return any(holds(place, rule.cwe) for place in places)


def _places(node: SgNode, variable: str) -> list[Span]:
    """Where a variable of a match stands; `$$$ARGS` may stand for several nodes."""
    single = node.get_match(variable)
    if single is not None:
        return [span(single)]
    return [span(each) for each in node.get_multiple_matches(variable) if each.is_named()]
