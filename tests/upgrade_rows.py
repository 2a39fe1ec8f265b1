"""Rows as each version of the schema had them: those of its new tables."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, MetaData, insert
from stored_samples import job_row, run_row, snapshot

from codeintel.base import key_format
from codeintel.operations.backups import content
from codeintel.platform.db.migrate import pepper_fingerprint

ACCOUNT = "acc_0123456789abcdef01234567"
UNLIMITED = "acc_00000000000000000000000b"
PEPPER = "a-pepper-for-tests-that-is-long-enough"
TOKEN = key_format.make_token()
AT = 1_650_000_000_000
Rows = dict[str, list[dict[str, Any]]]


def owned(**more: Any) -> dict[str, Any]:
    return {"account_id": ACCOUNT, **more}


def entry(number: int, amount: int, **more: Any) -> dict[str, Any]:
    kind = "grant" if amount > 0 else "charge"
    row = owned(id=number, kind=kind, amount=amount, metered=max(0, -amount), created_ms=AT)
    return {**row, "run_id": None, "reason": "grüße\n'quoted'", **more}


FIRST: Rows = {
    "accounts": [
        {"id": ACCOUNT, "email": "old@example.org", "tier": "PRO", "unlimited": False},
        {"id": UNLIMITED, "email": "ops@example.org", "tier": "TEAM", "unlimited": True},
    ],
    "facts": [
        {"name": "key_pepper_fingerprint", "value": pepper_fingerprint(PEPPER.encode())},
    ],
    "api_keys": [
        owned(
            id="key_1",
            name="CI of the shop",
            scopes="api:v1 workspace:write",
            digest=key_format.digest(TOKEN, PEPPER.encode()),
            preview="ci_live_…abcd",
            expires_ms=2**45,
        ),
        owned(id="key_2", name="x", scopes="api:v1", digest="b" * 64, preview="", expires_ms=1),
    ],
    "balances": [
        owned(posted=95, held=3),
        {"account_id": UNLIMITED, "posted": 0, "held": 0},
    ],
    "holds": [
        owned(id="run_1", amount=5, state="settled", expires_ms=AT),
        owned(id="run_2", amount=3, state="pending", expires_ms=2**45),
    ],
    "ledger_entries": [entry(1, 100), entry(5, -5, run_id="run_1")],
    "runs": [
        run_row(ACCOUNT, "run_1", "completed", price=5, charged=5, finished_ms=2**45),
        run_row(ACCOUNT, "run_2", "running", price=3),
    ],
}
ROWS: dict[str, Rows] = {
    "0001": FIRST,
    "0002": {
        "idempotency_keys": [owned(route="/", digest="d" * 64, body="b", run_id="run_1")],
    },
    "0003": {
        "source_reports": [
            {"source": "npm", "problem": "p", "message": "m", "failures": 1, "failed_ms": AT}
        ],
    },
    "0004": {"jobs": [job_row("job_1", "queued"), job_row("job_2", "done", finished_ms=2**45)]},
    "0005": {
        "trust_snapshots": [snapshot("npm/a", "snp_1", AT)],
        "trust_packages": [
            {
                "key": "npm/a",
                "ecosystem": "npm",
                "name": "a",
                "version": "",
                "snapshot_id": "snp_1",
                "score": 0.1 + 0.2,
                "refreshed_ms": AT,
            }
        ],
        "trust_observations": [
            {"package": "npm/a", "metric": "stars", "at_ms": AT, "value": 1e15 / 3}
        ],
        "trust_nodes": [
            {"id": n, "kind": "package", "key": f"k{n}", "label": "", "observed_ms": 0}
            for n in (3, 4)
        ],
        "trust_edges": [
            {
                "source_id": 3,
                "target_id": 4,
                "kind": "depends_on",
                "requirement": "",
                "observed_ms": AT,
            }
        ],
    },
    "0006": {
        "identities": [owned(issuer="https://i", subject="s", email="old@example.org")],
        "sessions": [
            owned(id="ses_1", digest="e", how="link", agent="", seen_ms=AT, expires_ms=2**45)
        ],
        "sign_in_links": [owned(digest="f", expires_ms=AT)],
        "audit_events": [
            owned(
                id=8, at_ms=AT, kind="key.created", actor="x", address="", subject="", details="{}"
            )
        ],
    },
    "0007": {
        "workspace_sessions": [
            owned(
                id="wsp_1",
                identity="i",
                name="shop",
                source="cli",
                local_root_name="shop",
                branch_name="",
                remote_url="",
                revision=1,
                trust_dependencies=False,
                synced_ms=AT,
            )
        ],
        "workspace_revisions": [
            {
                "session_id": "wsp_1",
                "number": 1,
                "origin": "push",
                "source": "cli",
                "files": 1,
                "bytes": 3,
                "changed": 1,
                "left_out": 0,
                "skipped": "[]",
            }
        ],
        "workspace_contents": [
            owned(sha256="c" * 64, size=3, packed=False, data=b"\x00\xff1", stored_ms=2**45)
        ],
        "workspace_files": [
            owned(id=6, session_id="wsp_1", path="/a", since=1, sha256="c" * 64, size=3)
        ],
    },
    "0008": {},
    "0009": {},
    "0010": {},
    "0011": {},
    "0012": {},
    "0013": {},
    "0014": {},
    "0015": {},
    "0016": {
        "scans": [
            owned(
                id="scn_1",
                model="flash",
                name="shop",
                source="cli",
                files=1,
                listing=b"\x00\xff",
                created_ms=2**45,
            )
        ],
        "scan_contents": [owned(scan_id="scn_1", sha256="c" * 64, size=3, data=b"\x00\xff1")],
        "scan_results": [
            owned(sha256="c" * 64, made_by="m" * 64, data=b"\x00\xff2", stored_ms=2**45)
        ],
    },
}
RENAMED = {("idempotency_keys", "run_id"): "made"}


def add(connection: Connection, rows: Rows) -> None:
    """Insert rows as the version of that time had them."""
    found = MetaData()
    found.reflect(connection)
    for name, values in rows.items():
        for row in values:
            table = found.tables[name]
            when = {"created_ms": AT} if "created_ms" in table.columns else {}
            connection.execute(insert(table).values({**when, **row}))
    content.restart_counters(connection)  # as if the database had numbered them
