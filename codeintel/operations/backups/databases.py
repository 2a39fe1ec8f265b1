"""Connections for backups: a reader with a snapshot, and a writer that may replace everything. They
have no statement timeout, unlike the service's connections.
"""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, pool, text

from codeintel.operations.backups.archive import BackupError
from codeintel.platform.config import Settings
from codeintel.platform.db import APPLICATION_NAME
from codeintel.platform.db.migrate import ADVISORY_LOCK

WAIT_SECONDS = 5
_LEFT = re.compile(r"\..+\.[0-9a-f]{8}\.(?:snapshot|part)")
"""The names of unfinished backups."""
IN_USE = (
    "The service is using this database ({who}). Stop `codeintel serve` and `codeintel worker` "
    "first. Nothing was changed."
)


@contextmanager
def reading(settings: Settings, beside: Path) -> Iterator[Connection]:
    """Open a connection with a snapshot of the database, while other processes continue to write.

    :param beside: the path of the backup. A temporary copy of an SQLite database is placed next to
        it.
    :raises BackupError: if the database does not exist.
    """
    file = settings.sqlite_file
    if file is None:
        engine = create_engine(
            settings.database, poolclass=pool.NullPool, isolation_level="REPEATABLE READ"
        )
        with engine.connect() as connection:
            yield connection.execution_options(postgresql_readonly=True)
        return
    if not file.exists():
        raise BackupError(f"The database {file} does not exist.")
    copy, descriptor = _private_copy(beside)
    try:
        _copy(file, copy)
        engine = create_engine(f"sqlite:///{copy}", poolclass=pool.NullPool)
        with engine.connect() as connection:
            yield connection
    finally:
        _delete(copy)
        os.close(descriptor)


def _private_copy(beside: Path) -> tuple[Path, int]:
    """Create a private file, and return it with its descriptor. The descriptor holds a lock for
    `sweep`.

    If another process has deleted the file before it was locked, create another one.
    """
    while True:
        copy = beside.with_name(f".{beside.name}.{token_hex(4)}.snapshot")
        descriptor = os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), copy.stat()):
                return copy, descriptor
        os.close(descriptor)


def sweep(folder: Path) -> None:
    """Delete the remains of killed backups from a folder: drafts and copies of the database. An
    active backup holds a lock on its own files.
    """
    for left in folder.glob(".*"):
        if not _LEFT.fullmatch(left.name) or left.is_symlink():
            continue
        with suppress(OSError):  # another user's file, or already deleted
            descriptor = os.open(left, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _delete(left)
            finally:
                os.close(descriptor)


def _delete(copy: Path) -> None:
    for left in (copy, *(copy.with_name(copy.name + end) for end in ("-wal", "-shm"))):
        left.unlink(missing_ok=True)


@contextmanager
def replacing(settings: Settings) -> Iterator[Connection]:
    """Open a transaction that may replace everything, while no service and no migration runs.
    Changes are rolled back unless the block commits.

    :raises BackupError: if the database is in use.
    """
    file = settings.sqlite_file
    if file is None:
        with _postgres(settings) as connection:
            yield connection
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)  # SQLite would make it readable by all users
    with (
        _locked(file.with_name(f"{file.name}.serve-lock")),  # as `codeintel serve` holds it
        _locked(file.parent / "migrate.lock"),
    ):
        _refuse_open_elsewhere(file)
        engine = _sqlite_engine(settings.database)
        with engine.connect() as connection:
            yield connection


def check_references(connection: Connection) -> None:
    """Check foreign keys in SQLite, where they were disabled. PostgreSQL checks each row.

    :raises BackupError: if a row refers to a missing one.
    """
    if connection.dialect.name != "sqlite":
        return
    broken = connection.execute(text("PRAGMA foreign_key_check")).first()
    if broken is not None:
        raise BackupError(
            f"A row of the table {broken[0]} refers to a row that the backup lacks. Nothing was "
            "changed."
        )


def set_aside(file: Path, name: str) -> Path:
    """Copy an SQLite database next to itself, with `name` in the file's name."""
    target = file.with_name(f"{file.name}.{name}.bak")
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        _copy(file, target)
    except BaseException:
        target.unlink()
        raise
    return target


@contextmanager
def _postgres(settings: Settings) -> Iterator[Connection]:
    engine = create_engine(settings.database, poolclass=pool.NullPool)
    with engine.connect() as connection:
        locked = connection.scalar(
            text("SELECT pg_try_advisory_xact_lock(:id)"), {"id": ADVISORY_LOCK}
        )
        if not locked:
            raise BackupError(IN_USE.format(who="a migration is running"))
        others = connection.scalar(
            text(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND application_name = :name"
            ),
            {"name": APPLICATION_NAME},
        )
        if others:
            raise BackupError(IN_USE.format(who=f"{others} other connections are open"))
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text(f"SET LOCAL lock_timeout = '{WAIT_SECONDS}s'"))
        yield connection


def _sqlite_engine(url: str) -> Engine:
    engine = create_engine(url, poolclass=pool.NullPool, connect_args={"timeout": WAIT_SECONDS})

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver's own BEGIN would end with each statement
        # Rows are inserted table by table, so references are checked at the end.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=OFF"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(IN_USE.format(who=f"{path.name} is locked")) from None
        yield
    finally:
        os.close(descriptor)


def _refuse_open_elsewhere(file: Path) -> None:
    """Reject a file that another process on this machine has open, as far as `/proc` shows it.
    Workers hold no lock.
    """
    target = os.path.realpath(file)
    for process in Path("/proc").glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        with suppress(OSError):  # it has ended, or belongs to another user
            for each in (process / "fd").iterdir():
                with suppress(OSError):
                    if str(each.readlink()) == target:
                        raise BackupError(IN_USE.format(who=f"process {process.name} has it open"))


def _copy(source: Path, target: Path) -> None:
    """Copy a database with SQLite's own method, which is safe during writes."""
    with closing(sqlite3.connect(source)) as opened, closing(sqlite3.connect(target)) as copy:
        opened.backup(copy)
