"""Deletion after the retention period, exact to the millisecond."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from identity_clock import Clock
from sqlalchemy import Connection, delete, insert, select
from stored_samples import snapshot
from support import make_user

from codeintel.app import Services
from codeintel.identity.audit import AuditRow
from codeintel.identity.tables import SessionRow, SignInLinkRow
from codeintel.operations import retention as sweeping
from codeintel.operations.retention import RetentionSweeper, rules
from codeintel.platform.config import Settings
from codeintel.platform.db.models import ApiKey, SourceReportRow
from codeintel.platform.db.writer import Writer
from codeintel.runs.scans.tables import ScanResultRow
from codeintel.trust.tables import TrustObservation, TrustPackage, TrustSnapshot

KEPT = 100.0
AT = 1_800_000_000_000
LATER = AT + 10**9
SETTINGS = Settings(
    audit_retention=KEPT,
    session_retention=KEPT,
    key_retention=KEPT,
    trust_retention=KEPT,
    source_report_retention=KEPT,
    scan_results=KEPT,
    session_idle=50.0,
)
FOR_EVER = Settings(session_retention=0.0, source_report_retention=0.0, scan_results=0.0)


def session(id_: str, **times: Any) -> dict[str, Any]:
    row = {"id": id_, "digest": id_, "how": "link", "agent": "", "created_ms": 1}
    return {**row, "seen_ms": LATER, "expires_ms": LATER, "ended_ms": None, **times}


def link(digest: str, **times: Any) -> dict[str, Any]:
    return {"digest": digest, "created_ms": 1, "expires_ms": LATER, "ended_ms": None, **times}


def key(id_: str, **times: Any) -> dict[str, Any]:
    row = {"id": id_, "name": id_, "scopes": "", "digest": id_, "preview": "", "created_ms": 1}
    return {**row, "expires_ms": LATER, "revoked_ms": None, **times}


def event(id_: int, at: int) -> dict[str, Any]:
    row = {"id": id_, "at_ms": at, "kind": "key.created", "actor": "", "address": ""}
    return {**row, "subject": "", "details": "{}"}


def report(source: str, **times: Any) -> dict[str, Any]:
    row = {"source": source, "problem": "", "message": "", "failures": 1, "failed_ms": 1}
    return {**row, "answered_ms": None, **times}


def package(snapshot_id: str) -> dict[str, Any]:
    row = {"key": "npm/a", "ecosystem": "npm", "name": "a", "version": "", "score": 1.0}
    return {**row, "snapshot_id": snapshot_id, "created_ms": 1, "refreshed_ms": 1}


def observation(metric: str, at: int) -> dict[str, Any]:
    return {"package": "npm/a", "metric": metric, "at_ms": at, "value": 1.0}


def scan_result(sha256: str, at: int) -> dict[str, Any]:
    return {"sha256": sha256, "made_by": "rules", "data": b"", "stored_ms": at}


CASES: dict[str, tuple[Any, str, list[dict[str, Any]], set[Any]]] = {
    "audit events": (AuditRow, "id", [event(10**6, AT), event(10**6 + 1, AT + 1)], {10**6}),
    "sessions": (
        SessionRow,
        "id",
        [
            session("goes on"),
            session("ended", ended_ms=AT),
            session("ended later", ended_ms=AT + 1),
            session("ran out", expires_ms=AT),
            session("not used", seen_ms=AT - 50_000),
            session("used later", seen_ms=AT - 49_999),
        ],
        {"ended", "ran out", "not used"},
    ),
    "links": (
        SignInLinkRow,
        "digest",
        [link("new"), link("used", ended_ms=AT), link("ran out", expires_ms=AT)],
        {"used", "ran out"},
    ),
    "results of scans": (
        ScanResultRow,
        "sha256",
        [scan_result("old", AT), scan_result("new", AT + 1)],
        {"old"},
    ),
    "keys": (
        ApiKey,
        "id",
        [key("active"), key("revoked", revoked_ms=AT), key("expired", expires_ms=AT)],
        {"revoked", "expired"},
    ),
    "reports": (
        SourceReportRow,
        "source",
        [report("fails"), report("answers", answered_ms=AT), report("new", answered_ms=AT + 1)],
        {"answers"},
    ),
    "snapshots": (
        TrustSnapshot,
        "id",
        [snapshot("npm/a", id_, AT + later) for id_, later in (("old", 0), ("top", 0), ("n", 1))],
        {"old"},
    ),
    "observations": (
        TrustObservation,
        "metric",
        [observation("stars", AT), observation("release", AT + 1)],
        {"stars"},
    ),
}


@pytest.fixture
def services(database_app: Flask) -> Services:
    found: Services = database_app.extensions["codeintel"]
    return found


def make(services: Services, settings: Settings, clock: Clock) -> RetentionSweeper:
    ledger = services.ledger
    return RetentionSweeper(ledger._engine, ledger._writer, settings, clock)


def write(writer: Writer, model: Any, rows: list[dict[str, Any]]) -> None:
    def work(connection: Connection) -> None:
        connection.execute(insert(model), rows)

    writer.run(work)


def present(services: Services, model: Any, column: str) -> set[Any]:
    with services.ledger._engine.connect() as connection:
        return set(connection.scalars(select(model.__table__.c[column])))


def test_each_goes_a_moment_after_its_time(services: Services) -> None:
    """Check that rows that ended at `AT` exist for exactly that long, and are gone a millisecond
    later. All others stay."""
    account_id = make_user(services).account.id
    writer, clock = services.ledger._writer, Clock()
    writer.run(lambda connection: connection.execute(delete(AuditRow)))
    write(writer, TrustPackage, [package("top")])
    before = {}
    for name, (model, column, rows, _) in CASES.items():
        if "account_id" in model.__table__.columns:
            rows = [{**row, "account_id": account_id} for row in rows]
        write(writer, model, rows)
        before[name] = present(services, model, column)
    clock.now = AT + int(KEPT * 1000)
    sweeper = make(services, SETTINGS, clock)
    assert sweeper.sweep() == 0
    clock.now += 1
    make(services, FOR_EVER, clock).sweep()
    for name, (model, column, _, _) in CASES.items():
        assert present(services, model, column) == before[name], name
    assert sweeper.sweep() == sum(len(gone) for _, _, _, gone in CASES.values())
    for name, (model, column, _, gone) in CASES.items():
        assert before[name] - present(services, model, column) == gone, name
    assert sweeper.sweep() == 0
    assert services.ledger.balance(account_id).posted == 100


def test_a_round_is_bounded_and_the_next_goes_on(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a table whose key has several columns, too."""
    monkeypatch.setattr(sweeping, "BATCH", 4)
    monkeypatch.setattr(sweeping, "LOOKED_AT", 8)
    clock = Clock()
    clock.now = AT + int(KEPT * 1000) + 1
    rows = [
        {**observation(f"m{n % 3}", AT + (LATER if n % 2 else 0) + n), "package": f"p{n % 5}"}
        for n in range(-30, 0)
    ]
    write(services.ledger._writer, TrustObservation, rows)
    sweeper = make(services, Settings(trust_retention=KEPT), clock)
    rounds = [sweeper.sweep() for _ in range(5)]
    assert sum(rounds) == 15
    assert max(rounds) <= 8
    assert rounds[0] > 0 < rounds[2]
    assert {at % 2 for at in present(services, TrustObservation, "at_ms")} == {1}


def test_what_is_kept_for_ever_has_no_rule() -> None:
    assert rules(FOR_EVER) == []
    assert {rule.table.name for rule in rules(SETTINGS)} == {
        model.__tablename__ for model, *_ in CASES.values()
    }


def test_it_is_a_chore_of_whoever_works_on_jobs(services: Services) -> None:
    names = [getattr(each, "__qualname__", "") for each in services.jobs.reconciler._chores]
    assert {"RetentionSweeper.sweep", "PersonalData.sweep"} <= set(names)
