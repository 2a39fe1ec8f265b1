"""Backups of each kind of database, restored into each kind."""

from __future__ import annotations

import stat
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import upgrade_rows
from backup_places import KINDS, Place, Places, close
from sqlalchemy import create_engine, func, insert, select
from stored_samples import check_balances, contents_of, fill, fill_shared, names_of_tables
from support import User

from codeintel.identity.audit import AuditRow
from codeintel.operations.backups import content
from codeintel.operations.backups.archive import BackupError
from codeintel.operations.backups.restoring import Settled, restore
from codeintel.operations.backups.saving import save
from codeintel.platform.db import db
from codeintel.platform.db.migrate import PEPPER_FACT, revisions
from codeintel.platform.db.models import LedgerEntry, RunRow, SourceReportRow

ENDED = {"sessions", "sign_in_links", "runs", "holds", "idempotency_keys", "jobs"}
"""What a restore ends parts of."""
BOOKED = {"balances", "ledger_entries", "audit_events"}
"""What it writes into."""


@pytest.fixture(params=KINDS)
def origin(request: pytest.FixtureRequest, places: Places) -> Place:
    return places.make(request.param)


@pytest.fixture
def filled(origin: Place) -> Iterator[tuple[Place, User]]:
    app = origin.app()
    user = fill(app.extensions["codeintel"])
    fill_shared(app.extensions["codeintel"])
    close(app)
    yield origin, user


