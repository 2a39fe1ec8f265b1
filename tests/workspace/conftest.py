"""Applications that many tests share, as to make one takes longer than most of them; and accounts
whose workspaces are analyzed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counting_engine import COUNTING_ENGINE
from flask import Flask
from schemas import copied_schema, kept_schema
from support import MakeApp, User, make_user
from workspace_pushes import Pusher

from codeintel import create_app
from codeintel.app import Services
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema

PEPPER = "a-pepper-for-tests-that-is-long-enough"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared_app(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, _schema: Path
) -> Iterator[Flask]:
    """Provide an application on each kind of database, for all tests of a module."""
    config: dict[str, Any] = {
        "CODEINTEL_INSTANCE": tmp_path_factory.mktemp("instance"),
        "CODEINTEL_KEY_PEPPER": PEPPER,
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
    app.extensions["codeintel"].jobs.stop(0)
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def pusher(shared_app: Flask) -> Pusher:
    """Return a new account of it."""
    return Pusher(shared_app)


@pytest.fixture
def other(shared_app: Flask) -> Pusher:
    """Return another pusher."""
    return Pusher(shared_app)


@pytest.fixture
def payer(database_services: Services) -> User:
    """Return an account of a service with its own engine."""
    return make_user(database_services)


@pytest.fixture
def quick_services(database_config: dict[str, Any], make_app: MakeApp, tmp_path: Path) -> Services:
    """Return services with an instant engine that reports one harmless finding in each file."""
    (tmp_path / "plugins").mkdir()
    quick = COUNTING_ENGINE.replace("gevent.sleep(0.2)", "gevent.sleep(0)")
    (tmp_path / "plugins" / "counting.py").write_text(quick)
    services: Services = make_app(database_config).extensions["codeintel"]
    return services


@pytest.fixture
def customer(quick_services: Services) -> User:
    """Return an account of the service with the quick engine."""
    return make_user(quick_services)
