"""How much a verdict says: which checks prove, which only raise doubts, and what settles these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from codeintel.contracts import (
    AnalyzerRequest,
    Candidate,
    Check,
    CheckStatus,
    Promise,
    TransformTask,
    Verdict,
    VerdictOutcome,
)
from codeintel.engine.equivalence.comparison import (
    LEVELS,
    NAMES,
    SAME_VALUES,
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.runs import judge as judging
from codeintel.runs.judge import SAME_BEHAVIOUR, Judge

PROVEN, CHECKED, UNPROVEN = VerdictOutcome
GOOD, PROOF, BAD = passed("It holds."), passed("It holds.", conclusive=True), failed("It does not.")
DOUBT, NOTHING = failed("It looks odd.", tentative=True), not_applicable("Nobody can say.")


def verdict(**ends: Evidence) -> Verdict:
    return Verdict(checks=tuple(each.check(name, "V1") for name, each in ends.items()))


@pytest.mark.parametrize(
    ("ends", "outcome"),
    [
        ({}, UNPROVEN),
        ({"parses": NOTHING, "equivalent": PROOF}, UNPROVEN),
        ({"parses": BAD}, UNPROVEN),
        ({"parses": GOOD}, CHECKED),
        ({"parses": GOOD, "same_values": GOOD, "same_interface": GOOD, "stable": GOOD}, CHECKED),
        ({"parses": GOOD, "equivalent": GOOD}, CHECKED),
        ({"parses": GOOD, "equivalent": PROOF}, PROVEN),
        ({"parses": GOOD, "same_behaviour": PROOF}, PROVEN),
        ({"parses": GOOD, "equivalent": PROOF, "no_new_findings": BAD}, UNPROVEN),
        ({"parses": GOOD, "equivalent": PROOF, "same_values": DOUBT}, UNPROVEN),
        ({"parses": GOOD, "equivalent": Evidence(CheckStatus.FAILED, "", True)}, UNPROVEN),
    ],
)
def test_outcomes(ends: dict[str, Evidence], outcome: VerdictOutcome) -> None:
    found = verdict(**ends)
    assert found.outcome is outcome
    assert found.is_verified is (outcome is PROVEN)
    assert found.is_refused is (outcome is UNPROVEN)


class Pool:
    """A pool with predefined results of checks."""

    def __init__(self, ends: dict[str, Evidence]) -> None:
        self.ends = ends

    def compare(self, _account_id: str, _comparison: Comparison) -> tuple[str, list[Check]]:
        return "", [self.ends.get(name, GOOD).check(name, LEVELS[name]) for name in NAMES]


def judged(
    monkeypatch: pytest.MonkeyPatch,
    run: Evidence | None,
    language: str = "python",
    **ends: Evidence,
) -> tuple[Verdict, list[str]]:
    """Return the verdict on what a model wrote, and what was run.

    :param run: what running both says; None where nothing is run.
    """
    ran: list[str] = []

    class Behaviour:
        def __init__(self, *_: Any) -> None: ...

        def compare(self, code: str) -> Evidence:
            ran.append(code)
            assert run is not None
            return run

    def analyze(_: AnalyzerRequest) -> Iterator[Any]:
        return iter(())

    monkeypatch.setattr(judging, "Behaviour", Behaviour)
    sandbox: Any = object() if run is not None else None
    judge = Judge(Pool(ends), "acc_1", analyze, tuple(Promise), {}, sandbox)  # type: ignore[arg-type]
    task = TransformTask(code="a", kind="refactor", language=language, target=language, options={})
    return judge.judge(task, Candidate(code="b"), ()).verdict, ran


def status(found: Verdict, name: str) -> CheckStatus:
    (check,) = [each for each in found.checks if each.name == name]
    return check.status


UNLIKE = {"equivalent": NOTHING}


@pytest.mark.parametrize(
    ("run", "outcome"),
    [(PROOF, PROVEN), (GOOD, UNPROVEN), (NOTHING, UNPROVEN), (BAD, UNPROVEN), (None, UNPROVEN)],
)
def test_a_conclusive_run_settles_a_doubt(
    monkeypatch: pytest.MonkeyPatch, run: Evidence | None, outcome: VerdictOutcome
) -> None:
    found, _ = judged(monkeypatch, run, **UNLIKE, same_values=DOUBT)
    assert found.outcome is outcome
    settled = outcome is PROVEN
    expected = CheckStatus.NOT_APPLICABLE if settled else CheckStatus.FAILED
    assert status(found, SAME_VALUES) is expected
    (check,) = [each for each in found.checks if each.name == SAME_VALUES]
    assert DOUBT.text in check.evidence, "the doubt is still told"
    assert ("`same_behaviour` has settled" in check.evidence) is settled


@pytest.mark.parametrize(
    ("run", "outcome"), [(PROOF, PROVEN), (GOOD, CHECKED), (NOTHING, CHECKED), (BAD, UNPROVEN)]
)
def test_a_run_where_nothing_stands_against_the_result(
    monkeypatch: pytest.MonkeyPatch, run: Evidence, outcome: VerdictOutcome
) -> None:
    assert judged(monkeypatch, run, **UNLIKE)[0].outcome is outcome


@pytest.mark.parametrize(
    "ends",
    [
        {"same_values": BAD},
        {"same_values": DOUBT, "same_interface": BAD},
        {"parses": BAD, "same_values": DOUBT},
    ],
)
def test_no_run_settles_a_fault(monkeypatch: pytest.MonkeyPatch, ends: dict[str, Evidence]) -> None:
    found, ran = judged(monkeypatch, PROOF, **UNLIKE, **ends)
    assert (found.outcome, ran) == (UNPROVEN, [])
    assert {each.name for each in found.failures} == set(ends)


def test_nothing_is_run_in_other_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    found, ran = judged(monkeypatch, PROOF, "java", **UNLIKE, same_values=DOUBT)
    assert (found.outcome, ran) == (UNPROVEN, [])
    assert status(found, Promise.NO_NEW_FINDINGS) is CheckStatus.NOT_APPLICABLE


def test_a_doubt_that_is_settled_leaves_a_run_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found, ran = judged(monkeypatch, PROOF, **UNLIKE, same_values=DOUBT)
    assert ran == ["b"]
    assert status(found, SAME_BEHAVIOUR) is CheckStatus.PASSED
    assert status(found, Promise.NO_NEW_FINDINGS) is CheckStatus.PASSED
