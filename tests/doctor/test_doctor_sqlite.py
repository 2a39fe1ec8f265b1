"""`codeintel doctor`: an SQLite file, checked without leaving a trace."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from doctor_scenes import Scene
from support import make_user

from codeintel.operations.doctor import database
from codeintel.operations.doctor.checks import CHECKS
from codeintel.operations.doctor.connecting import engine_of, read_only
from codeintel.operations.doctor.database import CONNECTION, look_at_database, look_at_migrations
from codeintel.platform.config import load_settings
from codeintel.platform.db import db


def file_of(scene: Scene) -> Path:
    return scene.folder / "codeintel.db"


def test_a_good_one(scene: Scene) -> None:
    scene.filled()
    found = scene.look(look_at_database)
    assert {each.check: each.status for each in found} == {
        CONNECTION: "ok",
        database.JOURNAL: "ok",
        database.FREE: "ok",
        database.INTEGRITY: "ok",
    }
    assert ", a file of " in found[CONNECTION].found
    assert found[database.FREE].found.endswith(" in the tables' pages are unused.")


@pytest.mark.parametrize("is_open", [False, True])
def test_nothing_is_changed(scene: Scene, is_open: bool) -> None:
    (scene.folder / "plugins").mkdir()
    (scene.folder / "plugins" / "mine.py").write_text("")
    app = scene.app()
    with app.app_context():
        if not is_open:
            db.engine.dispose()
        before = scene.files()
        assert f"{file_of(scene).name}-wal" in before or not is_open
        found = scene.look_all(CHECKS)
        assert found.status("ledger.balances") == "ok"
        assert scene.files() == before
        db.engine.dispose()


def test_an_empty_folder_stays_empty(scene: Scene) -> None:
    found = scene.look_all(CHECKS)
    assert found.bad == {CONNECTION: "warning"}
    assert {found.status(each) for each in ("migrations", "jobs", "ledger")} == {"skipped"}
    assert not scene.files()


def test_what_was_written_last_is_seen(scene: Scene) -> None:
    app = scene.app()
    with app.app_context():
        make_user(app.extensions["codeintel"])
        found = scene.look_all(CHECKS)["ledger.balances"]
        assert found.found.startswith("1 account. ")
        db.engine.dispose()


def test_another_journal_mode(scene: Scene) -> None:
    scene.filled()
    with closing(sqlite3.connect(file_of(scene))) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    assert scene.look(look_at_database).bad == {database.JOURNAL: "error"}


def test_a_log_that_grows(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    app = scene.app()
    monkeypatch.setattr(database, "LARGE_WAL", 0)
    with app.app_context():
        assert scene.look(look_at_database).bad == {database.JOURNAL: "warning"}
        db.engine.dispose()


def test_a_damaged_page(scene: Scene) -> None:
    scene.filled()
    with closing(sqlite3.connect(file_of(scene))) as connection:
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'jobs'"
        ).fetchone()[0]
    with file_of(scene).open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    found = scene.look(look_at_database)
    assert found.bad == {database.INTEGRITY: "error"}
    assert found[database.INTEGRITY].found.startswith("The file is damaged: ")


def test_a_file_that_is_no_database(scene: Scene) -> None:
    file_of(scene).write_bytes(b"no database" * 1_000)
    found = scene.look_all(CHECKS)
    assert found.status(CONNECTION) == "error"
    assert "not a database" in found[CONNECTION].found
    assert found.status("ledger") == "skipped"


def test_much_that_is_free(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.filled()
    with closing(sqlite3.connect(file_of(scene))) as connection:
        connection.execute("CREATE TABLE large AS SELECT randomblob(2000000) AS x")
        connection.execute("DROP TABLE large")
    assert not scene.look(look_at_database).bad
    monkeypatch.setattr(database, "MUCH_FREE_BYTES", 1_000_000)
    assert scene.look(look_at_database).bad == {database.FREE: "warning"}


def test_one_too_large_to_be_looked_through(scene: Scene) -> None:
    scene.filled()
    with closing(sqlite3.connect(file_of(scene))) as connection:
        connection.execute("CREATE TABLE large (x)")
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
            "INSERT INTO large SELECT i FROM n"
        )
        connection.commit()
    engine = engine_of(load_settings({"CODEINTEL_INSTANCE": scene.folder}).settings)
    with read_only(engine, deadline=0.0) as connection:
        assert database._integrity(connection).status == "skipped"


def test_one_of_which_tables_are_missing(scene: Scene) -> None:
    with closing(sqlite3.connect(file_of(scene))) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE other (x)")
    found = scene.look_all(CHECKS)
    assert found["jobs"].found == "The database lacks tables. See `migrations`."
    assert scene.look(look_at_migrations).bad == {"migrations.revision": "warning"}


def test_one_that_was_copied_without_its_shared_memory(scene: Scene) -> None:
    scene.filled()
    (scene.folder / "codeintel.db-wal").write_bytes(b"x" * 100)
    before = scene.files()
    found = scene.look(look_at_database)
    assert found.bad == {CONNECTION: "error"}
    assert "Start the service first" in found[CONNECTION].found
    assert scene.files() == before


def test_another_process_that_writes(scene: Scene) -> None:
    scene.filled()
    with closing(sqlite3.connect(file_of(scene), isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE x (y)")
        assert not scene.look(look_at_database).bad
        connection.execute("ROLLBACK")