@pytest.mark.parametrize("target_kind", KINDS)
def test_everything_comes_back_on_either_database(
    filled: tuple[Place, User], places: Places, file: Path, target_kind: str
) -> None:
    origin, user = filled
    before = origin.contents()
    assert all(before[name] for name in names_of_tables())
    manifest = save(origin.settings, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {part.name: part.rows for part in manifest.tables} == {
        name: len(rows) for name, rows in before.items() if name != "alembic_version"
    }
    target = places.make(target_kind)
    restore(target.settings, file)
    after = target.contents()
    for name in names_of_tables() - ENDED - BOOKED:
        assert after[name] == before[name], name
    for name in ENDED - {"sign_in_links", "idempotency_keys"}:
        assert len(after[name]) == len(before[name]), name
    engine = target.engine()
    with engine.connect() as connection:
        check_balances(connection)
    engine.dispose()
    _service_goes_on(target, user)


def _service_goes_on(place: Place, user: User) -> None:
    """Check that the old key works, and that new rows get free numbers."""
    app = place.app()
    services = app.extensions["codeintel"]
    answer = app.test_client().get("/api/v1/account", headers=user.headers)
    assert answer.status_code == 200, answer.text
    services.ledger.grant(user.account.id, 5, "after the restore")
    [workspace] = services.workspaces.sessions(user.account.id).sessions
    assert services.workspaces.read(workspace, 1, "/main.py").startswith("print('grüße".encode())
    close(app)


def test_what_went_on_is_ended(filled: tuple[Place, User], places: Places, file: Path) -> None:
    origin, user = filled
    save(origin.settings, file)
    target = places.make("sqlite")
    done = restore(target.settings, file)
    assert done.settled == Settled(
        runs=1, credits=2, sessions=1, jobs=1, cancelled_jobs=1, keys=None
    )
    app = target.app()
    services = app.extensions["codeintel"]
    states = {job.id: (job.state.value, job.epoch) for job in services.jobs.list()}
    attempts = {job.id: job.attempts for job in services.jobs.list()}
    assert attempts["job_ran"] == attempts["job_wait"] - 1  # the restore failed no attempt
    assert states.items() >= {
        ("job_ran", ("queued", 4)),
        ("job_stop", ("cancelled", 4)),
        ("job_wait", ("queued", 3)),
        ("job_done", ("done", 3)),
    }
    balance = services.ledger.balance(user.account.id)
    assert (balance.posted, balance.held) == (98, 0)
    assert services.sessions.list(user.account.id) == []
    with app.app_context(), db.engine.connect() as connection:
        run = connection.execute(select(RunRow.__table__).where(RunRow.charged == 0)).one()
        assert (run.state, run.reason) == ("failed", "backup_restored")
        entries = connection.scalars(
            select(LedgerEntry.reason).where(LedgerEntry.kind == "release")
        ).all()
        assert entries == ["restored from a backup: 2 credits are no longer reserved"]
        [event] = connection.execute(
            select(AuditRow.__table__).where(AuditRow.kind == "database.restored")
        ).all()
    assert event.account_id is None
    assert '"runs":1' in event.details
    [told] = [each for each in services.audit.events() if each.kind == "database.restored"]
    assert (told.email, told.details["sessions"]) == ("", 1)
    assert {each.kind for each in services.audit.events(user.account.id)} >= {"credits.release"}
    close(app)


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_database_is_replaced_only_when_told(places: Places, file: Path, kind: str) -> None:
    place = places.make(kind)
    app = place.app()
    fill(app.extensions["codeintel"])
    close(app)
    save(place.settings, file)
    app = place.app()
    fill(app.extensions["codeintel"], "later@example.org")
    close(app)
    full = place.contents()
    with pytest.raises(BackupError, match=r"not empty.*--replace.*Nothing was changed"):
        restore(place.settings, file)
    assert place.contents() == full
    done = restore(place.settings, file, replace=True)
    assert [row[1] for row in place.contents()["accounts"]] == ["user@example.org"]
    if kind == "sqlite":
        assert done.aside is not None
        assert stat.S_IMODE(done.aside.stat().st_mode) == 0o600
        copy = create_engine(f"sqlite:///{done.aside}")
        with copy.connect() as connection:
            assert contents_of(connection) == full
        copy.dispose()


def test_a_backup_is_of_one_moment_while_others_write(origin: Place, file: Path) -> None:
    """Every transaction adds a pair: a backup that mixed moments would have one of them alone."""
    app = origin.app()
    engine = origin.engine()
    stop = threading.Event()
    wrote = 0

    def report(name: str) -> dict[str, Any]:
        return {"source": name, "problem": "", "message": "", "failures": 1, "failed_ms": 1}

    def write() -> None:
        nonlocal wrote
        while not stop.is_set():
            with engine.begin() as connection:
                connection.execute(insert(SourceReportRow).values(report(f"a{wrote}")))
                connection.execute(insert(SourceReportRow).values(report(f"b{wrote}")))
            wrote += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            while wrote <= number * 5:
                stop.wait(0.005)
            target = file.with_name(f"{number}.zip")
            save(origin.settings, target)
            with zipfile.ZipFile(target) as archive:
                lines = archive.read("tables/source_reports.jsonl").decode().splitlines()
            names = {line.split('"')[1] for line in lines}
            assert names
            assert {name[1:] for name in names if name[0] == "a"} == {
                name[1:] for name in names if name[0] == "b"
            }
    finally:
        stop.set()
        writer.join()
    engine.dispose()
    close(app)


def test_the_pepper_is_in_it_only_if_asked_for(places: Places, file: Path, tmp_path: Path) -> None:
    origin = places.make("sqlite", pepper="")
    app = origin.app()
    user = fill(app.extensions["codeintel"])
    close(app)
    secret = (origin.settings.instance / "key_pepper").read_text()
    save(origin.settings, file)
    whole = tmp_path / "whole.zip"
    save(origin.settings, whole, with_secrets=True)
    for path, has_it in ((file, False), (whole, True)):
        with zipfile.ZipFile(path) as archive:
            everything = b"".join(archive.read(name) for name in archive.namelist())
        assert (secret.encode() in everything) is has_it
        assert user.token.encode() not in everything
    target = places.make("sqlite", pepper="")
    mine = target.settings.instance / "key_pepper"
    mine.write_text("another-pepper-that-was-made-here")
    with pytest.raises(BackupError, match=r"different key pepper.*--revoke-keys"):
        restore(target.settings, file)
    assert mine.read_text() == "another-pepper-that-was-made-here"
    restore(target.settings, whole)
    assert mine.read_text() == secret
    assert stat.S_IMODE(mine.stat().st_mode) == 0o600
    [aside] = target.settings.instance.glob("key_pepper.before-restore-*")
    assert aside.read_text() == "another-pepper-that-was-made-here"
    _service_goes_on(target, user)
    for kind, told in (
        ("sqlite", "is not the pepper of this backup"),
        ("postgresql", "secrets.json"),
    ):
        with pytest.raises(BackupError, match=told):
            restore(places.make(kind, pepper="q" * 32).settings, whole)


def test_keys_can_be_given_up(filled: tuple[Place, User], places: Places, file: Path) -> None:
    origin, user = filled
    save(origin.settings, file)
    target = places.make("sqlite", pepper="q" * 32)
    assert restore(target.settings, file, revoke_keys=True).settled.keys == 1
    app = target.app()  # which takes the new pepper for its own
    client = app.test_client()
    assert client.get("/api/v1/account", headers=user.headers).status_code == 401
    services = app.extensions["codeintel"]
    token = services.keys.create(user.account.id, "new", ["api:v1"])[1]
    headers = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/v1/account", headers=headers).status_code == 200
    close(app)
    assert PEPPER_FACT in str(target.contents()["facts"])


def test_what_is_restored_counts_as_much(origin: Place, places: Places, file: Path) -> None:
    """Check many rows and large ones, which are restored in batches."""
    app = origin.app()
    fill(app.extensions["codeintel"])
    engine = origin.engine()
    rows = [
        {"source": f"s{n}", "problem": "", "message": "m" * 9_000, "failures": n, "failed_ms": n}
        for n in range(1_203)
    ]
    with engine.begin() as connection:
        connection.execute(insert(SourceReportRow), rows)
    engine.dispose()
    close(app)
    save(origin.settings, file)
    target = places.make("sqlite")
    restore(target.settings, file)
    engine = target.engine()
    with engine.connect() as connection:
        count, failures = connection.execute(
            select(func.count(), func.sum(SourceReportRow.failures))
        ).one()
    engine.dispose()
    assert (count, failures) == (1_203, sum(range(1_203)))


@pytest.mark.parametrize(("revision", "kind"), [("0001", "postgresql"), ("0006", "sqlite")])
def test_what_an_older_version_backed_up_is_brought_up_to_date(
    places: Places, file: Path, revision: str, kind: str
) -> None:
    origin = places.make("sqlite")
    engine = origin.engine()
    with engine.connect() as connection, connection.begin():
        for step in revisions():
            if step <= revision:
                content.upgrade(connection, step)
                upgrade_rows.add(connection, upgrade_rows.ROWS[step])
    engine.dispose()
    assert save(origin.settings, file).revision == revision
    target = places.make(kind)
    done = restore(target.settings, file)
    assert (done.revision, done.settled.runs, done.settled.credits) == (revisions()[-1], 1, 3)
    app = target.app()
    headers = {"Authorization": f"Bearer {upgrade_rows.TOKEN}"}
    assert app.test_client().get("/api/v1/account", headers=headers).status_code == 200
    assert app.extensions["codeintel"].ledger.balance(upgrade_rows.ACCOUNT).available == 95
    close(app)
