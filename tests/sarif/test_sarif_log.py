"""Logs: the run, its invocation and its artifacts, and that they are SARIF by its own schema."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
from sarif_helpers import CODE, SCHEMA, VALIDATOR, analysis, finding, report
from sarif_runs import ARTIFACT, run_of

from codeintel import __version__
from codeintel.contracts import (
    AnalyzerStatus,
    RuleRef,
    Severity,
)
from codeintel.engine.sarif import Artifact, sarif_log


def test_the_schema_is_the_official_one_and_refuses_what_is_wrong() -> None:
    log = sarif_log(analysis(finding()), ARTIFACT)
    assert SCHEMA["id"] == log["$schema"]
    assert VALIDATOR.is_valid(log)
    log["runs"][0]["results"][0]["level"] = "critical"
    assert not VALIDATOR.is_valid(log)


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
    assert first["message"]["text"].startswith("bandit ")
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
