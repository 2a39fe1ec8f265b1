"""Charges, reservations and refunds of the proof loop, regardless of its jobs' outcomes."""

from __future__ import annotations

import pytest
from proof_scenes import FILES, balance
from proof_work import change, check_books, push, rows, work_off
from support import User, make_user

from codeintel.app import Services
from codeintel.contracts.workspaces.records import ProofState


def test_without_credits_it_is_skipped_and_says_why(quick_services: Services) -> None:
    services = quick_services
    poor = make_user(services, credits_=1)
    session = push(services, poor, FILES)
    work_off(services)
    status = services.proof.status(session)
    assert status.status is ProofState.SKIPPED
    assert "costs 2 credits" in str(status.reason)
    assert "has 1 available" in str(status.reason)
    assert balance(services, poor) == (1, 0)
    empty = services.proof.report(session)
    assert (empty.summary.reason, empty.findings) == (status.reason, ())
    services.ledger.grant(poor.account.id, 1, "more")
    assert services.proof.request(session).status is ProofState.QUEUED
    work_off(services)
    assert services.proof.status(session).status is ProofState.PASSED
    assert balance(services, poor) == (0, 0)
    check_books(services)


def test_unlimited_accounts_are_metered_and_pay_nothing(quick_services: Services) -> None:
    services = quick_services
    rich = make_user(services, credits_=0, unlimited=True)
    session = push(services, rich, FILES)
    work_off(services)
    assert services.proof.report(session).summary.credits_charged == 0
    (entry,) = services.ledger.entries(rich.account.id)
    assert (entry.amount, entry.metered) == (0, 2)
    check_books(services)


def test_a_job_that_failed_for_good_ends_its_report(
    quick_services: Services, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = quick_services
    session = push(services, customer, FILES)
    analysis = services.proof._job._analysis
    monkeypatch.setattr(analysis, "outcomes", lambda *_: 1 / 0)
    (job,) = rows(services, "SELECT job_id FROM workspace_reports")
    for _ in range(5):
        work_off(services)
    ended = services.jobs.find(job.job_id)
    assert ended is not None
    assert ended.state == "failed"
    assert balance(services, customer) == (100, 2)
    status = services.proof.status(session)  # reported immediately, swept later
    assert (status.status, "Nothing was charged" in str(status.reason)) == (
        ProofState.SKIPPED,
        True,
    )
    assert services.proof.sweep() == 1
    assert services.proof.sweep() == 0
    assert services.proof.status(session).status is ProofState.SKIPPED
    assert balance(services, customer) == (100, 0)
    check_books(services)
    monkeypatch.undo()
    services.proof.request(session)
    work_off(services)
    assert services.proof.status(session).status is ProofState.PASSED
    assert balance(services, customer) == (98, 0)


def test_a_lease_that_was_lost_is_reserved_anew(
    quick_services: Services, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = quick_services
    session = push(services, customer, FILES)
    read = services.proof._job._dependencies.read

    def lose(*more: object) -> object:
        (row,) = rows(services, "SELECT hold_id FROM workspace_reports")
        change(services, "UPDATE holds SET state = 'voided' WHERE id = :id", id=row.hold_id)
        change(services, "UPDATE balances SET held = 0")
        return read(*more)  # type: ignore[arg-type]

    monkeypatch.setattr(services.proof._job._dependencies, "read", lose)
    work_off(services)
    assert services.proof.status(session).status is ProofState.PASSED
    assert balance(services, customer) == (98, 0)
    check_books(services)


def test_what_is_reserved_for_a_deleted_session_is_given_back(
    quick_services: Services, customer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = quick_services
    session = push(services, customer, FILES)
    monkeypatch.setattr(services.proof._job._analysis, "outcomes", lambda *_: 1 / 0)
    work_off(services)
    services.workspaces.delete(session)
    services.proof.sweep()
    assert balance(services, customer) == (100, 2)  # the lease has not run out
    change(services, "UPDATE holds SET expires_ms = 1")
    services.runs.store.sweep()  # that of runs leaves it alone
    assert balance(services, customer) == (100, 2)
    services.proof.sweep()
    assert balance(services, customer) == (100, 0)
    check_books(services)
