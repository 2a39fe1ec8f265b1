"""The proof loop from a push to a report, over each kind of database."""

from __future__ import annotations

from typing import Any

import pytest
from proof_scenes import FILES, balance
from proof_work import JAVASCRIPT, PYTHON, change, check_books, push, rows, work_off
from support import User, make_user

from codeintel.app import Services
from codeintel.contracts import AnalysisTask, Severity
from codeintel.contracts.workspaces.records import ProofState
from codeintel.runs.scans.analysis import ContentAnalysis
from codeintel.workspaces.proof.shapes import BaselineState


def test_defects_in_several_languages_are_reported_once_each(
    database_services: Services, payer: User
) -> None:
    services = database_services
    session = push(services, payer, FILES)
    status = services.proof.status(session)
    assert (status.status, status.revision) == (ProofState.QUEUED, 1)
    assert balance(services, payer) == (100, 0)
    assert work_off(services) == 1
    report = services.proof.report(session)
    summary = report.summary
    assert (summary.status, summary.revision) == (ProofState.FAILED, 1), summary.reason
    assert services.proof.status(session).status is ProofState.FAILED
    assert services.proof.status(session).reason == summary.reason
    found = [
        (each.path, each.finding.range.start_line)
        for each in report.findings
        if each.finding.severity in {Severity.CRITICAL, Severity.HIGH}
    ]
    assert found.count(("/app/run.py", 5)) == 1
    assert found.count(("/web/show.js", 2)) >= 1
    marks = [(each.path, each.fingerprint) for each in report.findings]
    assert len(marks) == len(set(marks))
    assert not any(each.path == "/app/clean.py" for each in report.findings)
    assert {each.path: each.reason for each in report.unchecked} == {
        "/notes.xyz": "unknown language",
        "/web/lib.min.js": "minified",
    }
    assert summary.files_analyzed == 3
    assert summary.counts[Severity.HIGH] + summary.counts[Severity.CRITICAL] == len(found)
    assert {each.language for each in report.languages} == {None, "javascript", "python"}
    assert (summary.new, summary.against, report.fixed) == (None, None, ())
    assert services.proof.reports(session) == [summary]
    assert (summary.credits_charged, balance(services, payer)) == (2, (98, 0))
    (entry,) = [each for each in services.ledger.entries(payer.account.id) if each.amount < 0]
    assert (entry.amount, entry.metered) == (-2, 2)
    assert entry.reason == "repository analysis, 3 files"
    check_books(services)


def test_a_later_revision_is_compared_and_unchanged_files_are_not_analysed_again(
    database_services: Services, payer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = database_services
    push(services, payer, FILES)
    work_off(services)
    analysed: list[str] = []
    whole = ContentAnalysis.analyze

    def note(self: Any, engine: Any, task: AnalysisTask, turn: str) -> Any:
        analysed.append(task.code)
        return whole(self, engine, task, turn)

    monkeypatch.setattr(ContentAnalysis, "analyze", note)
    changed = "// moved down\n" + JAVASCRIPT
    more = {**FILES, "/web/show.js": changed, "/app/new.py": PYTHON + "\nrun('ls')\n"}
    del more["/app/run.py"]
    session = push(services, payer, more)
    work_off(services)
    assert sorted(analysed) == sorted([changed, more["/app/new.py"]])
    report = services.proof.report(session)
    assert report.summary.against == 1
    by_path = {(each.path, each.comparison) for each in report.findings}
    assert ("/web/show.js", BaselineState.SAME) in by_path
    assert ("/web/show.js", BaselineState.NEW) not in by_path
    assert ("/app/new.py", BaselineState.NEW) in by_path
    assert {each.path for each in report.fixed} == {"/app/run.py"}
    assert report.summary.fixed == len(report.fixed)
    assert services.proof.report(session, 1).summary.revision == 1
    assert [each.revision for each in services.proof.reports(session)] == [2, 1]
    assert balance(services, payer) == (96, 0)


def test_what_has_nothing_to_analyse_costs_nothing(
    quick_services: Services, customer: User
) -> None:
    services = quick_services
    session = push(services, customer, {"/notes.xyz": "nothing\n"})
    work_off(services)
    report = services.proof.report(session)
    assert report.summary.status is ProofState.SKIPPED
    assert report.summary.reason == "No file of the revision could be analyzed."
    assert [each.path for each in report.unchecked] == ["/notes.xyz"]
    assert [each.language for each in report.languages] == [None]
    assert balance(services, customer) == (100, 0)


def test_results_of_contents_that_are_gone_are_deleted(
    quick_services: Services, customer: User
) -> None:
    services = quick_services
    session = push(services, customer, FILES)
    work_off(services)
    services.proof.sweep()
    assert len(rows(services, "SELECT sha256 FROM workspace_file_results")) == 3
    services.workspaces.delete(session)
    change(services, "UPDATE workspace_contents SET stored_ms = 1")
    services.workspaces.collect()
    assert rows(services, "SELECT sha256 FROM workspace_file_results") == []


def test_no_account_gets_anothers_results(quick_services: Services, customer: User) -> None:
    services = quick_services
    other = make_user(services, "other@example.org")
    for user in (customer, other):
        session = push(services, user, FILES)
        work_off(services)
        assert services.proof.status(session).status is ProofState.PASSED
    counted = rows(
        services, "SELECT account_id, count(*) AS n FROM workspace_file_results GROUP BY account_id"
    )
    assert sorted(row.n for row in counted) == [3, 3]


def test_a_file_that_cannot_be_analysed_is_named(
    quick_services: Services, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, user = quick_services, customer
    session = push(services, user, FILES)
    whole = ContentAnalysis.analyze

    def fail(self: Any, engine: Any, task: AnalysisTask, turn: str) -> Any:
        if task.code == PYTHON:
            raise ValueError("broken")
        return whole(self, engine, task, turn)

    monkeypatch.setattr(ContentAnalysis, "analyze", fail)
    work_off(services)
    report = services.proof.report(session)
    assert {"path": "/app/run.py", "reason": "the analysis failed"} in [
        {"path": each.path, "reason": each.reason} for each in report.unchecked
    ]
    assert report.summary.files_analyzed == 2
    assert balance(services, user) == (98, 0)
