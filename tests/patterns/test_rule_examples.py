"""Each rule's examples are its tests: it finds something in the bad ones, nothing in the good."""

from __future__ import annotations

from functools import cache

import pytest
from codeintel_plugins.patterns import find_matches
from codeintel_plugins.patterns.catalogue import shipped_rules
from codeintel_plugins.patterns.rule import PatternRule

from codeintel.engine.dataflow.origins import Origins, trace_origins
from codeintel.engine.dataflow.tree import parse
from codeintel.engine.symbolic.find import execute

CASES = [
    (rule, kind, number, language)
    for rule in shipped_rules()
    for language in rule.languages
    for kind in ("bad", "good")
    for number in range(len(getattr(rule.examples, kind)))
]


def matches(rule: PatternRule, code: str, language: str) -> list[str]:
    """Return the matches of the rule, as text."""
    tree = parse(code, language)

    @cache
    def origins() -> Origins:
        return trace_origins(tree, language)

    found = find_matches(tree.root, code, [rule], origins, lambda: execute(tree, language).found)
    text = tree.root.text()
    return [text[match.span.start : match.span.end] for each in found for match in each]


@pytest.mark.parametrize(
    ("rule", "kind", "number", "language"),
    CASES,
    ids=[f"{rule.id}-{language}-{kind}-{number}" for rule, kind, number, language in CASES],
)
def test_example(rule: PatternRule, kind: str, number: int, language: str) -> None:
    code = getattr(rule.examples, kind)[number]
    assert bool(matches(rule, code, language)) is (kind == "bad"), (
        f"the rule must {'report' if kind == 'bad' else 'accept'} {kind} example {number}:\n{code}"
    )
