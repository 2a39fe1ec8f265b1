"""A defect in a file and across files is one finding, and nothing is hidden by that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from scan_samples import FIX, TEXT, file_result, finding, scan_findings, summary

from codeintel.cli.scan.policy import ProjectConfig, judge
from codeintel.cli.scan.policy.layers import parse
from codeintel.cli.scan.report import State
from codeintel.cli.scan.runners import Collected
from codeintel.contracts import (
    Finding,
    FlowStep,
    Model,
    Range,
    RuleRef,
    Severity,
    StepKind,
    Suppression,
)
from codeintel.contracts.scans.defects import Repeated
from codeintel.contracts.scans.records import CrossFileResult, FoundFile, ScanFinding
from codeintel.runs.scans.plan import Totals
from codeintel.runs.scans.storage import Listing

ALONE = finding()
PLACE = ALONE.range
CROSSING = finding(
    "taint-code",
    engine="taint",
    severity=Severity.CRITICAL,
    flow=(FlowStep(StepKind.SOURCE, PLACE, "request data", "web.py"),),
    also=(RuleRef(ALONE.rule_id, ALONE.engine),),
)


class Accepted:
    """A baseline that has the findings of some rules."""

    name = "the baseline"

    def __init__(self, *rules: str) -> None:
        self._rules = rules

    def reasons(self, findings: Sequence[ScanFinding]) -> Mapping[int, str]:
        return {
            at: "accepted"
            for at, each in enumerate(findings)
            if each.finding.rule_id in self._rules
        }

    def fixed(self, _counts: object) -> int:
        return 0

    def notes(self) -> tuple[str, ...]:
        return ()


def shown(
    settings: str = "", *known: Accepted, alone: Finding = ALONE, crossing: Finding = CROSSING
) -> list[tuple[str, State]]:
    """Return the rules of the reported findings with their states."""
    result = file_result("a.py", TEXT, alone)
    cross = CrossFileResult(findings=tuple(scan_findings("a.py", TEXT, crossing)))
    config = ProjectConfig(parse(settings))
    report = judge([result], cross, summary(result), config, known, source=lambda _path: TEXT)
    return [(each.finding.rule_id, each.state) for each in report.findings]


def test_one_defect_is_one_finding() -> None:
    assert shown() == [("taint-code", State.NEW)]


@pytest.mark.parametrize(
    "change",
    [
        {"cwe": "CWE-78"},
        {"cwe": None},
        {"rule_id": "python/other"},
        {"engine": "bandit"},
        {"range": Range(1, 1, 1, 2)},
        {"suppression": Suppression("nosec", 1)},
        {"fix": FIX},
        {"flow": (FlowStep(StepKind.SOURCE, PLACE, "input"),)},
    ],
)
def test_others_stay(change: dict[str, Any]) -> None:
    other = msgspec.structs.replace(ALONE, **change)
    [crossing] = scan_findings("a.py", TEXT, CROSSING)
    [alone] = scan_findings("a.py", TEXT, ALONE)
    [changed] = scan_findings("a.py", TEXT, other)
    repeated = Repeated([crossing])
    assert repeated.by(alone) is crossing
    assert repeated.by(changed) is None
    assert repeated.by(msgspec.structs.replace(alone, path="b.py")) is None


def test_a_known_finding_hides_no_new_one() -> None:
    both = {("python/eval", State.NEW), ("taint-code", State.KNOWN)}
    assert set(shown("", Accepted("taint-code"))) == both
    assert shown("", Accepted("python/eval")) == [("taint-code", State.NEW)]
    assert shown("", Accepted("python/eval", "taint-code")) == [("taint-code", State.KNOWN)]


def test_a_finding_of_less_severity_hides_no_graver_one() -> None:
    low = msgspec.structs.replace(CROSSING, severity=Severity.LOW)
    assert len(shown(crossing=low)) == 2


def test_a_finding_that_settings_hide_hides_no_other() -> None:
    unsure = msgspec.structs.replace(CROSSING, severity=Severity.LOW)
    assert shown('severity = "high"', crossing=unsure) == [("python/eval", State.NEW)]


def test_counts_have_each_defect_once() -> None:
    collected = Collected()
    collected.add(file_result("a.py", TEXT, ALONE))
    crossing = tuple(scan_findings("a.py", TEXT, CROSSING))
    collected.add(CrossFileResult(findings=crossing, repeated={ALONE.severity: 1}))
    assert collected.counts()[Severity.CRITICAL] == 1
    assert collected.counts()[ALONE.severity] == 0


def test_the_stored_result_has_each_defect_once() -> None:
    result = file_result("a.py", TEXT, ALONE, finding("python/exec", cwe="CWE-78"))
    file = FoundFile(path="a.py", sha256="0" * 64, size=1, language="python")
    totals = Totals(Listing((file,)))
    totals.add(result)
    crossing = tuple(scan_findings("a.py", TEXT, CROSSING))
    totals.cross(CrossFileResult(findings=crossing, repeated={ALONE.severity: 1}))
    made = totals.result("static", Model.PRO)
    assert [each.finding.rule_id for each in made.findings] == ["taint-code", "python/exec"]
    assert made.summary.counts == {Severity.CRITICAL: 1, Severity.HIGH: 1}
    assert made.omitted == 0
