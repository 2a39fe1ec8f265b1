"""Which revisions the proof loop works on and when: pushes, requests, sessions that end."""

from __future__ import annotations

import pytest
from proof_scenes import FILES, balance
from proof_work import CLEAN, change, check_books, push, rows, work_off
from support import User

from codeintel.app import Services
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.workspaces.records import ProofState


def test_quick_pushes_before_any_worker_are_one_analysis(
    quick_services: Services, customer: User
) -> None:
    services = quick_services
    for number in range(10):
        session = push(services, customer, {"/a.py": f"x = {number}\n"})
    states = services.proof.statuses(session)
    assert {number: each.status for number, each in states.items()} == {10: ProofState.QUEUED}
    assert services.proof.status(session, 4).status is ProofState.SKIPPED
    work_off(services)
    assert services.proof.status(session).status is ProofState.PASSED
    assert balance(services, customer) == (98, 0)
    assert len(services.proof.reports(session)) == 1
    later = push(services, customer, {"/a.py": "x = 11\n"})
    status = services.proof.status(later)
    assert (status.status, status.revision) == (ProofState.QUEUED, 11)
    assert "Not before" in str(status.note)
    (job,) = rows(services, "SELECT run_after_ms, created_ms FROM jobs WHERE state = 'queued'")
    assert 595_000 < job.run_after_ms - job.created_ms <= 600_000
    assert services.proof.request(later).status is ProofState.QUEUED
    (job,) = rows(services, "SELECT run_after_ms, created_ms FROM jobs WHERE state = 'queued'")
    assert job.run_after_ms - job.created_ms < 10_000
    work_off(services)
    assert services.proof.status(later).status is ProofState.PASSED
    assert balance(services, customer) == (96, 0)


def test_a_request_for_what_waits_or_runs_changes_nothing(
    quick_services: Services, customer: User
) -> None:
    services = quick_services
    session = push(services, customer, FILES)
    waiting = services.proof.status(session)
    for state in (ProofState.QUEUED, ProofState.RUNNING):
        change(services, "UPDATE workspace_reports SET state = :state", state=state)
        for _ in range(3):
            same = services.proof.request(session)
            assert (same.report_id, same.status) == (waiting.report_id, state)
    assert len(services.jobs.list("workspace.proof")) == 1
    change(services, "UPDATE workspace_reports SET state = :state", state=ProofState.QUEUED)
    work_off(services)
    again = services.proof.request(session)
    assert (again.status, again.revision) == (ProofState.QUEUED, 1)
    work_off(services)
    assert len(services.proof.reports(session)) == 2
    assert services.proof.report(session).summary.against is None


def test_a_report_waits_while_another_of_its_session_runs(
    quick_services: Services, customer: User
) -> None:
    services = quick_services
    push(services, customer, FILES)
    change(services, "UPDATE workspace_reports SET state = 'running', started_ms = 1")
    session = push(services, customer, {"/a.py": CLEAN})
    services.proof.request(session)
    waiting = services.proof.status(session).report_id
    (job,) = rows(services, "SELECT job_id FROM workspace_reports WHERE revision = 2")
    services.jobs.hurry(job.job_id)
    services.jobs._work.do(job.job_id)
    status = services.proof.status(session)
    assert (status.status, status.report_id) == (ProofState.QUEUED, waiting)
    (other,) = rows(services, "SELECT job_id FROM workspace_reports WHERE revision = 2")
    assert other.job_id != job.job_id
    done = services.jobs.find(job.job_id)
    assert done is not None
    assert done.result == {"state": "busy"}
    work_off(services)  # the one that runs ends, then the one that waits
    work_off(services)
    assert services.proof.status(session).status is ProofState.PASSED
    assert services.proof.status(session, 1).status is ProofState.PASSED
    assert balance(services, customer) == (96, 0)


def test_a_session_that_is_deleted_meanwhile_costs_nothing(
    quick_services: Services, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = quick_services
    session = push(services, customer, FILES)
    read = services.proof._job._dependencies.read

    def delete(*more: object) -> object:
        services.workspaces.delete(session)
        return read(*more)  # type: ignore[arg-type]

    monkeypatch.setattr(services.proof._job._dependencies, "read", delete)
    work_off(services)
    (job,) = services.jobs.list("workspace.proof")
    assert (job.state, job.result) == ("done", {"state": "gone"})
    assert balance(services, customer) == (100, 0)
    check_books(services)
    with pytest.raises(ServiceError) as refused:
        services.proof.request(session)
    assert refused.value.code is ErrorCode.NOT_FOUND
    assert list(services.proof.ticks(session)) == []


def test_nothing_is_asked_for_while_a_session_is_being_deleted(
    quick_services: Services, customer: User
) -> None:
    services = quick_services
    session = push(services, customer, FILES)
    change(services, "UPDATE workspace_sessions SET revision = 0")  # its rows go one by one
    with pytest.raises(ServiceError) as refused:
        services.proof.request(session)
    assert refused.value.code is ErrorCode.NOT_FOUND
    assert list(services.proof.ticks(session)) == []
    assert len(rows(services, "SELECT id FROM workspace_reports")) == 1
    services.workspaces.collect()
    assert rows(services, "SELECT id FROM workspace_reports") == []
