"""A Redis whose memory is used up: it answers every question and counts nothing."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from flask import Flask
from servers import RedisServer
from support import MakeApp

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.platform import shared_redis as breaker
from codeintel.platform.metrics import table
from codeintel.runs.events.stream import Page, RunStreams
from codeintel.server.sampling import Sampler

pytestmark = pytest.mark.alone

RETRY_SECONDS = 0.05


@contextmanager
def full(server: RedisServer) -> Iterator[None]:
    """Make the server refuse writes within the block."""
    with redis.Redis.from_url(server.url) as client:
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", "1")
        try:
            yield
        finally:
            client.config_set("maxmemory", "0")


@pytest.fixture
def apps(
    make_app: MakeApp, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> tuple[Flask, Flask]:
    """Return two processes that share the server."""
    monkeypatch.setattr(breaker, "RETRY_SECONDS", RETRY_SECONDS)
    settings = {"REDIS_URL": own_redis.url, "CODEINTEL_TIER_LIMITS_FREE": "5,5"}
    return make_app(settings), make_app(settings)


def services(app: Flask) -> Services:
    found: Services = app.extensions["codeintel"]
    return found


def hit(app: Flask) -> tuple[int, bool]:
    state = services(app).limits.hit_operation("acc_1", Tier.FREE, "analysis")
    return state.remaining, state.exceeded


def health(app: Flask) -> tuple[int, str, str]:
    answer = app.test_client().get("/api/v1/health")
    report = answer.json["data"]
    return answer.status_code, report["status"], report["checks"]["redis"]


def figure(app: Flask) -> float:
    """Return the value of the metric."""
    Sampler(services(app))._look()
    [family] = table.REDIS_FULL.series().collect()
    return sum(sample.value for sample in family.samples)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        each.getMessage().partition(",")[0]
        for each in caplog.records
        if each.levelno == logging.WARNING and each.getMessage().startswith("Redis")
    ]


def test_it_is_told_once_and_nobody_gets_a_fresh_allowance(
    apps: tuple[Flask, Flask], own_redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = apps
    assert [hit(one), hit(two), hit(one)] == [(4, False), (3, False), (2, False)]
    assert health(one) == (200, "healthy", "ok")
    with full(own_redis):
        assert health(one) == (200, "degraded", "error")
        assert [hit(one), hit(one), hit(one)] == [(1, False), (0, False), (0, True)]
        until = time.monotonic() + 4 * RETRY_SECONDS
        while time.monotonic() < until:
            # Questions are answered in between: that does not end the outage.
            services(one).limits.peek_operation("acc_1", Tier.FREE, "transform")
            assert hit(one) == (0, True)
            assert services(one).limits.is_full
        assert health(one) == (200, "degraded", "error")
        assert warnings(caplog) == ["Redis is full and refuses writes"]
    assert health(one) == (200, "healthy", "ok")
    assert not services(one).limits.is_full
    assert hit(one) == (0, True)
    assert hit(two) == (0, True)  # it learns what was counted meanwhile
    assert [each.partition(" after")[0] for each in warnings(caplog)[1:]] == ["Redis answers again"]


def test_a_process_that_only_counts_learns_it_too(
    apps: tuple[Flask, Flask], own_redis: RedisServer
) -> None:
    app, _ = apps
    with full(own_redis):
        assert hit(app) == (4, False)
        assert services(app).limits.is_full
        assert figure(app) == 1
    time.sleep(2 * RETRY_SECONDS)
    assert hit(app) == (3, False)
    assert figure(app) == 0


def test_what_scripts_write_is_refused_as_full_too(own_redis: RedisServer) -> None:
    """Events of runs go to Redis by a script, whose errors look different."""
    with redis.Redis.from_url(own_redis.url) as client, full(own_redis):
        streams = RunStreams(client, 60, 60)
        noted = breaker.Breaker("Redis")
        try:
            streams.add([Page("run_1", 1, 1, 1, [b"1"], ends=False)])
        except redis.RedisError as error:
            noted.failed(error)
        assert noted.is_full
