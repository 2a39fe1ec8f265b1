"""Applications with scans, on each kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from scan_accounts import Scanning
from schemas import copied_schema, kept_schema

from codeintel import create_app
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared_app(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, _schema: Path
) -> Iterator[Flask]:
    """Provide an application on each kind of database, for all tests of a module."""
    config: dict[str, Any] = {
        "CODEINTEL_INSTANCE": tmp_path_factory.mktemp("instance"),
        "CODEINTEL_KEY_PEPPER": "a-pepper-for-tests-that-is-long-enough",
        "CODEINTEL_TIER_LIMITS_FREE": "30,20,5",
        "DATABASE_URL": "",
        "REDIS_URL": "",
    }
    if request.param == "postgresql":
        config["DATABASE_URL"] = request.getfixturevalue("postgres_server").empty()
    app = create_app(config)
    copied_schema(app, _schema)
    ensure_schema(app)
    kept_schema(app)
    yield app
    app.extensions["codeintel"].pool.stop()
    app.extensions["codeintel"].runs.stop()
    app.extensions["codeintel"].jobs.stop(0)
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def scanning(shared_app: Flask) -> Scanning:
    """Return a new account that scans."""
    return Scanning(shared_app)
