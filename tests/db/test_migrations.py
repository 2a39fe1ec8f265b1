"""Migrations: from nothing to the models' tables, once, never over what a newer version left."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import gevent
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask
from sqlalchemy import Engine, inspect, select, text
from sqlalchemy.orm import Session
from support import MakeApp, make_user

from codeintel import create_app
from codeintel.identity import ledger
from codeintel.platform.config import SettingError
from codeintel.platform.db import db, migrate
from codeintel.platform.db.migrate import SchemaError, alembic_config, ensure_schema
from codeintel.platform.db.models import Account, Base, Fact, IdempotencyKey, new_id

TABLES = set(Base.metadata.tables)
LATEST = "0016"
OTHER_PEPPER = "another-pepper-that-is-long-enough"
NEXT_REVISION = """
import sqlalchemy as sa
from alembic import op
revision = "9999"
down_revision = "0016"
def upgrade():
    op.create_table("more", sa.Column("id", sa.Integer(), primary_key=True))
    op.execute("UPDATE accounts SET tier = 'PRO'")
    {last}
"""
# Many processes over one import, all released at the same time.
CROWD = """
import json, os, sys
from codeintel import create_app
from codeintel.platform.db.migrate import ensure_schema

config = json.loads(sys.argv[1])
ready, go = os.pipe()
children = []
for _ in range(4):
    child = os.fork()
    if not child:
        os.close(go)
        os.read(ready, 1)
        ensure_schema(create_app(config))
        os._exit(0)
    children.append(child)
os.close(go)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""


@pytest.fixture
def empty_app(database_config: dict[str, Any], tmp_path: Path) -> Iterator[Flask]:
    """Provide an application over an empty database."""
    app = create_app({"CODEINTEL_INSTANCE": tmp_path, **database_config})
    yield app
    engine_of(app).dispose()


def engine_of(app: Flask) -> Engine:
    with app.app_context():
        return db.engine


def tables(app: Flask) -> set[str]:
    engine = engine_of(app)
    found = set(inspect(engine).get_table_names())
    engine.dispose()
    return found


def revision(app: Flask) -> str | None:
    with engine_of(app).connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def backups(folder: Path) -> list[Path]:
    return list(folder.glob("*.bak"))


def add_revision(folder: Path, monkeypatch: pytest.MonkeyPatch, last: str = "pass") -> None:
    """Add a version of codeintel that has one more migration."""
    copy = folder / "migrations"
    shutil.copytree(migrate.MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "versions" / "9999_more.py").write_text(NEXT_REVISION.format(last=last))
    monkeypatch.setattr(migrate, "MIGRATIONS", copy)


def test_an_empty_database_gets_all_tables_once(empty_app: Flask, tmp_path: Path) -> None:
    assert tables(empty_app) == set()
    ensure_schema(empty_app)
    assert tables(empty_app) == TABLES | {"alembic_version"}
    assert revision(empty_app) == LATEST
    with engine_of(empty_app).connect() as connection:
        facts = connection.execute(select(Fact.name, Fact.value)).all()
    ensure_schema(empty_app)
    ensure_schema(empty_app, migrate=False)
    with engine_of(empty_app).connect() as connection:
        assert connection.execute(select(Fact.name, Fact.value)).all() == facts
    assert backups(tmp_path) == []


def test_the_migrations_make_what_the_models_say(database_app: Flask) -> None:
    with engine_of(database_app).connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []


def test_the_constraints_of_the_models_are_in_the_database(database_app: Flask) -> None:
    """Autogeneration does not compare CHECK constraints."""
    checks = inspect(engine_of(database_app)).get_check_constraints("balances")
    assert {check["name"] for check in checks} == {
        "ck_balances_held_not_negative",
        "ck_balances_held_is_covered",
    }


def test_downgrading_removes_all_tables(database_app: Flask) -> None:
    with engine_of(database_app).begin() as connection:
        command.downgrade(alembic_config(connection), "base")
    assert tables(database_app) == {"alembic_version"}


def test_a_newer_database_is_refused(database_app: Flask, tmp_path: Path) -> None:
    with engine_of(database_app).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'f00d'"))
    for allowed in (True, False):
        with pytest.raises(SchemaError, match=r"revision f00d.*newer"):
            ensure_schema(database_app, migrate=allowed)
    assert revision(database_app) == "f00d"
    assert backups(tmp_path) == []


def test_no_migrate_refuses_and_changes_nothing(empty_app: Flask) -> None:
    with pytest.raises(SchemaError, match=rf"revision none.*needs {LATEST}.*--no-migrate"):
        ensure_schema(empty_app, migrate=False)
    assert tables(empty_app) == set()


