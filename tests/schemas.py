"""Databases whose schema is in place: to migrate a new one takes longer than most tests."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from flask import Flask
from sqlalchemy import delete

from codeintel import create_app
from codeintel.platform.db import db
from codeintel.platform.db.migrate import PEPPER_FACT, ensure_schema
from codeintel.platform.db.models import Fact


def made_schema(folder: Path) -> Path:
    """A migrated SQLite database that belongs to no pepper."""
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
    """Give an application without a database a copy of this one."""
    with app.app_context():
        url = db.engine.url
    path = Path(url.database or "")
    if url.get_backend_name() == "sqlite" and url.database and not path.exists():
        shutil.copyfile(schema, path)
        path.chmod(0o600)
