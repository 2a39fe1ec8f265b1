"""`codeintel worker`, as far as it goes before it becomes another program."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from codeintel.cli import main
from codeintel.cli.operating import serve

EXECUTED = RuntimeError("it became another program")


@pytest.fixture
def database(instance: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the database of an instance whose schema is up to date."""

    def execute(*_: object) -> None:
        raise EXECUTED

    made = CliRunner().invoke(main, ["accounts", "create", "ann@example.org"])
    assert made.exit_code == 0, made.output
    monkeypatch.setattr(serve.os, "execv", execute)  # type: ignore[attr-defined]
    return instance / "codeintel.db"


def test_without_migrations_it_refuses_a_database_that_lacks_one(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0007'")
        connection.commit()
    refused = CliRunner().invoke(main, ["worker", "--no-migrate"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "has revision 0007, but this version needs" in refused.stderr
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            ("0007",)
        ]


def test_without_migrations_it_works_on_one_that_has_all(database: Path) -> None:
    assert database.exists()
    assert CliRunner().invoke(main, ["worker", "--no-migrate"]).exception is EXECUTED
