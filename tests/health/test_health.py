"""The health of the service while its dependencies live, hang and die."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from servers import PostgresServer, RedisServer
from support import MakeApp

from codeintel import __version__, create_app
from codeintel.app import Services
from codeintel.base.confinement.state import state

PEPPER = "a-pepper-for-tests-that-is-long-enough"
DATABASE_SECONDS = 3.0
REDIS_SECONDS = 0.6
PATCHED_SECONDS = 20.0

# As in the server, where the standard library is patched: sends eight requests in parallel for each
# input line, and prints the results.
PATCHED = """
from gevent import monkey
monkey.patch_all()
import json, sys, time
import gevent
from pathlib import Path
from codeintel import create_app
from codeintel.platform.db.migrate import ensure_schema

app = create_app(json.loads(sys.argv[1]))
ensure_schema(app)

def ask(_):
    begin = time.monotonic()
    answer = app.test_client().get("/api/v1/health")
    return answer.status_code, answer.json["data"]["checks"], time.monotonic() - begin

for _ in sys.stdin:
    jobs = [gevent.spawn(ask, number) for number in range(8)]
    gevent.joinall(jobs)
    print(json.dumps([job.get() for job in jobs]), flush=True)
"""


def health(client: FlaskClient) -> tuple[int, dict[str, Any]]:
    """Return status and report, whose shape is always the same."""
    answer = client.get("/api/v1/health")
    body = answer.get_json()
    assert set(body) == {"data", "meta"}
    report: dict[str, Any] = body["data"]
    assert list(report) == ["status", "version", "timestamp", "uptime", "checks", "clockSkew"]
    assert list(report["checks"]) == ["database", "redis", "confinement"]
    assert report["version"] == __version__
    age = datetime.now(UTC) - datetime.fromisoformat(report["timestamp"])
    assert 0 <= age.total_seconds() < 5
    assert isinstance(report["uptime"], int)
    return answer.status_code, report


def checks(database: str, redis: str) -> dict[str, str]:
    return {"database": database, "redis": redis, "confinement": state().extent}


def test_all_is_well_on_either_database(database_app: Flask) -> None:
    status, report = health(database_app.test_client())
    assert (status, report["status"]) == (200, "healthy")
    assert report["checks"] == checks("ok", "not_configured")


def test_the_uptime_counts_from_the_start(client: FlaskClient, services: Services) -> None:
    services.health._started -= 90
    assert health(client)[1]["uptime"] in {90, 91, 92}


def test_shutting_down_is_unhealthy(client: FlaskClient, services: Services) -> None:
    services.runs.drain(0)
    status, report = health(client)
    assert (status, report["status"]) == (503, "unhealthy")
    assert report["checks"] == checks("ok", "not_configured")


def test_a_database_without_tables_is_unhealthy(tmp_path: Path) -> None:
    status, report = health(create_app({"CODEINTEL_INSTANCE": tmp_path}).test_client())
    assert (status, report["status"]) == (503, "unhealthy")
    assert report["checks"]["database"] == "error"


@pytest.mark.alone
@pytest.mark.parametrize("how", ["hang", "kill"])
def test_without_redis_the_service_is_degraded_and_answers(
    make_app: MakeApp, own_redis: RedisServer, how: str
) -> None:
    client = make_app({"REDIS_URL": own_redis.url}).test_client()
    status, report = health(client)
    assert (status, report["status"], report["checks"]["redis"]) == (200, "healthy", "ok")
    getattr(own_redis, how)()
    for _ in range(2):
        begin = time.monotonic()
        status, report = health(client)
        assert time.monotonic() - begin < REDIS_SECONDS
        assert (status, report["status"]) == (200, "degraded")
        assert report["checks"] == checks("ok", "error")
    own_redis.resume() if how == "hang" else own_redis.start()
    assert health(client)[1]["status"] == "healthy"


def test_health_finds_out_that_redis_is_back_and_lets_the_others_ask_it(
    make_app: MakeApp, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    app = make_app({"REDIS_URL": redis_url})
    found = app.extensions["codeintel"].health._redis.breaker
    for _ in range(3):
        found.failed(ConnectionError("no"))
    assert found.is_open
    for _ in range(2):
        assert health(app.test_client())[1]["status"] == "healthy"
        assert not found.is_open
    assert caplog.text.count("Redis answers again, after 3 errors") == 1


@pytest.mark.alone
def test_without_the_database_the_service_is_unhealthy(
    make_app: MakeApp, own_postgres: PostgresServer, redis_url: str
) -> None:
    config = {"DATABASE_URL": own_postgres.url, "CODEINTEL_KEY_PEPPER": PEPPER}
    client = make_app({**config, "REDIS_URL": redis_url}).test_client()
    assert health(client)[1]["status"] == "healthy"
    own_postgres.kill()
    for _ in range(2):
        begin = time.monotonic()
        status, report = health(client)
        assert time.monotonic() - begin < DATABASE_SECONDS
        assert (status, report["status"]) == (503, "unhealthy")
        assert report["checks"] == checks("error", "ok")
    own_postgres.start()
    assert health(client)[1]["status"] == "healthy"


@pytest.mark.alone
def test_a_database_that_hangs_is_given_up_on_and_no_connection_is_lost(
    own_postgres: PostgresServer, tmp_path: Path
) -> None:
    """More questions than the pool has connections: if they kept theirs, none were left after."""
    config = {
        "DATABASE_URL": own_postgres.url,
        "CODEINTEL_KEY_PEPPER": PEPPER,
        "CODEINTEL_INSTANCE": str(tmp_path),
    }
    server = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PATCHED, json.dumps(config)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin
    assert server.stdout
    too_long = threading.Timer(PATCHED_SECONDS, server.kill)
    too_long.start()

    def ask() -> list[tuple[int, dict[str, str], float]]:
        server.stdin.write("\n")  # type: ignore[union-attr]
        server.stdin.flush()  # type: ignore[union-attr]
        found: list[tuple[int, dict[str, str], float]] = json.loads(
            server.stdout.readline()  # type: ignore[union-attr]
        )
        return found

    try:
        assert {status for status, _, _ in ask()} == {200}
        own_postgres.hang()
        for status, found, took in ask():
            assert (status, found["database"]) == (503, "error")
            assert took < DATABASE_SECONDS
        own_postgres.resume()
        assert {status for status, _, _ in ask()} == {200}
    finally:
        too_long.cancel()
        server.kill()
        server.communicate(timeout=10)
