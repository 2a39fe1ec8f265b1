"""Two workers over PostgreSQL and Redis: what they share holds for both."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from server_helpers import key_of
from slow_engine import SLOW_ENGINE

from codeintel.base.entitlements import Tier
from codeintel.testing.server import LiveServer, events


@pytest.fixture
def shared(tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[LiveServer]:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "slow.py").write_text(SLOW_ENGINE)
    with LiveServer(
        tmp_path,
        workers=2,
        DATABASE_URL=postgres_url,
        REDIS_URL=redis_url,
        CODEINTEL_KEY_PEPPER="p" * 40,
        CODEINTEL_HOLD_TTL="3",
        CODEINTEL_DRAIN_TIMEOUT="1",
    ) as running:
        yield running


def test_limits_and_credits_hold_across_workers(shared: LiveServer) -> None:
    assert len(shared.worker_pids()) == 2
    health = requests.get(f"{shared.url}/api/v1/health", timeout=10).json()["data"]
    assert (health["status"], health["checks"]) == (
        "healthy",
        {"database": "ok", "redis": "ok", "confinement": "ok"},
    )
    free = key_of(shared, "free@example.org", unlimited=True)
    poor = key_of(shared, "poor@example.org", tier=Tier.TEAM, credits_=20)

    def run(key: str) -> int:
        with shared.analyze(key, prompt="0.1") as response:
            if response.ok:
                assert list(events(response))[-1]["type"] == "run.completed"
            return response.status_code

    with ThreadPoolExecutor(50) as crowd:
        assert Counter(crowd.map(run, [free] * 50)) == {200: 30, 429: 20}
        assert Counter(crowd.map(run, [poor] * 50)) == {200: 20, 402: 30}
    assert shared.account(poor)["credits"] == {"balance": 0, "held": 0, "available": 0}


def test_a_killed_worker_s_runs_are_given_back_once_their_lease_is_over(
    shared: LiveServer,
) -> None:
    key = key_of(shared)
    streams = [shared.analyze(key, prompt="60", model="pro") for _ in range(4)]
    for stream in streams:
        assert next(events(stream))["type"] == "run.created"
    assert shared.account(key)["credits"]["held"] == 8
    for pid in shared.worker_pids():
        os.kill(pid, signal.SIGKILL)
    for stream in streams:
        stream.close()
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        try:
            if not shared.account(key)["credits"]["held"]:
                break
        except requests.RequestException:
            pass  # the new workers have not started yet
        time.sleep(0.3)
    assert shared.account(key)["credits"] == {"balance": 100, "held": 0, "available": 100}
