from __future__ import annotations

import pytest
from codeintel_plugins.python.bandit import BanditAnalyzer
from codeintel_plugins.python.ruff import RuffAnalyzer
from codeintel_plugins.secrets import SecretsAnalyzer
from codeintel_plugins.static.merge import Merger, merge
from hypothesis import given, settings, strategies as st
from msgspec import UNSET
from msgspec.structs import replace
from static_helpers import finding, findings, run
from static_samples import BAD_MODULE

from codeintel.contracts import (
    Applicability,
    Confidence,
    Finding,
    Fix,
    Model,
    RuleRef,
    Severity,
    Suppression,
)

LINE, CALL, NAME = (3, 1, 3, 40), (3, 5, 3, 30), (3, 5, 3, 12)
FAR = (9, 1, 9, 5)
NEXT_ON_LINE = (3, 41, 3, 60)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (finding("S602", "ruff", NAME), finding("B602", "bandit", CALL), True),
        (finding("S602", "ruff", NAME), finding("B602", "bandit", NEXT_ON_LINE), False),
        (finding("S602", "ruff", NAME), finding("B602", "bandit", FAR), False),
        (finding("S602", "ruff", NAME), finding("B607", "bandit", NAME), False),
        (finding("S602", "ruff", NAME), finding("S602", "ruff", NEXT_ON_LINE), False),
        (finding("S303", "ruff", NAME), finding("B324", "bandit", CALL), True),
        (finding("S105", "ruff", NAME), finding("aws-access-key-id", "secrets", CALL), True),
        (finding("B106", "bandit", LINE), finding("hard-coded-password", "secrets", NAME), True),
        (finding("x-key", "secrets", CALL), finding("x-token", "secrets", NEXT_ON_LINE), False),
        (finding("PLE2502", "ruff", NAME), finding("B613", "bandit", NAME), True),
        (finding("E722", "ruff", NAME), finding("BLE001", "ruff", CALL), True),
        (finding("E722", "ruff", NAME), finding("S110", "ruff", CALL), False),
        (finding("B006", "ruff", NAME), finding("B006", "bandit", NAME), False),
        (finding("F401", "ruff", NAME), finding("F401", "other", NAME), False),
        (finding("F401", "ruff", NAME), finding("F401", "ruff", NAME), True),
    ],
)  # fmt: skip
def test_what_is_the_same_defect(one: Finding, other: Finding, same: bool) -> None:
    assert len(merge([one, other])) == len(merge([other, one])) == (1 if same else 2)
    if same and one != other:
        assert not Merger().add(one)
        assert not Merger().add(other)


@pytest.mark.parametrize(
    ("outer", "inner", "same"),
    [
        ((3, 1, 20, 2), (8, 5, 8, 30), False),  # a function, and a line in it
        ((3, 1, 20, 2), (3, 1, 3, 4), True),  # a statement, by its first word
        ((3, 5, 5, 6), (4, 9, 4, 30), True),  # a call over three lines, and its argument
        ((3, 5, 9, 6), (4, 9, 8, 10), True),  # a call, and an argument of several lines
        ((3, 5, 9, 6), (6, 9, 6, 30), False),
        ((3, 5, 3, 30), (3, 20, 3, 40), False),  # they only overlap
        ((3, 5, 3, 30), (3, 30, 3, 30), True),
    ],
)
def test_places_must_nest_tightly(
    outer: tuple[int, int, int, int], inner: tuple[int, int, int, int], same: bool
) -> None:
    wide = finding("a", "patterns", outer, cwe="CWE-89")
    narrow = finding("b", "bandit", inner, confidence=Confidence.LOW, cwe="CWE-564")
    assert len(merge([wide, narrow])) == (1 if same else 2)


def test_what_holds_two_places_of_an_analyser_takes_one_only() -> None:
    found = [
        finding("whole", "taint", LINE, cwe="CWE-89"),
        finding("one", "bandit", (3, 5, 3, 12), cwe="CWE-89"),
        finding("two", "bandit", (3, 20, 3, 30), cwe="CWE-89"),
    ]
    merged = merge(found)
    assert [len(each.also or ()) for each in merged] in ([1, 0], [0, 1])
    assert {each.rule_id for each in merged} == {"whole", "two"}


def test_the_best_of_all_is_kept() -> None:
    fix = Fix("Fix it", Applicability.SAFE, ())
    ruff = replace(
        finding("S608", place=NAME, confidence=Confidence.LOW, message="ruff's", cwe="CWE-89"),
        fix=fix,
    )
    bandit = finding("B608", "bandit", CALL, Severity.HIGH, message="bandit's", cwe="CWE-89")
    (merged,) = merge([ruff, bandit])
    assert merged == replace(
        bandit,
        range=ruff.range,
        confidence=Confidence.HIGH,
        fix=fix,
        also=(RuleRef("S608", "ruff"),),
    )


