"""Read-only connections to the database that leave no files behind."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from codeintel.base.extras import POSTGRES
from codeintel.operations.doctor.results import NoDatabase, Unavailable
from codeintel.platform.config import Settings
from codeintel.platform.db import CONNECT_SECONDS, LOCK_MILLISECONDS

STATEMENT_SECONDS = 4
BUSY_SECONDS = 1.0
STEPS = 10_000
"""Steps of SQLite's virtual machine between two checks of the clock."""


def sqlite_path(settings: Settings) -> Path | None:
    """Return the database's file, or None if it is not SQLite."""
    url = make_url(settings.database)
    if url.get_backend_name() != "sqlite":
        return None
    return settings.instance / (url.database or ":memory:")  # as Flask-SQLAlchemy reads it


def engine_of(settings: Settings) -> Engine:
    """Return an engine with read-only connections.

    :raises NoDatabase: if the database does not exist yet.
    :raises Unavailable: if its packages are not installed.
    """
    path = sqlite_path(settings)
    if path is not None:
        if not path.is_file():
            raise NoDatabase(f"The database {path} does not exist yet.")
        if is_in_use(path) and not Path(f"{path}-shm").exists():
            # SQLite would create that file for the user of this command
            raise NoDatabase(f"{path} was left by a crashed process. Start the service first.")
        return create_engine("sqlite://", creator=lambda: _open(path), poolclass=NullPool)
    if POSTGRES.is_missing:
        raise Unavailable(f"{POSTGRES.refusal}.")
    return create_engine(
        settings.database,
        poolclass=NullPool,
        execution_options={"postgresql_readonly": True},
        connect_args={
            "client_encoding": "utf8",  # texts of a database without an encoding are bytes
            "connect_timeout": CONNECT_SECONDS,
            "tcp_user_timeout": STATEMENT_SECONDS * 1000,
            "options": f"-c statement_timeout={STATEMENT_SECONDS}s "
            f"-c lock_timeout={LOCK_MILLISECONDS}ms",
        },
    )


def is_in_use(path: Path) -> bool:
    """Return whether a process has an SQLite file open, or died with it."""
    return Path(f"{path}-wal").exists()


def _open(path: Path) -> sqlite3.Connection:
    """Open a file read-only. If no process has it open, tell SQLite that it is immutable. Otherwise
    SQLite would create a log and another file and leave both behind.
    """
    mode = "mode=ro" if is_in_use(path) else "mode=ro&immutable=1"
    return sqlite3.connect(
        f"file:{quote(str(path))}?{mode}", uri=True, timeout=BUSY_SECONDS, check_same_thread=False
    )


@contextmanager
def read_only(engine: Engine, deadline: float) -> Iterator[Connection]:
    """Open a connection. SQLite statements are interrupted at the deadline.

    :raises NoDatabase: if the database cannot be reached.
    :raises Unavailable: if a later statement fails.
    """
    try:
        opened = engine.connect()
    except SQLAlchemyError as error:
        raise NoDatabase(reason(error)) from None
    try:
        with opened as connection:
            if engine.dialect.name == "sqlite":
                raw = connection.connection.driver_connection
                assert isinstance(raw, sqlite3.Connection)  # noqa: S101 - for the type checker
                raw.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
            yield connection
    except SQLAlchemyError as error:
        raise Unavailable(reason(error)) from None


def reason(error: SQLAlchemyError) -> str:
    """Return the driver's message on one line, without the statement."""
    original = getattr(error, "orig", None)
    lines = str(original).strip().splitlines() if original is not None else []
    words = lines[0].rstrip(".") if lines else type(error).__name__
    state = getattr(original, "sqlstate", None)
    if state == _NO_TABLE or words.startswith("no such table"):
        return "The database lacks tables. See `migrations`."
    if is_late(error):
        return "The database did not answer in time."
    return f"Database error: {words}."


def is_late(error: SQLAlchemyError) -> bool:
    """Return whether a statement was interrupted because of its time."""
    original = getattr(error, "orig", None)
    return getattr(original, "sqlstate", None) == _CANCELLED or str(original) == "interrupted"


_NO_TABLE, _CANCELLED = "42P01", "57014"
"""PostgreSQL's code for a canceled statement."""
