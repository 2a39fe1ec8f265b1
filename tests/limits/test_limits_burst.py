"""Many parallel requests to one process, and Redis."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gevent
import pytest
import redis
from support import MakeApp

from codeintel.base.entitlements import Tier
from codeintel.platform import shared_redis, shared_redis as breaker
from codeintel.platform.limits.service import Limits

AT_ONCE = 50
OWED = 10
KNOWN = 3
SECONDS = 120.0

# As in the server, where the standard library is patched: each command waits in a greenlet.
BURST = """
from gevent import monkey
monkey.patch_all()
import json, sys
import gevent
from codeintel import create_app
from codeintel.platform import shared_redis
from codeintel.base.entitlements import Tier

shared_redis.TURN_SECONDS = float(sys.argv[2])
limits = create_app(json.loads(sys.argv[1])).extensions["codeintel"].limits
hit = lambda: limits.hit_operation("acc_1", Tier.FREE, "analysis")
gevent.joinall([gevent.spawn(hit) for _ in range(150)])
print(json.dumps([limits.degraded, limits._breaker.errors, 1000 - hit().remaining]))
"""


def shared_count(limits: Limits) -> int:
    return 1_000 - limits.peek_operation("acc_1", Tier.FREE, "analysis").remaining


@pytest.mark.parametrize("forgets", [False, True])
@pytest.mark.parametrize("fails", [False, True])
def test_what_is_owed_is_paid_once(
    make_app: MakeApp,
    redis_url: str,
    monkeypatch: pytest.MonkeyPatch,
    forgets: bool,
    fails: bool,
) -> None:
    monkeypatch.setattr(breaker, "RETRY_SECONDS", 0.05)
    config = {"REDIS_URL": redis_url, "CODEINTEL_TIER_LIMITS_FREE": "1000,0"}
    limits: Limits = make_app(config).extensions["codeintel"].limits

    def hit() -> None:
        limits.hit_operation("acc_1", Tier.FREE, "analysis")

    for _ in range(KNOWN):
        hit()
    assert limits._breaker is not None
    monkeypatch.setattr(limits._breaker, "_retry_at", float("inf"))
    for _ in range(OWED):
        hit()
    if forgets:
        with redis.Redis.from_url(redis_url) as client:
            client.flushall()
    _yields(limits, monkeypatch, fails=fails)
    monkeypatch.setattr(limits._breaker, "_retry_at", 0.0)
    with gevent.Timeout(SECONDS):
        gevent.joinall([gevent.spawn(hit) for _ in range(AT_ONCE)], raise_error=True)
        while limits.degraded:
            gevent.sleep(0.01)
        hit()
    assert shared_count(limits) == KNOWN + OWED + AT_ONCE + 1
    assert not limits.degraded


def _yields(limits: Limits, monkeypatch: pytest.MonkeyPatch, *, fails: bool) -> None:
    """Make each command switch greenlets, and optionally the first payment fail."""
    storage = limits._limiter.limiter.storage
    failures = [ConnectionError("no")] if fails else []

    def yielding(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            gevent.sleep(0.002)
            if failures and named.get("amount", 1) > 1:
                raise failures.pop()
            return method(*arguments, **named)

        return call

    for name in ("get", "incr", "get_expiry"):
        monkeypatch.setattr(storage, name, yielding(getattr(storage, name)))


def burst(tmp_path: Path, redis_url: str, turn_seconds: float = 1) -> Any:
    """Return whether Redis counts as unreachable, its errors, and the final count."""
    config = {
        "REDIS_URL": redis_url,
        "CODEINTEL_TIER_LIMITS_FREE": "1000,0",
        "CODEINTEL_INSTANCE": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", BURST, json.dumps(config), str(turn_seconds)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_more_commands_at_once_than_connections_are_no_outage(
    redis_url: str, tmp_path: Path
) -> None:
    assert burst(tmp_path, redis_url) == [False, 0, 151]


def test_who_waits_for_a_connection_asks_no_redis_that_hangs(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=512) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        degraded, errors, counted = burst(tmp_path, url, turn_seconds=10)
        asked = _waiting(silent)
    assert (degraded, counted) == (True, 151)
    assert errors >= asked
    assert 1 <= asked <= shared_redis.CONNECTIONS


def _waiting(listener: socket.socket) -> int:
    """Return the number of connections that were not accepted."""
    listener.setblocking(False)
    count = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            listener.accept()[0].close()
            count += 1
    return count
