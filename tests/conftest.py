"""Fixtures that most tests need: a separate application, with an account and a key."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gevent
import pytest
import redis
from alone import room_of
from app_parts import remember_app_parts
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from rule_pages import remember_rules
from schemas import copied_schema, kept_schema, made_schema
from servers import PostgresServer, RedisServer, running
from support import MakeApp, User, make_user
from tiers import (
    TIERS,
    begin,
    folder_of,
    is_left_out,
    leave_out_the_long,
    mark,
    put_in_order,
    watch,
    within_tier,
)
from zygotes import REAL, Mould, forked_zygotes

from codeintel import create_app
from codeintel.app import Services
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema

pytest.register_assert_rewrite("scripted_runs")
remember_rules()
remember_app_parts()
# On a busy machine an example may take longer than Hypothesis allows: that is no mistake in what is
# tested. As many examples are tried as before.
settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")


def pytest_configure(config: pytest.Config) -> None:
    """Configure tiers. With several processes, tests with time limits wait for the others."""
    leave_out_the_long(config)
    for tier, what in TIERS.items():
        config.addinivalue_line("markers", f"{tier}: {what}")
    watch()
    if workerinput := getattr(config, "workerinput", None):
        config.pluginmanager.register(room_of(workerinput["testrunuid"]))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without a test that `-m` selects, so that they are not imported."""
    return is_left_out(collection_path, config.option.markexpr) or None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Use one and a half times as many processes as processors with `-n auto`.

    Most tests periodically wait for other processes. Those of the tier `unit` never do.
    """
    if config.option.markexpr == "unit":
        return None
    processors = len(os.sched_getaffinity(0))
    return processors + processors // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test with its tier before `-m` is evaluated."""
    mark(items)
    put_in_order(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Forbid tests of the tier `unit` to start processes or open connections."""
    begin(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Run the test within its tier, like :func:`pytest_runtest_setup`."""
    return (yield from within_tier())


def pytest_collection_finish() -> None:
    """Exclude collected tests from garbage collection.

    They stay to the end. With tens of thousands of tests, each collection would take seconds, and
    some tests have time limits.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def settled_memory() -> None:
    """Keep a full garbage collection over what earlier tests left out of this module's tests: it
    takes seconds after thousands of tests, and analyzers stop after a second or two."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _present_time() -> None:
    """Update the time of gevent's loop.

    It reads the clock only when it runs. After seconds without it, a new timeout would expire
    immediately.
    """
    gevent.get_hub().loop.update_now()


@pytest.fixture(scope="session")
def _mould() -> Iterator[Mould]:
    """Return the process that this run's zygotes are forked from."""
    mould = Mould()
    yield mould
    mould.stop()


@pytest.fixture(scope="module", autouse=True)
def _zygotes(request: pytest.FixtureRequest, _mould: Mould) -> Iterator[None]:
    """Provide zygotes without the second that their imports take, where these are not what is
    tested."""
    if folder_of(request.path) in REAL:
        yield
        return
    with forked_zygotes(_mould):
        yield


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the developer's own settings, which must not change tests."""
    for name in list(os.environ):
        if name.startswith("CODEINTEL_") and name != "CODEINTEL_REQUIRE_SERVICES":
            monkeypatch.delenv(name)
        if name.lower() == "npm_config_registry":
            monkeypatch.delenv(name)
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def _schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated SQLite database, to be copied."""
    return made_schema(tmp_path_factory.mktemp("schema"))


@pytest.fixture
def make_app(tmp_path: Path, _schema: Path) -> Iterator[MakeApp]:
    """Provide a function that makes applications over SQLite in one temporary instance folder,
    with the schema in place."""
    made: list[Flask] = []

    def make(config: Mapping[str, Any] | None = None) -> Flask:
        app = create_app({"CODEINTEL_INSTANCE": tmp_path, **(config or {})})
        made.append(app)
        copied_schema(app, _schema)
        ensure_schema(app)
        kept_schema(app)
        return app

    yield make
    for app in made:
        app.extensions["codeintel"].pool.stop()
        app.extensions["codeintel"].runs.stop()
        app.extensions["codeintel"].jobs.stop(0)
        with app.app_context():
            db.engine.dispose()


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """Return an application with default settings."""
    return make_app()


@pytest.fixture
def services(app: Flask) -> Services:
    """Return the services of `app`."""
    found: Services = app.extensions["codeintel"]
    return found


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client of `app` without a credential."""
    return app.test_client()


@pytest.fixture
def user(services: Services) -> User:
    """Return a FREE account of `app` with 100 credits."""
    return make_user(services)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """Provide the PostgreSQL server of this test run."""
    server = PostgresServer()
    with running(server):
        yield server


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Provide the Redis server of this test run: not to be stopped."""
    server = RedisServer()
    with running(server):
        yield server


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """Return a separate PostgreSQL server that the test may hang and kill."""
    server = PostgresServer()
    with running(server):
        yield server


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """Return a separate Redis server that the test may hang and kill."""
    server = RedisServer()
    with running(server):
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Provide an empty Redis. Connections to it end with the test: those of greenlets that were
    killed stay open until they are collected, and another test would be warned of them."""
    pools: list[redis.ConnectionPool] = []
    really_begin = redis.ConnectionPool.__init__

    def begin(pool: redis.ConnectionPool, *given: Any, **named: Any) -> None:
        really_begin(pool, *given, **named)
        pools.append(pool)

    monkeypatch.setattr(redis.ConnectionPool, "__init__", begin)
    redis_server.flush()
    yield redis_server.url
    for pool in pools:
        pool.disconnect()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """Return an empty PostgreSQL database."""
    return postgres_server.empty()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_config(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return settings for an empty database of each kind."""
    if request.param == "sqlite":
        return {}
    return {
        "DATABASE_URL": request.getfixturevalue("postgres_url"),
        "CODEINTEL_KEY_PEPPER": "a-pepper-for-tests-that-is-long-enough",
    }


@pytest.fixture
def database_app(database_config: dict[str, Any], make_app: MakeApp) -> Flask:
    """Return an application over each kind of database, with the schema in place."""
    return make_app(database_config)


@pytest.fixture
def database_services(database_app: Flask) -> Services:
    """Return the services of `database_app`."""
    found: Services = database_app.extensions["codeintel"]
    return found
