"""A service with something in every table, and what must be true of any database."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, func, insert, select, update
from support import User, make_user

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity import ledger
from codeintel.identity.audit import OPERATOR
from codeintel.operations.backups import content
from codeintel.platform.db.models import (
    Balance,
    Base,
    Hold,
    IdempotencyKey,
    LeaderLease,
    LedgerEntry,
    RunRow,
    SourceReportRow,
    now_ms,
)
from codeintel.platform.jobs.store import JobRow
from codeintel.runs.scans.tables import ScanContentRow, ScanResultRow, ScanRow
from codeintel.trust.tables import (
    TrustCohort,
    TrustEdge,
    TrustForecasts,
    TrustNode,
    TrustObservation,
    TrustPackage,
    TrustRank,
    TrustRanking,
    TrustSnapshot,
)
from codeintel.workspaces.requests import SyncBody
from codeintel.workspaces.tables import FileResultRow, ReportRow

NOW = 1_700_000_000_000
CODE = {"/main.py": "print('grüße \\u2028')\n" * 40, "/a/b.txt": "x"}


def run_row(account_id: str, run_id: str, state: str, **more: Any) -> dict[str, Any]:
    """Return a run."""
    ended = {"charged": 2, "finished_ms": NOW, "result": '{"summary": "fine"}'}
    return {
        "id": run_id,
        "account_id": account_id,
        "kind": "analysis",
        "state": state,
        "engine": "static",
        "model": "flash",
        "owner": "host:1:abcdefgh",
        "epoch": 1,
        "price": 2,
        "created_ms": NOW,
        **(ended if state != "running" else {}),
        **more,
    }


def job_row(job_id: str, state: str, **more: Any) -> dict[str, Any]:
    """Return a job."""
    return {
        "id": job_id,
        "kind": "sample",
        "key": job_id,
        "arguments": "null",
        "state": state,
        "epoch": 3,
        "attempts": 1,
        "run_after_ms": NOW,
        "created_ms": NOW,
        **more,
    }


def fill(services: Services, email: str = "user@example.org") -> User:
    """Create an account with a key, a session, a link, an identity, a workspace, ended runs and
    one in progress, jobs, and facts about packages. All tables have rows."""
    user = make_user(services, email)
    account_id = user.account.id
    services.sessions.open(account_id, "link", agent="Firefox", address="192.0.2.7")
    services.links.make(account_id)
    services.identities.join(account_id, "https://login.example.org", email, email, OPERATOR)
    body = SyncBody(files=CODE, name=f"shop of {email}")
    stored = services.workspaces.sync(account_id, Tier.FREE, body)

    def work(connection: Connection) -> None:
        _runs(connection, account_id)
        report = {
            "id": f"rep_{account_id[-8:]}",
            "session_id": stored.session.id,
            "revision": 1,
            "state": "passed",
            "reason": "",
            "job_id": "job_1",
            "charged": 0,
            "document": b"x\x9c\xab\xae\x05\x00\x01u\x00\xf9",  # {} as zlib has it
            "created_ms": NOW,
        }
        connection.execute(insert(ReportRow).values(report))
        result = {"account_id": account_id, "sha256": "0" * 64, "engine": "static 1"}
        connection.execute(
            insert(FileResultRow).values(**result, data=report["document"], stored_ms=NOW)
        )
        _scan(connection, account_id)

    services.ledger._writer.run(work)
    return user


def _scan(connection: Connection, account_id: str) -> None:
    """Add a scan that waits with a content, and a result."""
    scan_id, digest = f"run_s{account_id[-8:]}", "1" * 64
    packed = zlib.compress(msgspec.msgpack.encode({}))
    connection.execute(
        insert(ScanRow).values(
            id=scan_id,
            account_id=account_id,
            model="flash",
            name="shop",
            source="cli",
            files=1,
            listing=packed,
            created_ms=NOW,
        )
    )
    connection.execute(
        insert(ScanContentRow).values(
            scan_id=scan_id, sha256=digest, account_id=account_id, size=1, data=packed
        )
    )
    connection.execute(
        insert(ScanResultRow).values(
            account_id=account_id, sha256=digest, made_by=digest, data=packed, stored_ms=NOW
        )
    )


def _runs(connection: Connection, account_id: str) -> None:
    tail = account_id[-8:]
    for run_id, state in ((f"run_a{tail}", "completed"), (f"run_b{tail}", "running")):
        assert ledger.hold(connection, run_id, account_id, 2, 60_000)
        connection.execute(insert(RunRow).values(run_row(account_id, run_id, state)))
        connection.execute(
            insert(IdempotencyKey).values(
                account_id=account_id,
                route="/",
                digest=run_id,
                body="b",
                made=run_id,
                created_ms=NOW,
            )
        )
    ledger.release(connection, f"run_a{tail}", charge=2, metered=2, reason="analysis completed")


def fill_shared(services: Services) -> None:
    """Add the rows that belong to no account."""
    package = "npm/left-pad"
    rows: list[tuple[Any, dict[str, Any]]] = [
        (JobRow, job_row("job_ran", "running", owner="h:1:x", lease_ms=NOW, sent_ms=NOW)),
        (JobRow, job_row("job_stop", "running", owner="h:1:x", lease_ms=NOW, cancel_ms=NOW)),
        (JobRow, job_row("job_wait", "queued", sent_ms=NOW)),
        (JobRow, job_row("job_done", "done", finished_ms=now_ms(), result='{"a": 1}')),
        (LeaderLease, {"work": "chores", "owner": "h:1:x", "expires_ms": NOW}),
        (
            SourceReportRow,
            {
                "source": "npm",
                "problem": "timeout",
                "message": "too slow",
                "failures": 2,
                "failed_ms": NOW,
            },
        ),
        (
            TrustPackage,
            {
                "key": package,
                "ecosystem": "npm",
                "name": "left-pad",
                "version": "",
                "snapshot_id": "snp_2",
                "score": 0.1 + 0.2,
                "created_ms": NOW,
                "refreshed_ms": NOW,
            },
        ),
        *((TrustSnapshot, snapshot(package, f"snp_{n}", NOW + n)) for n in (1, 2)),
        (
            TrustObservation,
            {"package": package, "metric": "stars", "at_ms": NOW, "value": 1e15 / 3},
        ),
        (
            TrustForecasts,
            {"package": package, "computed_ms": NOW, "inputs_hash": "h", "body": "{}"},
        ),
        (
            TrustCohort,
            {
                "id": "coh_1",
                "ecosystem": "npm",
                "created_ms": NOW,
                "scorer_version": "1",
                "size": 1,
                "digest": "d",
                "members": "[]",
            },
        ),
        *(
            (TrustNode, {"id": n, "kind": "package", "key": f"k{n}", "label": "", "observed_ms": 0})
            for n in (7, 9)
        ),
        (
            TrustEdge,
            {
                "source_id": 7,
                "target_id": 9,
                "kind": "depends_on",
                "requirement": "^1",
                "observed_ms": NOW,
            },
        ),
        (
            TrustRanking,
            {
                "id": "rnk_1",
                "computed_ms": NOW,
                "is_complete": True,
                "nodes": 2,
                "edges": 1,
                "parameters": "{}",
            },
        ),
        (TrustRank, {"ranking_id": "rnk_1", "node_id": 7, "value": 0.25, "position": 1}),
    ]

    def work(connection: Connection) -> None:
        for model, values in rows:
            connection.execute(insert(model).values(values))

    services.ledger._writer.run(work)


def snapshot(package: str, id_: str, at: int) -> dict[str, Any]:
    """Return the facts about a package."""
    return {
        "id": id_,
        "package": package,
        "collected_ms": at,
        "scorer_version": "1",
        "inputs_hash": "h",
        "inputs": "{}",
        "body": "{}",
    }


def contents_of(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables, in the order of their keys."""
    return {table.name: rows_of(connection, table) for table in content.tables_of(connection)}


def rows_of(connection: Connection, table: Table) -> list[tuple[Any, ...]]:
    """Return the rows of a table as both databases tell them."""
    found = connection.execute(select(table)).all()
    plain = [
        tuple(bytes(cell) if isinstance(cell, memoryview) else cell for cell in row)
        for row in found
    ]
    return sorted(plain, key=repr)


def check_balances(connection: Connection) -> None:
    """Check the invariants of credits."""
    for balance in connection.execute(select(Balance.__table__)):
        entries = select(func.coalesce(func.sum(LedgerEntry.amount), 0)).where(
            LedgerEntry.account_id == balance.account_id
        )
        held = select(func.coalesce(func.sum(Hold.amount), 0)).where(
            Hold.account_id == balance.account_id, Hold.state == ledger.PENDING
        )
        assert balance.posted == connection.scalar(entries)
        assert balance.held == connection.scalar(held)
        assert balance.posted >= balance.held >= 0


def spoil_balance(connection: Connection) -> None:
    """Change a balance so that its entries do not explain it."""
    connection.execute(update(Balance).values(posted=Balance.posted + 1))


def names_of_tables() -> set[str]:
    """Return all tables of the newest revision."""
    return set(Base.metadata.tables)