def test_a_migration_keeps_the_data_and_copies_sqlite_before(
    database_app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = make_user(database_app.extensions["codeintel"])
    add_revision(tmp_path, monkeypatch)
    ensure_schema(database_app)
    assert revision(database_app) == "9999"
    assert "more" in tables(database_app)
    with engine_of(database_app).connect() as connection:
        assert connection.execute(select(Account.id, Account.tier)).all() == [
            (user.account.id, "PRO")
        ]
    if engine_of(database_app).dialect.name != "sqlite":
        assert backups(tmp_path) == []
        return
    [backup] = backups(tmp_path)
    assert backup.name.startswith("codeintel.db.before-9999-")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(LATEST,)]
        assert copy.execute("SELECT id, tier FROM accounts").fetchall() == [
            (user.account.id, "FREE")
        ]


def test_a_failing_migration_changes_nothing(
    database_app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_user(database_app.extensions["codeintel"])
    add_revision(tmp_path, monkeypatch, last="raise ArithmeticError('half way')")
    with pytest.raises(ArithmeticError, match="half way"):
        ensure_schema(database_app)
    assert revision(database_app) == LATEST
    assert "more" not in tables(database_app)
    with engine_of(database_app).connect() as connection:
        assert connection.scalars(select(Account.tier)).all() == ["FREE"]


def test_processes_that_start_together_migrate_once(
    empty_app: Flask, database_config: dict[str, Any], tmp_path: Path
) -> None:
    config = {"CODEINTEL_INSTANCE": str(tmp_path), **database_config}
    done = subprocess.run(
        [sys.executable, "-c", CROWD, json.dumps(config)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert revision(empty_app) == LATEST
    ensure_schema(empty_app, migrate=False)  # they all had one pepper


def test_a_database_that_somebody_writes_to_is_waited_for(app: Flask) -> None:
    with closing(sqlite3.connect(engine_of(app).url.database or "")) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        gevent.spawn_later(0.05, other.execute, "ROLLBACK")
        ensure_schema(app)


def test_keys_of_requests_keep_what_they_made(empty_app: Flask) -> None:
    """Check keys of runs, whose column was renamed in 0007."""
    row = {
        "account_id": "acc_1",
        "route": "/api/v1/analyze/stream",
        "digest": "d" * 64,
        "body": "b" * 64,
        "run_id": "run_0123456789abcdef01234567",
        "created_ms": 1_700_000_000_000,
    }
    with engine_of(empty_app).connect() as connection, connection.begin():
        command.upgrade(alembic_config(connection), "0006")
        connection.execute(
            text(
                "INSERT INTO accounts (id, email, tier, unlimited, created_ms) "
                "VALUES ('acc_1', 'user@example.org', 'FREE', false, 1)"
            )
        )
        columns = ", ".join(row)
        values = ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO idempotency_keys ({columns}) VALUES ({values})"), row)
    ensure_schema(empty_app)
    with engine_of(empty_app).connect() as connection:
        kept = connection.execute(select(IdempotencyKey.__table__)).mappings().all()
    row["made"] = row.pop("run_id")
    assert [dict(each) for each in kept] == [row]
    indexes = inspect(engine_of(empty_app)).get_indexes("idempotency_keys")
    assert {each["name"] for each in indexes} == {
        "ix_idempotency_keys_made",
        "ix_idempotency_keys_created_ms",
    }


def test_a_downgrade_gives_back_what_passes_of_the_proof_loop_reserve(database_app: Flask) -> None:
    services = database_app.extensions["codeintel"]
    account = make_user(services).account.id
    with engine_of(database_app).begin() as connection:
        for hold_id in (new_id("run"), new_id(ledger.PROOF)):
            assert ledger.hold(connection, hold_id, account, 2, 1)
        command.downgrade(alembic_config(connection), "0006")
        assert ledger.read_balance(connection, account).held == 2  # the run's
        found = connection.execute(text("SELECT substr(id, 1, 3), state FROM holds ORDER BY 1"))
        assert [tuple(row) for row in found] == [("prf", "voided"), ("run", "pending")]
    ensure_schema(database_app)


def test_keys_of_requests_survive_a_downgrade(database_app: Flask) -> None:
    """Check keys of runs, because the previous version supports no others."""
    account = make_user(database_app.extensions["codeintel"]).account.id
    keys = [
        IdempotencyKey(
            account_id=account, route="/", digest=made, body="b", made=made, created_ms=1
        )
        for made in ("run_1", "wsp_0123456789abcdef01234567:123:1")
    ]
    with engine_of(database_app).begin() as connection, Session(connection) as session:
        session.add_all(keys)
        session.flush()
        command.downgrade(alembic_config(connection), "0006")
        kept = connection.execute(text("SELECT run_id FROM idempotency_keys")).scalars().all()
    assert kept == ["run_1"]
    ensure_schema(database_app)
    with engine_of(database_app).connect() as connection:
        assert connection.scalars(select(IdempotencyKey.made)).all() == ["run_1"]


def test_another_pepper_is_refused(database_config: dict[str, Any], make_app: MakeApp) -> None:
    make_app(database_config)
    with pytest.raises(SettingError, match="CODEINTEL_KEY_PEPPER"):
        make_app({**database_config, "CODEINTEL_KEY_PEPPER": OTHER_PEPPER})
    make_app(database_config)
