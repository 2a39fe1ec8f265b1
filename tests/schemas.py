"""Databases whose schema is in place: to migrate a new one takes longer than most tests."""

from __future__ import annotations

import shutil
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
from flask import Flask
from sqlalchemy import URL, delete

from codeintel import create_app
from codeintel.platform.db import db
from codeintel.platform.db.migrate import PEPPER_FACT, ensure_schema
from codeintel.platform.db.models import Fact

SYSTEM = "template1"
TEMPLATE = "migrated"
HAS_TEMPLATE = b"SELECT 1 FROM pg_database WHERE datname = 'migrated'"
OF_THE_SCHEMA = frozenset({"alembic_version", "facts"})
"""Tables that have rows as soon as they are there."""
HAS_TABLES = b"SELECT 1 FROM pg_tables WHERE schemaname = 'public'"


def made_schema(folder: Path) -> Path:
    """Return a migrated SQLite database without a pepper."""
    app = create_app({"CODEINTEL_INSTANCE": folder, "DATABASE_URL": "", "REDIS_URL": ""})
    ensure_schema(app)
    with app.app_context(), closing(db.engine.connect()) as connection:
        connection.execute(delete(Fact).where(Fact.name == PEPPER_FACT))
        connection.commit()
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        path = Path(db.engine.url.database or "")
    with app.app_context():
        db.engine.dispose()
    return path


def copied_schema(app: Flask, schema: Path) -> None:
    """Give an application with an empty database a copy of this one, or of PostgreSQL's template
    where :func:`kept_schema` has made it."""
    with app.app_context():
        url = db.engine.url
    path = Path(url.database or "")
    if url.get_backend_name() == "postgresql":
        with suppress(psycopg.Error):  # migrating it says what is wrong
            _copy_template(url)
    elif url.database and not path.exists():
        shutil.copyfile(schema, path)
        path.chmod(0o600)


def kept_schema(app: Flask) -> None:
    """Keep a copy of this application's database for the next one on this PostgreSQL server, if
    only the schema is in it, because a test may create its second application over rows."""
    with app.app_context():
        engine = db.engine
    url = engine.url
    if url.get_backend_name() != "postgresql":
        return
    with _connected(url, SYSTEM) as system:
        if system.execute(HAS_TEMPLATE).fetchone():
            return
        if _has_rows(url):
            return
        engine.dispose()  # the template must not have connections
        _copy(system, str(url.database), TEMPLATE)
    with _connected(url, TEMPLATE) as connection:
        connection.execute("DELETE FROM facts WHERE name = %s", [PEPPER_FACT])


def _has_rows(url: URL) -> bool:
    """Return whether a test has written rows."""
    with _connected(url, str(url.database)) as connection:
        tables = connection.execute(
            "SELECT format('%I', tablename) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
        own = [name for (name,) in tables if name not in OF_THE_SCHEMA]
        asked = " OR ".join(f"EXISTS (SELECT 1 FROM {name})" for name in own)
        (found,) = connection.execute(f"SELECT {asked}".encode()).fetchone() or (True,)
    return bool(found)


def _copy_template(url: URL) -> None:
    """Replace the whole database, which has no connections yet."""
    name = str(url.database)
    with _connected(url, SYSTEM) as system:
        if not system.execute(HAS_TEMPLATE).fetchone():
            return
        with _connected(url, name) as connection:
            if connection.execute(HAS_TABLES).fetchone():
                return
        system.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
        _copy(system, TEMPLATE, name)


def _copy(system: psycopg.Connection[Any], source: str, target: str) -> None:
    """Copy the files of a database: PostgreSQL's other way writes all pages to its log, which takes
    three times as long. Before version 15 there was no other."""
    how = "STRATEGY FILE_COPY" if system.info.server_version >= 150_000 else ""
    system.execute(f"CREATE DATABASE {target} TEMPLATE {source} {how}".encode())


def _connected(url: URL, database: str) -> psycopg.Connection[Any]:
    plain = url.set(drivername="postgresql", database=database)
    return psycopg.connect(plain.render_as_string(hide_password=False), autocommit=True)
