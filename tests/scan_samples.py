"""Findings and results of scans, for tests of policies and formats."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from codeintel.cli.scan.policy import ProjectConfig, judge
from codeintel.cli.scan.policy.layers import parse
from codeintel.cli.scan.report import PolicyReport
from codeintel.contracts import (
    Applicability,
    Category,
    Confidence,
    Edit,
    Finding,
    Fix,
    FlowStep,
    Model,
    Range,
    Severity,
    StepKind,
)
from codeintel.contracts.scans.records import (
    Cause,
    ExcludedFile,
    FileResult,
    ScanFinding,
    ScanSummary,
)
from codeintel.engine.sarif.excerpts import Excerpts
from codeintel.engine.sarif.fingerprints import fingerprints

FIX = Fix(
    message="Use literal_eval.",
    applicability=Applicability.UNSAFE,
    edits=(Edit(range=Range(2, 1, 2, 5), content="literal_eval"),),
)
FLOW = (
    FlowStep(kind=StepKind.SOURCE, range=Range(1, 1, 1, 5), message="`name` from `input()`"),
    FlowStep(kind=StepKind.SINK, range=Range(2, 1, 2, 10), message="reaches `eval()`"),
)
TEXT = "name = input()\neval(name)\n"


def finding(rule: str = "python/eval", line: int = 2, **more: Any) -> Finding:
    """Return a finding on the whole of a line."""
    fields: dict[str, Any] = {
        "rule_id": rule,
        "engine": "patterns",
        "severity": Severity.HIGH,
        "confidence": Confidence.HIGH,
        "cwe": "CWE-95",
        "message": f"{rule} found something.",
        "range": Range(line, 1, line, 11),
        "category": Category.SECURITY,
    }
    return Finding(**{**fields, **more})


def scan_findings(path: str, text: str, *findings: Finding) -> tuple[ScanFinding, ...]:
    """Return the findings of a file, as a scanner returns them."""
    marks = fingerprints(findings, text)
    excerpts = Excerpts(text, findings)
    return tuple(
        ScanFinding(
            path=path,
            finding=each,
            fingerprint=mark,
            excerpt=excerpts.of(each),
        )
        for each, mark in zip(findings, marks, strict=True)
    )


def file_result(path: str, text: str, *findings: Finding, **more: Any) -> FileResult:
    """Return the result of a file of Python."""
    fields: dict[str, Any] = {
        "path": path,
        "sha256": "0" * 64,
        "language": "python",
        "lines": text.count("\n"),
        "findings": scan_findings(path, text, *findings),
    }
    return FileResult(**{**fields, **more})


def summary(*results: FileResult, left_out: tuple[ExcludedFile, ...] = ()) -> ScanSummary:
    """Return the summary of some results."""
    found = [each.finding.severity for result in results for each in result.findings]
    return ScanSummary(
        files=len(results) + len(left_out),
        analyzed=sum(each.cause is UNSET for each in results),
        cached=0,
        lines=sum(each.lines for each in results),
        counts={severity: found.count(severity) for severity in Severity},
        left_out=left_out,
        engine="static",
        version="1",
        model=Model.FLASH,
    )


SECRET = "hunter2hunter2"
SETTINGS = """
[[suppress]]
rule = "python/exec"
reason = "Run by hand."
"""


def sample() -> PolicyReport:
    """Return a report with findings of all kinds and a gap."""
    texts = {"a.py": TEXT, "b c.py": f'key = "{SECRET}"\n', "slow.py": ""}
    secret = finding(
        "secrets/password",
        line=1,
        severity=Severity.CRITICAL,
        category=Category.SECRETS,
        cwe="CWE-798",
        range=Range(1, 8, 1, 8 + len(SECRET)),
    )
    results = [
        file_result("a.py", TEXT, finding(flow=FLOW, fix=FIX), finding("python/exec")),
        file_result("b c.py", texts["b c.py"], secret),
        file_result("slow.py", "", cause=Cause.TIME, unchecked=("taint timed out.",)),
    ]
    return judge(results, None, summary(*results), ProjectConfig(parse(SETTINGS)), source=texts.get)