def test_one_analyser_agreeing_with_itself_is_no_surer() -> None:
    (merged,) = merge([finding("E722", place=NAME), finding("BLE001", place=CALL)])
    assert merged.confidence is Confidence.MEDIUM
    assert merged.also == (RuleRef("BLE001", "ruff"),)


def test_three_say_it_of_one_secret() -> None:
    (merged,) = merge(
        [
            finding("S105", "ruff", (1, 8, 1, 20)),
            finding("B105", "bandit", (1, 8, 1, 20)),
            finding("hard-coded-password", "secrets", (1, 9, 1, 19)),
        ]
    )
    assert merged.engine == "secrets"
    assert merged.range.start_column == 9
    assert merged.also == (RuleRef("B105", "bandit"), RuleRef("S105", "ruff"))


def test_two_calls_on_a_line_stay_two_and_find_their_partners() -> None:
    get = "requests.get({}, verify=False, timeout=1)"
    code = f"import requests; {get.format('a')}; {get.format(get.format('b'))}\n"
    found = [*findings(run(RuffAnalyzer(), code)), *findings(run(BanditAnalyzer(), code))]
    merged = [f for f in merge(found) if f.rule_id == "B501"]
    assert len(merged) == 3
    assert all(f.also == (RuleRef("S501", "ruff"),) for f in merged)


def test_a_real_module_is_merged_worst_first() -> None:
    analyzers = RuffAnalyzer(), BanditAnalyzer(), SecretsAnalyzer()
    found = [f for a in analyzers for f in findings(run(a, BAD_MODULE, model=Model.PRO))]
    merged = merge(found)
    ranks = [f.severity.rank for f in merged]
    assert ranks == sorted(ranks)
    said_twice = {(f.rule_id, ref.rule_id) for f in merged if f.also for ref in f.also}
    numbers = (501,)
    assert said_twice >= {(f"B{number}", f"S{number}") for number in numbers}
    assert not {f.rule_id for f in merged} & {"S602", "S608", "S301"}
    assert [f.engine for f in merged if f.rule_id == "hard-coded-password"] == ["secrets"]
    assert merge(reversed(found)) == merged


RULES = [
    ("S602", "ruff"), ("B602", "bandit"), ("S105", "ruff"), ("B105", "bandit"), ("B106", "bandit"),
    ("github-token", "secrets"), ("E722", "ruff"), ("BLE001", "ruff"), ("x", "other"),
]  # fmt: skip


@st.composite
def made_up_findings(draw: st.DrawFn) -> Finding:
    rule_id, engine = draw(st.sampled_from(RULES))
    line, column = draw(st.integers(1, 3)), draw(st.integers(1, 6))
    end_line = line + draw(st.integers(0, 1))
    end_column = column + draw(st.integers(0, 4))
    return finding(
        rule_id,
        engine,
        (line, column, end_line, end_column),
        draw(st.sampled_from(Severity)),
        draw(st.sampled_from(Confidence)),
        draw(st.sampled_from(["a", "b"])),
        draw(st.sampled_from([None, "CWE-1", "CWE-2"])),
    )


@settings(max_examples=200)
@given(st.lists(made_up_findings(), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(found: list[Finding], random: object) -> None:
    merged = merge(found)
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merge(shuffled) == merged
    merger = Merger()
    shown = [f for f in shuffled if merger.add(f)]
    assert merger.result() == merged
    assert set(shown) <= set(merged), "what was shown at once stands as it was shown"
    assert len(shown) == len(set(shown))


@given(st.lists(made_up_findings(), max_size=12))
def test_nothing_is_lost_and_nothing_made_up(found: list[Finding]) -> None:
    merged = merge(found)
    rules = {(f.engine, f.rule_id) for f in merged}
    rules |= {(r.engine, r.rule_id) for f in merged if f.also is not UNSET for r in f.also}
    assert rules == {(f.engine, f.rule_id) for f in found}
    assert {f.range for f in merged} <= {f.range for f in found}
    assert len(merged) <= len(set(found))
    assert list(merged) == sorted(merged, key=lambda f: (f.severity.rank, f.confidence.rank))


def test_thousands_on_one_line_are_merged_one_by_one() -> None:
    found = [
        finding(rule_id, engine, (1, 10 * n + 1, 1, 10 * n + 9))
        for n in range(2_000)
        for rule_id, engine in (("S307", "ruff"), ("B307", "bandit"))
    ]
    assert len(merge(found)) == 2_000


@pytest.mark.parametrize("heeding", ["patterns", "oxlint"])
def test_a_comment_about_a_rule_that_was_merged_in_is_shown(heeding: str) -> None:
    asked = Suppression("eslint-disable-line", 3)
    found = [
        finding("javascript-code-injection", "patterns", NAME, cwe="CWE-95"),
        finding("no-eval", "oxlint", NAME, cwe="CWE-95"),
    ]
    marked = [
        replace(each, suppression=asked) if each.engine == heeding else each for each in found
    ]
    (merged,) = merge(marked)
    assert (merged.engine, merged.suppression) == ("patterns", asked)
