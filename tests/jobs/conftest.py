"""Processes with jobs, on each kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from job_helpers import Gate, MakeParty, Party, empty, engine_of
from sqlalchemy import Engine

from codeintel import create_app
from codeintel.platform.db.migrate import ensure_schema


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def _database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """Provide each kind of database, for all tests of a module, because creating one takes
    longer than a test."""
    config: dict[str, Any] = {
        "CODEINTEL_INSTANCE": tmp_path_factory.mktemp("instance"),
        "CODEINTEL_KEY_PEPPER": "a-pepper-for-tests-that-is-long-enough",
        "DATABASE_URL": "",
        "REDIS_URL": "",
    }
    if request.param == "postgresql":
        config["DATABASE_URL"] = request.getfixturevalue("postgres_server").empty()
    app = create_app(config)
    ensure_schema(app)
    engine = engine_of(app)
    yield engine
    engine.dispose()


@pytest.fixture
def database(_database: Engine) -> Engine:
    """Return each kind of database, without a job."""
    empty(_database)
    return _database


@pytest.fixture
def sqlite_database(app: Flask) -> Engine:
    """Return a SQLite database, for tests that do not depend on the kind of database."""
    return engine_of(app)


def _parties(engine: Engine, folder: Path) -> Iterator[MakeParty]:
    made: list[Party] = []

    def make(*kinds: object, **more: object) -> Party:
        made.append(Party(engine, folder, kinds, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for party in made:
        party.jobs.stop(0)
        party.messages.close()


@pytest.fixture
def party(database: Engine, tmp_path: Path) -> Iterator[MakeParty]:
    """Provide a function that makes processes that share each kind of database."""
    yield from _parties(database, tmp_path)


@pytest.fixture
def sqlite_party(sqlite_database: Engine, tmp_path: Path) -> Iterator[MakeParty]:
    """Provide a function that makes processes that share a database in a file."""
    yield from _parties(sqlite_database, tmp_path)


@pytest.fixture
def gate() -> Gate:
    """Return a kind of job that waits halfway."""
    return Gate()
