"""Each rule's examples are its tests: it changes what it should, and leaves alone what looks so."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.structural.conditions import CONDITIONS
from codeintel_plugins.transformations.structural.patches import LANGUAGES, RewriteRule, rules_of
from codeintel_plugins.transformations.structural.transformation import EDITS
from structural_cases import WAYS, failures, rewritten

RULES = [(language, rule) for language in LANGUAGES for rule in rules_of(language)]
IDS = [rule.id for _, rule in RULES]
MIN_RULES = 5


@pytest.mark.parametrize(("language", "rule"), RULES, ids=IDS)
def test_a_rule_changes_what_it_should(language: str, rule: RewriteRule) -> None:
    for example in rule.examples:
        for kind in rule.kinds:
            made = rewritten(example.before, language, kind, only=rule.id)
            assert made.code == example.after
            assert {change.rule for change in made.changes} == {rule.id}
            assert failures(example.before, made, language) == []
            assert rewritten(made.code, language, kind, only=rule.id).code == made.code


@pytest.mark.parametrize(("language", "rule"), RULES, ids=IDS)
def test_a_rule_leaves_alone_what_looks_alike(language: str, rule: RewriteRule) -> None:
    for code in rule.untouched:
        made = rewritten(code, language, rule.kinds[0], only=rule.id)
        assert (made.code, made.changes) == (code, ())


@pytest.mark.parametrize(("language", "rule"), RULES, ids=IDS)
def test_a_rule_can_be_left_out(language: str, rule: RewriteRule) -> None:
    for example in rule.examples:
        made = rewritten(example.before, language, rule.kinds[0], without=[rule.id])
        assert rule.id not in {change.rule for change in made.changes}


@pytest.mark.parametrize(("language", "rule"), RULES, ids=IDS)
def test_a_rule_says_what_it_is(language: str, rule: RewriteRule) -> None:
    assert rule.id.startswith(f"{language}-")
    assert rule.message.endswith(".")
    assert rule.reason.endswith(".")
    assert rule.examples
    assert rule.untouched
    assert rule.kinds
    assert set(rule.kinds) <= set(WAYS)
    assert (rule.fix is None) is not (rule.edit is None)
    assert rule.edit is None or rule.edit in EDITS
    assert rule.where.keys() <= CONDITIONS.keys()


def test_names_are_unique_and_all_languages_have_rules() -> None:
    assert len(set(IDS)) == len(IDS)
    for language in LANGUAGES:
        asked = [rule for rule in rules_of(language) if {"refactor", "modernize"} & {*rule.kinds}]
        assert len(asked) >= MIN_RULES
        used = {kind for rule in rules_of(language) for kind in rule.kinds}
        assert {"refactor", "modernize"} <= used
        assert used == {kind for kind, way in WAYS.items() if language in way.languages}


def test_nothing_is_there_for_nobody() -> None:
    assert {rule.edit for _, rule in RULES if rule.edit} == set(EDITS)
    used = {name for _, rule in RULES for name in rule.where}
    assert used == set(CONDITIONS)
