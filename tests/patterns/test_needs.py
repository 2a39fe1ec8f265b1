"""Rules are ruled out by words only when they cannot match."""

from __future__ import annotations

import re
from typing import Any

import pytest
from codeintel_plugins.patterns.catalogue import shipped_rules
from codeintel_plugins.patterns.rule import (
    NOTHING,
    AllOf,
    Need,
    OneOf,
    expression_needs,
    may_match,
    needs,
)
from hypothesis import given, strategies as st


@pytest.mark.parametrize(
    ("match", "need"),
    [
        ({"pattern": "os.system($CMD)"}, "system"),
        ({"pattern": "subprocess.run($$$ARGS)"}, AllOf(("subprocess", "run"))),
        ({"pattern": "$A + $B"}, NOTHING),
        ({"kind": "call"}, NOTHING),
        ({"any": [{"pattern": "first()"}, {"pattern": "second()"}]}, OneOf(("first", "second"))),
        ({"any": [{"pattern": "first()"}, {"kind": "call"}]}, NOTHING),
        ({"all": [{"pattern": "first()"}, {"has": {"regex": "SECOND"}}]},
         AllOf(("first", "second"))),
        ({"kind": "call", "not": {"pattern": "other()"}}, NOTHING),
        ({"inside": {"stopBy": "end", "pattern": "outer()"}}, "outer"),
        ({"matches": "util"}, "known"),
        ({"pattern": {"context": "def wrapper():\n    dangerous($X)", "selector": "call"}},
         "dangerous"),
    ],
)  # fmt: skip
def test_what_rules_need(match: dict[str, Any], need: Need) -> None:
    assert needs(match, {"util": {"pattern": "known()"}}, "python") == need


@pytest.mark.parametrize(
    ("expression", "need"),
    [
        ("^(?:md5|sha1)\\.", OneOf(("md5", "sha1"))),
        ("(?i)PassWord", "password"),
        ("a+bcd", "bcd"),
        ("(?:abc)?def", "def"),
        ("(?!abc)def", "def"),
        ("(?:abc){2}", "abc"),
        ("[abc]{3}", NOTHING),
        ("ab|cdef", NOTHING),
        ("((", NOTHING),
    ],
)
def test_what_expressions_need(expression: str, need: Need) -> None:
    assert expression_needs(expression) == need


EXPRESSIONS = sorted(
    {rule.match["regex"] for rule in shipped_rules() if isinstance(rule.match.get("regex"), str)}
)


@given(st.data())
def test_text_that_an_expression_is_found_in_has_what_it_needs(data: st.DataObject) -> None:
    expression = data.draw(st.sampled_from(EXPRESSIONS))
    text = data.draw(st.from_regex(expression))
    assert re.search(expression, text)
    assert may_match(expression_needs(expression), text.lower())


def test_no_shipped_rule_is_ruled_out_of_its_own_examples() -> None:
    for rule in shipped_rules():
        for code in rule.examples.bad if rule.match else ():
            assert may_match(rule.need, code.lower()), rule.id


def test_most_rules_need_something() -> None:
    rules = [rule for rule in shipped_rules() if rule.match]
    assert sum(rule.need != NOTHING for rule in rules) > len(rules) * 0.7
