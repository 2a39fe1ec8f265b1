"""Runs on the databases."""

from __future__ import annotations

import pytest
from flask import Flask
from scripted_runs import Runs
from servers import RedisServer
from sqlalchemy import Engine as Database
from support import MakeApp

from codeintel.app import Services
from codeintel.platform import shared_redis
from codeintel.platform.db import db

PEPPER = "a-pepper-for-tests-that-is-long-enough"
Pair = tuple[Runs, Runs]


@pytest.fixture
def database(database_app: Flask) -> Database:
    with database_app.app_context():
        return db.engine


@pytest.fixture
def runs(database_services: Services, database: Database) -> Runs:
    """Return runs on each kind of database."""
    return Runs(database_services, database)


@pytest.fixture
def sqlite_runs(app: Flask, services: Services) -> Runs:
    """Return runs on SQLite, for what does not depend on the database."""
    with app.app_context():
        return Runs(services, db.engine)


@pytest.fixture
def pair(
    make_app: MakeApp, postgres_url: str, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> Pair:
    """Return the services of two processes over one database and one Redis, which may be slow:
    these tests share one thread."""
    monkeypatch.setattr(shared_redis, "BUDGET_SECONDS", 2.0)
    config = {
        "DATABASE_URL": postgres_url,
        "REDIS_URL": own_redis.url,
        "CODEINTEL_KEY_PEPPER": PEPPER,
    }
    made = []
    for number in range(2):
        app = make_app(config)
        with app.app_context():
            made.append(Runs(app.extensions["codeintel"], db.engine, unlimited=bool(number)))
    here, there = made
    there.caller = here.caller
    return here, there
