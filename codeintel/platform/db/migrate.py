"""Bring the database's schema up to date, once, however many processes start together."""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask
from sqlalchemy import Connection, Engine, insert, inspect, select, text

from codeintel.platform.config import SettingError
from codeintel.platform.db import MIGRATIONS, db
from codeintel.platform.db.models import Fact, now_ms
from codeintel.platform.db.writer import begin_write

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger(__name__)

ADVISORY_LOCK = 0x636F6465  # "code": any number that nothing else on the same server uses
PEPPER_FACT = "key_pepper_fingerprint"


class SchemaError(Exception):
    """Raised when this version cannot use the database's schema. The message says what to do."""


def alembic_config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration for the migrations in this package."""
    from alembic.config import Config  # some megabytes, which servers do without

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def ensure_schema(app: Flask, *, migrate: bool = True) -> None:
    """Apply missing migrations, and check that the key pepper has not changed.

    SQLite is copied to `<name>.before-<revision>.bak` first. Only one process works at a time.

    :param migrate: False rejects a database that needs a migration, and changes nothing.
    :raises SchemaError: if migrations are missing and may not be applied, or the database is newer.
    :raises SettingError: if the key pepper has changed.
    """
    with app.app_context():
        engine = db.engine
    with _one_at_a_time(engine, app.instance_path) as connection:
        current, known = _revision(connection), revisions()
        head = known[-1]
        if current is not None and current not in known:
            raise SchemaError(
                f"The database has the unknown revision {current}, because "
                "a newer codeintel has used it. Upgrade codeintel, or restore a backup."
            )
        if current != head:
            if not migrate:
                raise SchemaError(
                    f"The database has revision {current or 'none'}, but this version needs "
                    f"{head}. Start once without --no-migrate to apply the migrations."
                )
            from alembic import command  # a start without migrations does without it

            _back_up(engine, current, head)
            log.info("migrating the database from %s to %s", current or "empty", head)
            command.upgrade(alembic_config(connection), "head")
        _check_pepper(connection, app.extensions["codeintel"].pepper)


def revisions() -> list[str]:
    """Return the revisions of the migrations in this package, the newest last.

    They are read from the names of the files, because Alembic would import all files at each start.
    """
    return sorted(path.name.partition("_")[0] for path in MIGRATIONS.glob("versions/[0-9]*.py"))


def _revision(connection: Connection) -> str | None:
    """Return the database's revision, or None for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


@contextmanager
def _one_at_a_time(engine: Engine, instance: str) -> Iterator[Connection]:
    """Yield a connection in a transaction while no other process migrates."""
    if engine.dialect.name == "sqlite":
        file = Path(engine.url.database or instance)
        file.touch(mode=0o600)  # SQLite would make it readable by everyone
        with (file.parent / "migrate.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with closing(begin_write(engine)) as connection:
                yield connection
                connection.commit()
    else:
        from codeintel.platform.db.postgres import wait_for_ever  # psycopg is some megabytes

        with engine.connect() as connection, connection.begin():
            # Migrations may take long, and so may waiting for another process's.
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            # Between two statements Alembic imports the next migration, however slow the machine.
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            wait_for_ever(connection)
            connection.execute(text("SELECT pg_advisory_xact_lock(:id)"), {"id": ADVISORY_LOCK})
            yield connection


def _back_up(engine: Engine, current: str | None, head: str | None) -> None:
    path = engine.url.database
    if engine.dialect.name != "sqlite" or current is None or not path:
        return
    for left in Path(path).parent.glob(f".{Path(path).name}.before-*.bak.part"):
        left.unlink()  # from a process that was killed: only one migrates at a time
    target = Path(f"{path}.before-{head}-{now_ms()}.bak")
    # No other user may read the file from its first byte on. This process may be killed while it
    # copies.
    part = target.with_name(f".{target.name}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
        part.rename(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    log.info("copied the database to %s", target)


def pepper_fingerprint(pepper: bytes) -> str:
    """Return the fingerprint by which the database recognizes the pepper."""
    return hmac.new(pepper, b"codeintel key pepper", hashlib.sha256).hexdigest()


def _check_pepper(connection: Connection, pepper: bytes) -> None:
    """Reject a different pepper, because every stored key would silently stop working."""
    fingerprint = pepper_fingerprint(pepper)
    stored = connection.scalar(select(Fact.value).where(Fact.name == PEPPER_FACT))
    if stored is None:
        connection.execute(insert(Fact).values(name=PEPPER_FACT, value=fingerprint))
    elif not hmac.compare_digest(stored, fingerprint):
        raise SettingError(
            "CODEINTEL_KEY_PEPPER is not the one that this database's API keys were stored under. "
            "Set the former value, or restore the file `key_pepper` in the instance folder."
        )
