"""Results in logs: findings, paths, fixes and suppressions."""

from __future__ import annotations

from typing import Any

import pytest
from sarif_helpers import analysis, finding
from sarif_runs import ARTIFACT, only_result, run_of

from codeintel.contracts import (
    Applicability,
    Confidence,
    Edit,
    Fix,
    FlowStep,
    Range,
    RuleRef,
    Severity,
    StepKind,
    Suppression,
)
from codeintel.engine.sarif import sarif_log


def test_a_finding() -> None:
    result = only_result()
    assert result["partialFingerprints"].keys() == {"codeintelFindingHash/v1"}
    del result["partialFingerprints"]
    assert result == {
        "ruleId": "S605",
        "rule": {"id": "S605", "index": 0, "toolComponent": {"name": "ruff", "index": 0}},
        "level": "error",
        "kind": "fail",
        "rank": 75.0,
        "message": {"text": "A shell runs what somebody typed."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "src/a.py", "uriBaseId": "%SRCROOT%", "index": 0},
                    "region": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 19},
                }
            }
        ],
        "taxa": [{"id": "78", "index": 0, "toolComponent": {"name": "CWE", "index": 0}}],
        "properties": {"severity": "high", "confidence": "medium", "category": "security"},
    }


def test_ranks_go_by_severity_and_then_by_confidence() -> None:
    ranks = [
        only_result(severity=severity, confidence=confidence)["rank"]
        for severity in Severity
        for confidence in Confidence
    ]
    assert ranks == sorted(set(ranks), reverse=True)
    assert 0 <= ranks[-1] < ranks[0] <= 100


def test_the_way_of_a_value() -> None:
    steps = (
        FlowStep(StepKind.SOURCE, Range(1, 1, 1, 2), "typed"),
        FlowStep(StepKind.STEP, Range(2, 1, 2, 2), "{x} = it"),
        FlowStep(StepKind.SINK, Range(3, 1, 3, 2), "run"),
    )
    (flow,) = only_result(flow=steps)["codeFlows"]
    locations = flow["threadFlows"][0]["locations"]
    assert [each["kinds"] for each in locations] == [["source"], ["step"], ["sink"]]
    assert [each["importance"] for each in locations] == ["essential", "important", "essential"]
    texts = [each["location"]["message"]["text"] for each in locations]
    assert texts == ["typed", "{{x}} = it", "run"]
    starts = [each["location"]["physicalLocation"]["region"]["startLine"] for each in locations]
    assert starts == [1, 2, 3]


def test_a_fix() -> None:
    edits = (Edit(Range(3, 1, 3, 10), "{run}"), Edit(Range(4, 1, 5, 1), ""))
    (fix,) = only_result(fix=Fix("Use {run}", Applicability.UNSAFE, edits))["fixes"]
    assert fix["description"] == {"text": "Use {{run}}"}
    assert fix["properties"] == {"applicability": "unsafe"}
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "src/a.py"
    first, second = change["replacements"]
    assert first["insertedContent"] == {"text": "{run}"}
    assert second == {
        "deletedRegion": {"startLine": 4, "startColumn": 1, "endLine": 5, "endColumn": 1}
    }


@pytest.mark.parametrize("more", [{"fix": Fix("none", Applicability.SAFE, ())}, {"flow": ()}])
def test_what_is_empty_is_left_out(more: dict[str, Any]) -> None:
    assert not {"fixes", "codeFlows"} & only_result(**more).keys()


def test_suppressions_are_told_of_all_results_or_of_none() -> None:
    marked = finding(suppression=Suppression("nosec", 3))
    first, second = run_of(sarif_log(analysis(marked, finding(line=5)), ARTIFACT))["results"]
    (suppression,) = first["suppressions"]
    assert suppression["kind"] == "inSource"
    assert suppression["justification"] == "`nosec` on line 3"
    assert suppression["location"]["physicalLocation"]["region"] == {"startLine": 3}
    assert second["suppressions"] == []
    assert "suppressions" not in only_result()


def test_other_rules_and_the_remedy() -> None:
    result = only_result(also=(RuleRef("B605", "bandit"),), remedy="Do not.")
    assert result["properties"]["relatedRules"] == [{"ruleId": "B605", "engine": "bandit"}]
    assert result["properties"]["remedy"] == "Do not."
