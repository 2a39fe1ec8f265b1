"""Files that are no whole backups, and databases that are in use: nothing changes."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from backup_places import Place, Places, close
from sqlalchemy import create_engine
from stored_samples import fill, spoil_balance

from codeintel.operations.backups.archive import BackupError
from codeintel.operations.backups.restoring import restore
from codeintel.operations.backups.saving import save
from codeintel.platform.db import APPLICATION_NAME

Files = dict[str, bytes]
Change = Callable[[Files], None]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a whole backup."""
    place = Places(tmp_path_factory.mktemp("good"), lambda: "").make("sqlite")
    app = place.app()
    fill(app.extensions["codeintel"])
    close(app)
    path = tmp_path_factory.mktemp("backup") / "good.zip"
    save(place.settings, path)
    return path


def rewritten(good: Path, target: Path, change: Change) -> Path:
    """Return the same archive with other contents, which is a valid zip file."""
    with zipfile.ZipFile(good) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target


def manifest(**changes: Any) -> Change:
    def change(files: Files) -> None:
        files["manifest.json"] = json.dumps(json.loads(files["manifest.json"]) | changes).encode()

    return change


def replaced(name: str, old: bytes, new: bytes) -> Change:
    def change(files: Files) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new)

    return change


def without(name: str) -> Change:
    def change(files: Files) -> None:
        del files[name]

    return change


def fewer_tables(files: Files) -> None:
    found = json.loads(files["manifest.json"])
    found["tables"] = [each for each in found["tables"] if each["name"] != "jobs"]
    files["manifest.json"] = json.dumps(found).encode()


CHANGES: dict[str, tuple[Change, str]] = {
    "another format": (manifest(format="something"), "its format is 'something'"),
    "a later format": (manifest(version=2, product="9.1"), "Use codeintel 9.1"),
    "a later revision": (manifest(revision="f00d", product="9.1"), "f00d.*9.1.*Upgrade"),
    "no manifest": (without("manifest.json"), "no manifest"),
    "a manifest of another shape": (manifest(tables=5), "manifest is invalid"),
    "a changed row": (
        replaced("tables/accounts.jsonl", b"user@example.org", b"evil@example.org"),
        "accounts.jsonl was changed",
    ),
    "a longer table": (
        replaced("tables/accounts.jsonl", b"\n", b"\n[]\n"),
        "accounts.jsonl is longer",
    ),
    "no table": (without("tables/runs.jsonl"), "runs.jsonl is missing"),
    "fewer tables": (fewer_tables, "do not match its revision"),
}


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Return a database with an account. These tests must not change it."""
    place = Places(tmp_path_factory.mktemp("target"), lambda: "").make("sqlite")
    app = place.app()
    fill(app.extensions["codeintel"], "mine@example.org")
    close(app)
    return place


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_changed_is_refused(good: Path, target: Place, file: Path, name: str) -> None:
    change, words = CHANGES[name]
    before = target.contents()
    with pytest.raises(BackupError, match=rf"{words}.*Nothing was changed"):
        restore(target.settings, rewritten(good, file, change), replace=True)
    assert target.contents() == before


def test_what_was_cut_off_or_never_one_is_refused(good: Path, target: Place, file: Path) -> None:
    whole, before = good.read_bytes(), target.contents()
    half = whole[: len(whole) // 2]
    for data in (b"", b"PK", whole[:100], half, whole[:-1], b"x" * 10_000):
        file.write_bytes(data)
        with pytest.raises(BackupError, match="This is not a complete codeintel backup"):
            restore(target.settings, file, replace=True)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("holiday.txt", "sun")
    with pytest.raises(BackupError, match="it has no manifest"):
        restore(target.settings, file, replace=True)
    assert target.contents() == before


def test_books_that_do_not_agree_are_refused(target: Place, tmp_path: Path, file: Path) -> None:
    place = Places(tmp_path, lambda: "").make("sqlite")
    app = place.app()
    fill(app.extensions["codeintel"])
    close(app)
    engine = create_engine(place.settings.database)
    with engine.begin() as connection:
        spoil_balance(connection)
    engine.dispose()
    save(place.settings, file)
    before, files = target.contents(), set(target.settings.instance.glob("*.bak"))
    with pytest.raises(BackupError, match=r"do not match.*Nothing was changed"):
        restore(target.settings, file, replace=True)
    assert target.contents() == before
    assert set(target.settings.instance.glob("*.bak")) == files


def test_a_file_that_is_there_is_not_overwritten(target: Place, file: Path) -> None:
    file.write_text("precious")
    with pytest.raises(BackupError, match="already exists"):
        save(target.settings, file)
    assert file.read_text() == "precious"
    with pytest.raises(BackupError, match="does not exist"):
        save(target.settings, file.parent / "none" / "b.zip")
    assert [path.name for path in file.parent.iterdir() if path.name.startswith(".")] == []


def test_nothing_to_back_up(tmp_path: Path, file: Path) -> None:
    place = Places(tmp_path, lambda: "").make("sqlite")
    with pytest.raises(BackupError, match="does not exist"):
        save(place.settings, file)
    assert not file.exists()


def test_a_server_that_runs_is_noticed(good: Path, tmp_path: Path) -> None:
    """Check that it is detected by its lock in the operating system."""
    place = Places(tmp_path, lambda: "").make("sqlite")
    lock = place.settings.instance / "codeintel.db.serve-lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BackupError, match="The service is using this database"):
            restore(place.settings, good)
    restore(place.settings, good)


def test_a_worker_that_has_the_file_open_is_noticed(good: Path, tmp_path: Path) -> None:
    place = Places(tmp_path, lambda: "").make("sqlite")
    database = place.settings.instance / "codeintel.db"
    database.touch()
    program = "import sys; opened = open(sys.argv[1]); print('ready', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        with pytest.raises(BackupError, match=f"process {other.pid} has it open"):
            restore(place.settings, good)
        other.communicate(b"\n", timeout=20)
    restore(place.settings, good)


def test_connections_of_the_service_are_noticed(good: Path, places: Places) -> None:
    place = places.make("postgresql")
    named = create_engine(
        place.settings.database, connect_args={"application_name": APPLICATION_NAME}
    )
    with named.connect(), pytest.raises(BackupError, match="1 other connections are open"):
        restore(place.settings, good)
    named.dispose()
    app = place.app()  # as the service itself opens them
    with (
        app.app_context(),
        app.extensions["codeintel"].accounts._engine.connect(),
        pytest.raises(BackupError, match="other connections are open"),
    ):
        restore(place.settings, good)
    close(app)


def test_what_postgresql_cannot_store_is_told(tmp_path: Path, places: Places, file: Path) -> None:
    """SQLite takes texts that PostgreSQL does not: it names the table, and nothing is changed."""
    origin = Places(tmp_path / "sqlite", lambda: "")
    (tmp_path / "sqlite").mkdir()
    place = origin.make("sqlite")
    app = place.app()
    fill(app.extensions["codeintel"])
    close(app)
    engine = create_engine(place.settings.database)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE api_keys SET name = 'a' || char(0) || 'b'")
    engine.dispose()
    save(place.settings, file)
    target = places.make("postgresql")
    with pytest.raises(BackupError, match=r"table api_keys.*Nothing was changed"):
        restore(target.settings, file)
    assert target.contents() == {}
