"""The database: models, the engine's settings, the transaction writer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Engine, event, pool

from codeintel.platform.config import Settings
from codeintel.platform.db.models import Base

MIGRATIONS = Path(__file__).parent / "migrations"
POOL_WAIT_SECONDS = 2
CONNECT_SECONDS = 2
STATEMENT_SECONDS = 5
LOCK_MILLISECONDS = 1_500
"""Less than a client's timeout, so that the client learns why the request failed."""
IDLE_SECONDS = 4
"""How long a transaction may be idle.

Our code never yields within a transaction. So this only ends transactions of a process that hangs,
and frees the locks that others wait for.
"""
KEEPALIVE_SECONDS = 10
"""Silence after which the server checks whether its peer is alive, three times, 5 s apart."""
_SESSION = {
    "statement_timeout": f"{STATEMENT_SECONDS}s",
    "lock_timeout": f"{LOCK_MILLISECONDS}ms",
    "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
    # On the server: ends sessions of a machine that has vanished.
    "tcp_keepalives_idle": KEEPALIVE_SECONDS,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,
}
APPLICATION_NAME = "codeintel"
"""The name of our connections in PostgreSQL. A restore waits until none are left."""

db = SQLAlchemy(model_class=Base)


def init_database(app: Flask, settings: Settings) -> None:
    """Bind the database to the application, without connecting yet."""
    app.config["SQLALCHEMY_DATABASE_URI"] = settings.database
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = _engine_options(settings)
    db.init_app(app)
    if os.environ.get("FLASK_RUN_FROM_CLI") == "true":
        # For developers: `flask --app wsgi db revision --autogenerate -m "..."`.
        from flask_migrate import Migrate  # some megabytes, which servers do without

        Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            _prepare_sqlite(db.engine)
        else:
            from codeintel.platform.db.postgres import bound_waiting  # psycopg is some megabytes

            bound_waiting(db.engine)


def _engine_options(settings: Settings) -> dict[str, Any]:
    if settings.database.startswith("sqlite"):
        # A wait inside SQLite would stop every greenlet, so it fails immediately and the writer
        # retries.
        return {"connect_args": {"timeout": 0}, "poolclass": pool.QueuePool}
    return {
        "pool_size": 5,
        "max_overflow": 0,
        "pool_timeout": POOL_WAIT_SECONDS,
        "pool_pre_ping": True,
        "connect_args": {
            "application_name": APPLICATION_NAME,
            "connect_timeout": CONNECT_SECONDS,
            "tcp_user_timeout": STATEMENT_SECONDS * 1000,
            "keepalives_idle": KEEPALIVE_SECONDS,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "options": session_options(),
        },
    }


def session_options() -> str:
    """Return the options with which each PostgreSQL session is opened."""
    return " ".join(f"-c {name}={value}" for name, value in _SESSION.items())


def _prepare_sqlite(engine: Engine) -> None:
    """Set WAL, durable commits and foreign keys, and start write transactions where the code
    says.
    """

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        # The driver's own BEGIN comes late and as a reader, so replace it (SQLAlchemy's docs on
        # pysqlite and SAVEPOINT describe this).
        connection.isolation_level = None
        # Two processes that open a new file together both switch it to WAL, which may have to wait.
        for pragma in (
            "busy_timeout=2000",
            "journal_mode=WAL",
            "busy_timeout=0",
            "synchronous=FULL",
            "foreign_keys=ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        if connection.get_execution_options().get("write"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql("BEGIN")
