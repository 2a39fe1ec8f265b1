"""Reports have the values that cross the files of a revision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from proof_work import CLEAN, push, rows, work_off
from secret_texts import TOKENS
from support import User

from codeintel.app import Services
from codeintel.contracts import (
    AnalysisResult,
    Category,
    Confidence,
    Finding,
    FlowStep,
    Range,
    Severity,
    StepKind,
)
from codeintel.contracts.scans.records import Cause, CrossFileResult, ScanFinding
from codeintel.contracts.workspaces.records import LeftOutFile, ProofState
from codeintel.platform.workers.text_functions import TextWorkError
from codeintel.runs.scans.linking import LINKS, SUMMARIES
from codeintel.runs.scans.results import ResultKey
from codeintel.workspaces.proof.cross_file import _Summaries, crossing_findings
from codeintel.workspaces.proof.exports import ExportFormat
from codeintel.workspaces.proof.shapes import BaselineState, Report, ReportedFinding

STORE = """\
import sqlite3


def find(name):
    return sqlite3.connect("a").execute("select * from users where name = '" + name + "'")
"""
WEB = """\
from flask import request

from lib import store


def show():
    return store.find(request.args["name"])
"""
TOKEN = next(token for rule, token in TOKENS if rule == "github-token")
FILES = {"/lib/store.py": STORE, "/web.py": WEB}
SAFE = WEB.replace('request.args["name"]', '"nobody"')


def reported(
    services: Services, user: User, files: Mapping[str, str], **more: Any
) -> tuple[Report, Any]:
    """Push files, and return the report with its workspace."""
    session = push(services, user, files, **more)
    work_off(services)
    return services.proof.report(session), session


def crossing(report: Report) -> list[Any]:
    """Return the findings with a step in another file."""
    return [each for each in report.findings if any(step.path for step in each.finding.flow or ())]


def test_a_value_from_another_file_is_a_finding(database_services: Services, payer: User) -> None:
    services = database_services
    report, session = reported(services, payer, FILES)
    assert report.summary.status is ProofState.FAILED
    [found] = crossing(report)
    assert (found.path, found.finding.cwe, found.finding.range.start_line) == (
        "/lib/store.py",
        "CWE-89",
        5,
    )
    assert found.excerpt.startswith("return sqlite3.connect")
    steps = [(step.path or found.path, step.range.start_line) for step in found.finding.flow]
    assert steps[0] == ("/web.py", 7)
    assert steps[-1] == ("/lib/store.py", 5)
    assert report.summary.files_analyzed == 2
    assert [each for each in report.findings if each.finding.cwe == "CWE-89"] == [found]
    assert found.finding.also, "the rule that found it without its path is named"
    assert sum(report.summary.counts.values()) == len(report.findings)

    _, log = services.proof.export(session, None, ExportFormat.SARIF, {}, "http://localhost")
    assert b'"uri":"web.py"' in log.replace(b" ", b"")
    assert b'"/web.py"' not in log


def test_it_is_the_same_until_it_is_fixed(database_services: Services, payer: User) -> None:
    services = database_services
    reported(services, payer, FILES)
    moved, _ = reported(services, payer, {**FILES, "/lib/store.py": f"# Users.\n{STORE}"})
    [same] = crossing(moved)
    assert same.comparison is BaselineState.SAME
    fixed, _ = reported(services, payer, {**FILES, "/web.py": SAFE})
    assert crossing(fixed) == []
    assert [each.fingerprint for each in fixed.fixed] == [same.fingerprint]
    # The rule without a path reports what the other stood for, and it is not new.
    [alone] = [each for each in fixed.findings if each.finding.cwe == "CWE-89"]
    assert (alone.finding.engine, alone.comparison) == ("patterns", BaselineState.SAME)
    again, _ = reported(services, payer, FILES)
    assert [each.comparison for each in crossing(again)] == [BaselineState.NEW]
    assert "CWE-89" not in {each.finding.cwe for each in again.fixed}


def test_only_changed_files_are_summarized_again(
    database_services: Services, payer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = database_services
    reported(services, payer, {**FILES, "/other.py": CLEAN})
    names: list[str] = []
    run = services.pool.texts.run

    def noted(turn: str, function: Any, parts: Any, *more: Any) -> Any:
        parts = list(parts)
        if function in {SUMMARIES, LINKS}:
            names.extend([function.name] * (len(parts) if function is SUMMARIES else 1))
        return run(turn, function, parts, *more)

    monkeypatch.setattr(services.pool.texts, "run", noted)
    report, _ = reported(services, payer, {**FILES, "/other.py": f"{CLEAN}\n\nNUMBER = 2\n"})
    assert names == [SUMMARIES.name, LINKS.name]
    assert len(crossing(report)) == 1


def test_values_that_were_not_followed_make_the_report_incomplete(
    database_services: Services, payer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = database_services
    run = services.pool.texts.run

    def failing(turn: str, function: Any, parts: Any, *more: Any) -> Iterator[Any]:
        if function is LINKS:
            raise TextWorkError("no process")
        return run(turn, function, parts, *more)

    monkeypatch.setattr(services.pool.texts, "run", failing)
    report, _ = reported(services, payer, {"/web.py": SAFE, "/other.py": CLEAN})
    assert report.summary.status is ProofState.INCOMPLETE
    assert report.summary.left_out == {Cause.CRASH: 1}
    assert any("Values were not followed across files" in note for note in report.notes)


def test_files_with_secrets_are_not_linked(database_services: Services, payer: User) -> None:
    files = {"/web.py": SAFE, "/other.py": CLEAN}
    report, _ = reported(
        database_services, payer, files, skipped=[LeftOutFile("/key.py", "github-token")]
    )
    assert any("1 file with secrets" in note for note in report.notes)


def test_summaries_are_deleted_with_the_workspace(database_services: Services, payer: User) -> None:
    services = database_services
    _, session = reported(services, payer, FILES)
    assert rows(services, "SELECT count(*) AS number FROM scan_results")[0].number == len(FILES)
    services.workspaces.delete(session)
    services.workspaces.collect()
    assert rows(services, "SELECT count(*) AS number FROM scan_results")[0].number == 0


def test_nothing_is_fixed_while_values_are_not_followed(
    database_services: Services, payer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = database_services
    reported(services, payer, FILES)
    run = services.pool.texts.run

    def failing(turn: str, function: Any, parts: Any, *more: Any) -> Iterator[Any]:
        if function is LINKS:
            raise TextWorkError("no process")
        return run(turn, function, parts, *more)

    monkeypatch.setattr(services.pool.texts, "run", failing)
    report, _ = reported(services, payer, {**FILES, "/other.py": CLEAN})
    assert crossing(report) == []
    assert [each for each in report.fixed if each.finding.flow] == []


def test_a_file_that_is_no_longer_stored_fixes_nothing(
    database_services: Services, payer: User
) -> None:
    services = database_services
    reported(services, payer, {**FILES, "/other.py": CLEAN})
    with_secret = {**FILES, "/other.py": CLEAN, "/web.py": f'{WEB}\n\nTOKEN = "{TOKEN}"\n'}
    report, _ = reported(services, payer, with_secret)
    assert "/web.py" in {each.path for each in report.secrets}
    assert [each for each in report.fixed if each.finding.flow] == []


def test_excerpts_and_fingerprints_hide_the_secrets_of_the_line() -> None:
    line = 'execute(query, password="hunter2xyz")'
    at = Range(1, 1, 1, len(line) + 1)
    sql = Finding(
        rule_id="taint-sql",
        engine="taint",
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        cwe="CWE-89",
        message="SQL injection.",
        range=at,
        flow=(FlowStep(StepKind.SOURCE, at, "request data", "web.py"),),
    )
    secret = msgspec.structs.replace(
        sql, cwe="CWE-798", category=Category.SECRETS, range=Range(1, 25, 1, 37), flow=UNSET
    )
    alone = AnalysisResult(
        language="python", engine="", summary="", findings=(secret,), metrics={}, analyzers=()
    )
    crossed = CrossFileResult(
        findings=(ScanFinding(path="store.py", finding=sql, fingerprint="", excerpt=""),)
    )

    def found(text: str) -> ReportedFinding:
        [each] = crossing_findings(crossed, {"/store.py": alone}, {"/store.py": text})
        return each

    assert "hunter2" not in found(line).excerpt
    other = line.replace("hunter2xyz", "hunter3xyz")
    assert found(line).fingerprint == found(other).fingerprint


def test_summaries_of_deleted_contents_are_not_stored(
    database_services: Services, payer: User
) -> None:
    services = database_services
    store = _Summaries(services.engine, services.proof._writer, payer.account.id, 3600)
    push(services, payer, {"/a.py": CLEAN})
    [there] = rows(services, "SELECT sha256 FROM workspace_contents")
    store.put({ResultKey(there.sha256, "x"): b"1", ResultKey("0" * 64, "x"): b"2"})
    assert [row.sha256 for row in rows(services, "SELECT sha256 FROM scan_results")] == [
        there.sha256
    ]
