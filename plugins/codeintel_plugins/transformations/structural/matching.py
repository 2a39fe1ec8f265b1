"""The places where rules are used in one pass, and the edits that they ask for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span
from codeintel_plugins.patterns.needs import may_match
from codeintel_plugins.transformations.structural import edits
from codeintel_plugins.transformations.structural.facts import conditions, imports
from codeintel_plugins.transformations.structural.patches import Edit, Site
from codeintel_plugins.transformations.structural.reading import Reading
from codeintel_plugins.transformations.structural.rule import RewriteRule, need_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_VARIABLE = re.compile(r"\$\$\$([A-Z][A-Z0-9_]*)|\$([A-Z][A-Z0-9_]*)")
_DIRECTIVE = re.compile(r"[\r\n][ \t]*#")


def sites(reading: Reading, rules: Iterable[RewriteRule]) -> list[Site]:
    """Places that do not overlap, in order. Of two that do, the outer one is taken."""
    lower = reading.text.lower()
    found = [
        (rule, site)
        for rule in rules
        if may_match(need_of(reading.language, rule.id), lower)
        for site in _of_rule(reading, rule)
    ]
    found.sort(key=lambda each: (each[1].start, -each[1].end))
    taken: list[Site] = []
    end, last = -1, ""
    for rule, site in found:
        if site.start < end and not (rule.nests and last == rule.id):
            continue
        taken.append(site)
        end, last = max(end, site.end), rule.id
    return taken + imports.added(reading, taken, rules)


def _of_rule(reading: Reading, rule: RewriteRule) -> Iterator[Site]:
    of_text = conditions.OF_TEXT & rule.where.keys()
    if not all(
        conditions.CONDITIONS[each](reading, reading.root, rule.where[each]) for each in of_text
    ):
        return
    if rule.imports and not imports.possible(reading, rule):
        return
    nodes: list[SgNode] = list(reading.root.find_all(rule.config))  # type: ignore[call-overload]
    for node in nodes:
        reading.hurry()
        if not all(
            conditions.CONDITIONS[name](reading, node, wanted)
            for name, wanted in rule.where.items()
            if name not in of_text
        ):
            continue
        made = _made(reading, rule, node)
        if not made or not _is_allowed(reading, made):
            continue
        whole = reading.span(node)
        start = min(whole.start, *(edit.start for edit in made))
        end = max(whole.end, *(edit.end for edit in made))
        yield Site(start, end, rule.id, tuple(made))


def _made(reading: Reading, rule: RewriteRule, node: SgNode) -> list[Edit]:
    if rule.edit is not None:
        return edits.EDITS[rule.edit](reading, node, rule.options)
    start, end = reading.span(node)
    text = filled(reading, node, rule.fix or "")
    if rule.wrap and not conditions.is_loose(reading, node, None):
        text = f"({text})"
    return [] if text == reading.text[start:end] else [Edit(start, end, text)]


def filled(reading: Reading, node: SgNode, template: str) -> str:
    """A template with the texts of a match's variables."""

    def text(found: re.Match[str]) -> str:
        if found[2]:
            single = node.get_match(found[2])
            return reading.source(single) if single is not None else ""
        several = node.get_multiple_matches(found[1])
        if not several:
            return ""
        return reading.text[reading.span(several[0]).start : reading.span(several[-1]).end]

    return _VARIABLE.sub(text, template)


def _is_allowed(reading: Reading, made: list[Edit]) -> bool:
    """Whether no comment is lost, and nothing is touched that the tree was not made of."""
    comments = reading.comments
    for start, end, text, _ in made:
        if not reading.is_as_sent(start, end):
            return False
        for place in _within(comments, start, end):
            if reading.text[place.start : place.end] not in text:
                return False
        if reading.language in ("c", "cpp") and _DIRECTIVE.search(reading.text, start, end):
            return False
    return all(
        first.end <= second.start and first[:2] != second[:2]
        for first, second in pairwise(sorted(made))
    )


def _within(places: list[Span], start: int, end: int) -> Iterator[Span]:
    first = bisect_left(places, Span(start, start))
    for place in places[first:]:
        if place.start >= end:
            return
        yield place
