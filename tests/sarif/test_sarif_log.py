"""Logs: what they say, and that they are SARIF by its own schema."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
from sarif_helpers import CODE, SCHEMA, VALIDATOR, analysis, assert_valid, finding, report

from codeintel import __version__
from codeintel.contracts import (
    AnalyzerStatus,
    Applicability,
    Category,
    Confidence,
    Edit,
    Fix,
    FlowStep,
    Range,
    RuleInfo,
    RuleRef,
    Severity,
    StepKind,
    Suppression,
)
from codeintel.sarif import Artifact, sarif_log
from codeintel.sarif.rules import Components

ARTIFACT = Artifact("src/a.py", CODE, CODE.encode())


def run_of(log: dict[str, Any]) -> dict[str, Any]:
    assert_valid(log)
    (run,) = log["runs"]
    found: dict[str, Any] = run
    return found


def only_result(*args: Any, **more: Any) -> dict[str, Any]:
    (result,) = run_of(sarif_log(analysis(finding(*args, **more)), ARTIFACT))["results"]
    found: dict[str, Any] = result
    return found


def test_the_schema_is_the_official_one_and_refuses_what_is_wrong() -> None:
    log = sarif_log(analysis(finding()), ARTIFACT)
    assert SCHEMA["id"] == log["$schema"]
    log["runs"][0]["results"][0]["level"] = "critical"
    assert not VALIDATOR.is_valid(log)


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


def test_the_run_around_it() -> None:
    run = run_of(sarif_log(analysis(finding()), ARTIFACT))
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["newlineSequences"] == ["\r\n", "\n", "\r"]
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert run["artifacts"] == [
        {
            "location": {"uri": "src/a.py", "uriBaseId": "%SRCROOT%"},
            "roles": ["analysisTarget"],
            "encoding": "UTF-8",
            "sourceLanguage": "python",
            "length": len(CODE),
            "hashes": {"sha-256": hashlib.sha256(CODE.encode()).hexdigest()},
        }
    ]
    assert run["originalUriBaseIds"].keys() == {"%SRCROOT%"}
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("codeintel", __version__)
    assert "notifications" not in driver
    assert run["properties"] == {"engine": "static", "metrics": {"linesOfCode": 4}}


def test_nothing_found_is_said_and_nothing_else_is_empty() -> None:
    run = run_of(sarif_log(analysis(), ARTIFACT))
    assert run["results"] == []
    assert "taxonomies" not in run
    (extension,) = run["tool"]["extensions"]
    assert extension == {"name": "ruff", "version": "0.17.1", "rules": []}


def test_rules_stand_with_the_analyser_that_has_them() -> None:
    found = (
        finding("B"),
        finding("A"),
        finding("A", line=5),
        finding("A", engine="bandit"),
        finding("X", engine="unreported"),
    )
    run = run_of(sarif_log(analysis(*found, analyzers=(report("secrets"), report())), ARTIFACT))
    rules = {
        each["name"]: [rule["id"] for rule in each["rules"]] for each in run["tool"]["extensions"]
    }
    assert rules == {"bandit": ["A"], "ruff": ["A", "B"], "secrets": [], "unreported": ["X"]}
    assert run["tool"]["driver"]["rules"] == []


def test_what_a_rule_says_of_itself() -> None:
    rule = RuleInfo(
        id="S605",
        summary="Shell from a [link](1) and {0}.",
        cwe="CWE-78",
        severity=Severity.MEDIUM,
        confidence=Confidence.HIGH,
        category=Category.SECURITY,
        remedy="Pass a list.",
    )
    run = run_of(sarif_log(analysis(finding()), ARTIFACT, {"ruff": [rule]}))
    (descriptor,) = run["tool"]["extensions"][0]["rules"]
    assert descriptor == {
        "id": "S605",
        "shortDescription": {"text": "Shell from a [link] (1) and {{0}}."},
        "help": {"text": "Pass a list."},
        "defaultConfiguration": {"level": "warning"},
        "properties": {
            "precision": "high",
            "tags": ["security", "CWE-78", "external/cwe/cwe-078"],
            "severity": "medium",
            "security-severity": "5.5",
        },
        "relationships": [
            {
                "target": {"id": "78", "index": 0, "toolComponent": {"name": "CWE", "index": 0}},
                "kinds": ["relevant"],
            }
        ],
    }
    assert run["tool"]["extensions"][0]["supportedTaxonomies"] == [{"name": "CWE", "index": 0}]
    assert run["results"][0]["level"] == "error"  # the finding's own severity counts for it


def rule_info(rule_id: str) -> RuleInfo:
    return RuleInfo(
        id=rule_id,
        summary="Bad.",
        cwe=None,
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        category=Category.SECURITY,
    )


@pytest.mark.parametrize(
    ("service", "engine", "rule_id", "page"),
    [
        ("http://127.0.0.1:8000", "ruff", "F401", "http://127.0.0.1:8000/docs/rules/ruff/F401"),
        (
            "https://a:b@c.example/d/",
            "oxlint",
            "x/y z",
            "https://c.example/d/docs/rules/oxlint/x/y%20z",
        ),
        ("http://[::1]:1", "a", "?#\ud800", "http://[::1]:1/docs/rules/a/%3F%23%3F"),
    ],
)
def test_rules_refer_to_their_pages(service: str, engine: str, rule_id: str, page: str) -> None:
    found, known = finding(rule_id, engine=engine), {engine: [rule_info(rule_id)]}
    (component,) = Components(analysis(found, analyzers=()), known, service).tool([])["extensions"]
    assert component["rules"][0]["helpUri"] == page


def test_a_log_with_pages_is_valid() -> None:
    found = analysis(finding("b"), finding("a"), finding("unlisted"))
    known = {"ruff": [rule_info("a"), rule_info("b")]}
    log = sarif_log(found, ARTIFACT, known, service="http://h.example")
    rules = run_of(log)["tool"]["extensions"][0]["rules"]
    assert [rule.get("helpUri") for rule in rules] == [
        "http://h.example/docs/rules/ruff/a",
        "http://h.example/docs/rules/ruff/b",
        None,
    ]
    plain = run_of(sarif_log(analysis(finding()), ARTIFACT))
    assert "helpUri" not in plain["tool"]["extensions"][0]["rules"][0]


def test_of_a_rule_that_nobody_knows_its_findings_tell() -> None:
    found = [
        finding(message="one", severity=Severity.LOW),
        finding(message="two", line=5, cwe=None, remedy="Do not."),
    ]
    run = run_of(sarif_log(analysis(*found), ARTIFACT))
    (descriptor,) = run["tool"]["extensions"][0]["rules"]
    assert descriptor["defaultConfiguration"] == {"level": "error"}
    assert descriptor["shortDescription"] == {"text": "S605, a rule of ruff."}
    assert descriptor["help"] == {"text": "Do not."}
    run = run_of(sarif_log(analysis(found[0]), ARTIFACT))
    assert run["tool"]["extensions"][0]["rules"][0]["shortDescription"] == {"text": "one"}


@pytest.mark.parametrize(
    ("severity", "level", "security"),
    [
        (Severity.CRITICAL, "error", "9.5"),
        (Severity.HIGH, "error", "8.0"),
        (Severity.MEDIUM, "warning", "5.5"),
        (Severity.LOW, "note", "3.0"),
        (Severity.INFO, "note", "1.0"),
    ],
)
def test_grades(severity: Severity, level: str, security: str) -> None:
    run = run_of(sarif_log(analysis(finding(severity=severity)), ARTIFACT))
    assert run["results"][0]["level"] == level
    properties = run["tool"]["extensions"][0]["rules"][0]["properties"]
    assert properties["security-severity"] == security
    plain = run_of(sarif_log(analysis(finding(severity=severity, cwe=None)), ARTIFACT))
    properties = plain["tool"]["extensions"][0]["rules"][0]["properties"]
    assert "security-severity" not in properties
    assert properties["tags"] == ["security"]


def test_ranks_go_by_severity_and_then_by_confidence() -> None:
    ranks = [
        only_result(severity=severity, confidence=confidence)["rank"]
        for severity in Severity
        for confidence in Confidence
    ]
    assert ranks == sorted(set(ranks), reverse=True)
    assert 0 <= ranks[-1] < ranks[0] <= 100


def test_weaknesses_are_listed_once_in_order() -> None:
    found = [finding(each, cwe=each) for each in ("CWE-798", "CWE-89", "CWE-089", "CWE-" + "9" * 9)]
    run = run_of(sarif_log(analysis(*found), ARTIFACT))
    (taxonomy,) = run["taxonomies"]
    assert [taxon["id"] for taxon in taxonomy["taxa"]] == ["89", "798", "9" * 9]


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


@pytest.mark.parametrize(
    ("status", "level", "successful"),
    [("truncated", "warning", True), ("timed_out", "error", False), ("failed", "error", False)],
)
def test_analysers_that_did_not_complete(status: str, level: str, successful: bool) -> None:
    reports = (
        report(),
        report("bandit", AnalyzerStatus(status)),
        report("x", AnalyzerStatus(status)),
    )
    run = run_of(sarif_log(analysis(analyzers=reports), ARTIFACT))
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is successful
    first, second = invocation["toolExecutionNotifications"]
    id_ = f"analyzer-{status.replace('_', '-')}"
    assert first["descriptor"] == second["descriptor"] == {"id": id_, "index": 0}
    assert (first["level"], first["properties"]) == (level, {"analyzer": "bandit"})
    assert first["message"]["text"].startswith("Not all was checked: bandit ")
    assert [each["id"] for each in run["tool"]["driver"]["notifications"]] == [id_]


def test_a_run_that_was_cut_short() -> None:
    log = sarif_log({"findings": []}, ARTIFACT, unfinished="The run failed: {it} broke.")
    (invocation,) = run_of(log)["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"] == {"text": "The run failed: {{it}} broke."}


def test_without_the_code() -> None:
    run = run_of(sarif_log(analysis(finding(), language=None), Artifact("stdin")))
    assert run["artifacts"][0].keys() == {"location", "roles", "encoding"}
    assert "partialFingerprints" not in run["results"][0]


def test_an_absolute_address_has_no_base() -> None:
    run = run_of(sarif_log(analysis(finding()), Artifact("file:///a.py", CODE)))
    assert run["artifacts"][0]["location"] == {"uri": "file:///a.py"}
    assert "originalUriBaseIds" not in run


def test_the_document_says_the_same_as_the_object() -> None:
    found = analysis(finding(also=(RuleRef("B605", "bandit"),)), finding("F401", cwe=None))
    document = json.loads(msgspec.json.encode(found))
    assert sarif_log(document, ARTIFACT) == sarif_log(found, ARTIFACT)


def test_a_later_version_s_finding_is_taken_for_the_worst_and_admitted() -> None:
    found = analysis(finding(severity=Severity.INFO), finding(line=5))
    document = json.loads(msgspec.json.encode(found))
    document["findings"][0] |= {"severity": "of.tomorrow", "fix": 1, "new": 2}
    run = run_of(sarif_log(document, ARTIFACT))
    first, second = run["results"]
    assert (first["level"], first["properties"]["severity"]) == ("error", "critical")
    assert (first["ruleId"], second["properties"]["severity"]) == ("S605", "high")
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (notification["level"], notification["message"]["text"][:2]) == ("warning", "1 ")


@pytest.mark.parametrize("value", [None, 1, "text", [1], {"a": 1}, True, [{}]])
def test_values_of_another_shape_do_no_harm(value: Any) -> None:
    names = ("findings", "analyzers", "metrics", "engine", "language", "summary")
    for name in names:
        run_of(sarif_log({name: value}, ARTIFACT))
    fields = ("ruleId", "range", "flow", "fix", "also", "suppression", "cwe", "message")
    run_of(sarif_log({"findings": [{name: value} for name in fields]}, ARTIFACT))
