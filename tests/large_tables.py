"""One account with very many rows, made by the database itself: in seconds, not minutes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

ACCOUNT = "acc_large"
RUNS = 500_000
OTHERS = 50_000
"""Rows of every other table: enough to make an index worthwhile."""
FIRST_MS = 1_600_000_000_000
_ENDED = f"{FIRST_MS} + CAST(n AS BIGINT) * 60000"
_OWNER = f"CASE n % 4 WHEN 0 THEN 'acc_other' ELSE '{ACCOUNT}' END"

_COLUMNS: dict[str, tuple[int, dict[str, str]]] = {
    "runs": (
        RUNS,
        {
            "id": "'run_' || n",
            "account_id": _OWNER,
            "kind": "'analysis'",
            "state": "'completed'",
            "engine": "'static'",
            "model": "'flash'",
            "owner": "'host:1:x'",
            "epoch": "2",
            "price": "1",
            "created_ms": _ENDED,
            "finished_ms": _ENDED,
        },
    ),
    "holds": (
        OTHERS,
        {
            "id": "'run_' || n",
            "account_id": _OWNER,
            "amount": "1",
            "state": "CASE n % 2 WHEN 0 THEN 'settled' ELSE 'voided' END",
            "created_ms": _ENDED,
            "expires_ms": _ENDED,
        },
    ),
    "idempotency_keys": (
        OTHERS,
        {
            "account_id": _OWNER,
            "route": "'/'",
            "digest": "'d' || n",
            "body": "'b'",
            "made": "'run_' || n",
            "created_ms": _ENDED,
        },
    ),
    "ledger_entries": (
        OTHERS,
        {
            "account_id": _OWNER,
            "kind": "'charge'",
            "amount": "-1",
            "metered": "1",
            "reason": "'analysis'",
            "created_ms": _ENDED,
        },
    ),
    "audit_events": (
        OTHERS,
        {
            "at_ms": _ENDED,
            "kind": "'key.created'",
            "account_id": _OWNER,
            "actor": "'x'",
            "address": "''",
            "subject": "''",
            "details": "'{}'",
        },
    ),
    "workspace_sessions": (
        OTHERS,
        {
            "id": "'wsp_' || n",
            "account_id": _OWNER,
            "identity": "'i' || n",
            "name": "'w'",
            "source": "'cli'",
            "local_root_name": "'w'",
            "branch_name": "''",
            "remote_url": "''",
            "revision": "1",
            "trust_dependencies": "false",
            "created_ms": _ENDED,
            "synced_ms": _ENDED,
        },
    ),
    "api_keys": (
        OTHERS,
        {
            "id": "'key_' || n",
            "account_id": _OWNER,
            "name": "'k'",
            "scopes": "''",
            "digest": "'k' || n",
            "preview": "''",
            "created_ms": _ENDED,
            "expires_ms": _ENDED,
        },
    ),
}


def fill(connection: Connection) -> None:
    """Add the rows, and have PostgreSQL learn how many there are, as it does by itself after some
    time; SQLite never does. Part of a transaction."""
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SET LOCAL synchronous_commit = off"))
        connection.execute(text("SET LOCAL session_replication_role = replica"))  # no triggers
    connection.execute(
        text(
            "INSERT INTO accounts (id, email, tier, unlimited, created_ms) "
            f"VALUES ('{ACCOUNT}', 'large@example.org', 'PRO', true, 1), "
            "('acc_other', 'other@example.org', 'PRO', true, 1)"
        )
    )
    for table, (count, columns) in _COLUMNS.items():
        names, values = ", ".join(columns), ", ".join(columns.values())
        source = f"generate_series(1, {count}) AS numbers(n)"
        if is_sqlite:
            source = (
                "(WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers "
                f"WHERE n < {count}) SELECT n FROM numbers)"
            )
        connection.execute(text(f"INSERT INTO {table} ({names}) SELECT {values} FROM {source}"))
    if not is_sqlite:
        connection.execute(text("ANALYZE"))


TABLES = tuple(_COLUMNS)


def plan(connection: Connection, statement: str, parameters: Any) -> str:
    """Return the database's execution plan of a statement."""
    explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
    rows = connection.exec_driver_sql(f"{explain} {statement}", parameters).all()
    return "\n".join(str(row[-1]) for row in rows)
