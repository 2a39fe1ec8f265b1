"""A database that was used from the first version on, with data of every one, on each database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from flask import Flask
from sqlalchemy import Connection, MetaData, select
from sqlalchemy.exc import IntegrityError
from stored_samples import check_balances, fill, names_of_tables
from support import MakeApp
from upgrade_rows import ACCOUNT, PEPPER, RENAMED, ROWS, TOKEN, add

from codeintel import create_app
from codeintel.identity.audit import OPERATOR
from codeintel.platform.db import db
from codeintel.platform.db.migrate import alembic_config, ensure_schema, revisions


def check_kept(connection: Connection, upto: str) -> None:
    """Check that all rows that were ever added exist unchanged."""
    found = MetaData()
    found.reflect(connection)
    for revision, tables in ROWS.items():
        if revision > upto:
            return
        for name, rows in tables.items():
            stored = connection.execute(select(found.tables[name])).mappings().all()
            assert len(stored) == len(rows), (upto, name)
            columns = found.tables[name].columns
            for row in rows:
                expected = {
                    column if column in columns else RENAMED[name, column]: value
                    for column, value in row.items()
                }
                told = [{each: line[each] for each in expected} for line in stored]
                assert expected in told, (upto, name)


def upgrade_step_by_step(app: Flask, last: str) -> None:
    with app.app_context():
        engine = db.engine
    for revision in revisions():
        if revision > last:
            break
        with engine.connect() as connection, connection.begin():
            command.upgrade(alembic_config(connection), revision)
            add(connection, ROWS[revision])
            check_kept(connection, revision)
    engine.dispose()


@pytest.fixture
def old_app(database_config: dict[str, Any], tmp_path: Path) -> Flask:
    return create_app(
        {"CODEINTEL_INSTANCE": tmp_path, **database_config, "CODEINTEL_KEY_PEPPER": PEPPER}
    )


def test_there_are_rows_for_every_revision() -> None:
    assert list(ROWS) == revisions()


def test_data_of_all_versions_goes_on_to_be_used(
    old_app: Flask, database_config: dict[str, Any], make_app: MakeApp, tmp_path: Path
) -> None:
    upgrade_step_by_step(old_app, revisions()[-2])
    app = make_app({**database_config, "CODEINTEL_KEY_PEPPER": PEPPER})  # which migrates the rest
    services = app.extensions["codeintel"]
    with app.app_context(), db.engine.connect() as connection:
        check_kept(connection, revisions()[-2])  # no rows of the last one were added
        check_balances(connection)
        if connection.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            _check_copy(tmp_path)
    client, headers = app.test_client(), {"Authorization": f"Bearer {TOKEN}"}
    account = client.get("/api/v1/account", headers=headers)
    assert account.status_code == 200, account.text
    assert account.json["data"]["tier"] == "PRO"
    assert client.get("/api/v1/runs/run_1", headers=headers).status_code == 200
    [workspace] = services.workspaces.sessions(ACCOUNT).sessions
    assert services.workspaces.read(workspace, 1, "/a") == b"\x00\xff1"
    assert services.ledger.grant(ACCOUNT, 1, "more").posted == 96  # under a number that is free
    fill(services)
    services.personal_data.delete(ACCOUNT, OPERATOR)
    with app.app_context(), db.engine.connect() as connection:
        check_balances(connection)


def _check_copy(folder: Path) -> None:
    """Check that SQLite was copied unchanged before."""
    [copy] = folder.glob("codeintel.db.before-*.bak")
    with closing(sqlite3.connect(copy)) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchall() == [
            (revisions()[-2],)
        ]
        assert old.execute("SELECT count(*) FROM runs").fetchall() == [(2,)]
        assert old.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize(
    "broken",
    [
        "UPDATE balances SET held = posted + 1",
        "UPDATE balances SET held = -1",
        "UPDATE ledger_entries SET run_id = 'run_1'",
        "UPDATE api_keys SET account_id = 'acc_none'",
        "UPDATE accounts SET email = 'ops@example.org'",
        "UPDATE workspace_files SET session_id = 'wsp_none'",
        "INSERT INTO jobs (id, kind, key, arguments, state, epoch, attempts, run_after_ms, "
        "created_ms) VALUES ('j', 'sample', 'job_1', 'null', 'running', 1, 1, 1, 1)",
    ],
)
def test_constraints_hold_after_all_steps(upgraded: Connection, broken: str) -> None:
    with pytest.raises(IntegrityError):
        upgraded.exec_driver_sql(broken)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def stepped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Provide a database after all steps, for tests that change nothing in it."""
    url = ""
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_server").empty()
    app = create_app(
        {
            "CODEINTEL_INSTANCE": tmp_path_factory.mktemp("stepped"),
            "CODEINTEL_KEY_PEPPER": PEPPER,
            "DATABASE_URL": url,
            "REDIS_URL": "",
        }
    )
    upgrade_step_by_step(app, revisions()[-1])
    ensure_schema(app, migrate=False)
    with app.app_context():
        yield db.engine
        db.engine.dispose()


@pytest.fixture
def upgraded(stepped: Any) -> Any:
    with stepped.connect() as connection:
        yield connection
        connection.rollback()


def test_no_table_is_missing(upgraded: Connection) -> None:
    found = MetaData()
    found.reflect(upgraded)
    assert set(found.tables) == names_of_tables() | {"alembic_version"}
