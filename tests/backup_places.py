"""Databases that tests back up and restore into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Engine, create_engine
from stored_samples import contents_of

from codeintel import create_app
from codeintel.platform.config import Settings, load_settings
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema

PEPPER = "a-pepper-for-tests-that-is-long-enough"
KINDS = ("sqlite", "postgresql")


@dataclass
class Place:
    """A separate database. Tests close what they open, because a restore refuses while clients
    are connected."""

    config: dict[str, Any]

    @property
    def settings(self) -> Settings:
        return load_settings(self.config, {}).settings

    def app(self) -> Flask:
        app = create_app(self.config)
        ensure_schema(app)
        return app

    def engine(self) -> Engine:
        return create_engine(self.settings.database)

    def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        engine = self.engine()
        with engine.connect() as connection:
            found = contents_of(connection)
        engine.dispose()
        return found


def close(app: Flask) -> None:
    services = app.extensions["codeintel"]
    services.pool.stop()
    services.jobs.stop(0)
    with app.app_context():
        db.engine.dispose()


class Places:
    """Databases for a test."""

    def __init__(self, folder: Path, empty_postgres: Callable[[], str]) -> None:
        self._folder = folder
        self._empty_postgres = empty_postgres
        self._count = 0

    def make(self, kind: str, pepper: str = PEPPER) -> Place:
        self._count += 1
        instance = self._folder / f"instance-{self._count}"
        instance.mkdir()
        config = {"CODEINTEL_INSTANCE": instance, "DATABASE_URL": "", "REDIS_URL": ""}
        if pepper:
            config["CODEINTEL_KEY_PEPPER"] = pepper
        if kind == "postgresql":
            config["DATABASE_URL"] = self._empty_postgres()
        return Place(config)
