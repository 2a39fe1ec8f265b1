"""The newcomer's path, over real processes and sockets."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from server_helpers import key_of
from slow_engine import SLOW_ENGINE
from urllib3.exceptions import HTTPError

from codeintel.base.entitlements import Tier
from codeintel.testing.server import LiveServer, events

BAD_CODE = "import subprocess\n\ndef run(command):\n    subprocess.call(command, shell=True)\n"


@pytest.fixture
def slow_server(tmp_path: Path) -> Iterator[LiveServer]:
    """Run a server whose runs take the number of seconds in the prompt."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "slow.py").write_text(SLOW_ENGINE)
    with LiveServer(
        tmp_path, CODEINTEL_RUN_RESUME_GRACE="0.5", CODEINTEL_DRAIN_TIMEOUT="1"
    ) as running:
        yield running


def test_serve_says_where_and_how_to_begin(server: LiveServer) -> None:
    assert f"is running at {server.url} " in server.output
    assert f"export CODEINTEL_URL={server.url}\n" in server.output
    for line in server.output.splitlines():
        command = line.strip().split()
        if command[:2] == ["codeintel", "accounts"]:
            server.run(*command[1:])
        if "CODEINTEL_API_KEY=$(codeintel" in line:
            token = server.run(
                *line.partition("$(codeintel ")[2].rstrip(")").split()
            ).stdout.strip()
    assert server.account(token)["unlimited"] is True


def test_the_client_shows_findings_of_a_real_file(server: LiveServer, tmp_path: Path) -> None:
    key = key_of(server, "client@example.org")
    (tmp_path / "bad.py").write_text(BAD_CODE)
    done = server.run(
        "analyze",
        str(tmp_path / "bad.py"),
        *("--url", server.url, "--key", key, "--fail-on", "high"),
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "bad.py:4:" in done.stdout
    assert "\x1b" not in done.stdout


def test_the_stream_begins_at_once_and_ends_with_the_terminal_event(server: LiveServer) -> None:
    key = key_of(server, "stream@example.org")
    with server.analyze(key, code=BAD_CODE, prompt="Is it secure?") as response:
        assert response.headers["Content-Type"].startswith("text/event-stream")
        assert response.headers["Cache-Control"] == "no-cache, no-transform"
        assert response.headers["X-Accel-Buffering"] == "no"
        seen = list(events(response))
    assert [event["sequence"] for event in seen] == list(range(1, len(seen) + 1))
    assert seen[0]["type"] == "run.created"
    assert [event["type"] for event in seen[-3:]] == ["result", "usage", "run.completed"]
    assert server.account(key)["credits"] == {"balance": 99, "held": 0, "available": 99}


def test_exactly_as_many_runs_as_there_are_credits(server: LiveServer) -> None:
    key = key_of(server, "crowd@example.org", tier=Tier.TEAM, credits_=20)

    def run(_: int) -> tuple[int, str]:
        with server.analyze(key) as response:
            last = list(events(response))[-1]["type"] if response.ok else response.json()
            return response.status_code, json.dumps(last)

    with ThreadPoolExecutor(50) as crowd:
        answers = list(crowd.map(run, range(50)))
    assert sorted(status for status, _ in answers) == [200] * 20 + [402] * 30
    assert all("run.completed" in last for status, last in answers if status == 200)
    assert server.account(key)["credits"] == {"balance": 0, "held": 0, "available": 0}


def test_a_second_serve_on_the_same_file_is_refused(
    server: LiveServer,
) -> None:
    refused = server.run("serve", "--port", "0", check=False)
    assert refused.returncode == 2
    assert "Another `codeintel serve` already uses" in refused.stderr


def test_a_taken_port_is_said_in_one_line(server: LiveServer, tmp_path: Path) -> None:
    port = server.url.rpartition(":")[2]
    refused = LiveServer(tmp_path).run("serve", "--port", port, check=False)
    assert refused.returncode == 2
    assert refused.stderr.strip().endswith(
        f"Cannot listen on 127.0.0.1, port {port}: Address already in use. "
        "If codeintel is still shutting down there, wait. Otherwise choose another address with "
        "--host and --port."
    )


def test_more_workers_need_redis(tmp_path: Path) -> None:
    refused = LiveServer(tmp_path).run("serve", "--port", "0", "--workers", "2", check=False)
    assert refused.returncode == 2
    assert "Cannot run 2 workers" in refused.stderr


def test_after_kill_9_in_mid_run_the_credits_are_whole(slow_server: LiveServer) -> None:
    key = key_of(slow_server)
    with slow_server.analyze(key, prompt="20") as response:
        seen = events(response)
        assert next(seen)["type"] == "run.created"
        assert next(seen)["type"] == "output.delta"
        assert slow_server.account(key)["credits"]["held"] == 1
        slow_server.kill_all()
        with pytest.raises(HTTPError):
            list(seen)
    slow_server.start()
    assert slow_server.account(key)["credits"] == {"balance": 100, "held": 0, "available": 100}
    assert "Ended 1 run that a crash interrupted" in slow_server.output


def test_who_leaves_for_longer_than_the_grace_pays_the_least_price(
    slow_server: LiveServer,
) -> None:
    key = key_of(slow_server)
    with slow_server.analyze(key, prompt="20", model="pro") as response:
        seen = events(response)
        assert next(seen)["creditsReserved"] == 2
        assert next(seen)["type"] == "output.delta"
    deadline = time.monotonic() + 10
    while slow_server.account(key)["credits"]["held"] and time.monotonic() < deadline:
        time.sleep(0.1)
    assert slow_server.account(key)["credits"] == {"balance": 99, "held": 0, "available": 99}


def test_a_silent_client_that_hangs_up_is_noticed_without_a_write(tmp_path: Path) -> None:
    silent = SLOW_ENGINE.replace('context.output("word ")', "pass")
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "silent.py").write_text(silent)
    with LiveServer(tmp_path, CODEINTEL_RUN_RESUME_GRACE="0.2") as server:
        key = key_of(server)
        with server.analyze(key, prompt="60") as response:
            assert next(events(response))["type"] == "run.created"
        deadline = time.monotonic() + 8
        while server.account(key)["credits"]["held"] and time.monotonic() < deadline:
            time.sleep(0.1)
        assert server.account(key)["credits"] == {"balance": 100, "held": 0, "available": 100}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_shutdown_ends_running_streams_with_their_terminal_event(
    slow_server: LiveServer, number: int
) -> None:
    key = key_of(slow_server)
    with slow_server.analyze(key, prompt="20", model="pro") as response:
        seen = events(response)
        next(seen)
        slow_server.signal(number)
        last = list(seen)[-1]
    assert (last["type"], last["reason"]) == ("run.incomplete", "shutdown")
    assert (last["creditsCharged"], last["creditsRefunded"]) == (1, 1)
    assert slow_server.process.wait(20) == 0
    slow_server.start()
    assert slow_server.account(key)["credits"] == {"balance": 99, "held": 0, "available": 99}


def test_while_draining_health_says_so_and_runs_begin_for_a_while_by_open_connections_only(
    tmp_path: Path,
) -> None:
    """Check the first half of the timeout, during which proxies may not know yet, and the
    refusals after it."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "slow.py").write_text(SLOW_ENGINE)
    with (
        LiveServer(tmp_path, CODEINTEL_DRAIN_TIMEOUT="6") as server,
        requests.Session() as one,
        requests.Session() as another,
        requests.Session() as late,
    ):
        key = key_of(server)

        def run(session: requests.Session) -> requests.Response:
            return session.post(
                f"{server.url}/api/v1/analyze/stream",
                headers={"x-api-key": key},
                json={"code": "x = 1", "prompt": "0.1"},
                timeout=5,
            )

        with server.analyze(key, prompt="4") as response:
            for session in (one, another, late):  # no new connections are accepted later
                assert session.get(f"{server.url}/api/v1/health", timeout=5).status_code == 200
            server.signal(signal.SIGTERM)
            time.sleep(0.3)
            health = one.get(f"{server.url}/api/v1/health", timeout=5)
            assert (health.status_code, health.json()["data"]["status"]) == (503, "unhealthy")
            taken = run(another)
            assert (taken.status_code, taken.headers["Connection"]) == (200, "close")
            assert "event: run.completed" in taken.text
            time.sleep(3)
            refused = run(late)
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "draining")
            assert int(refused.headers["Retry-After"]) > 0
            assert list(events(response))[-1]["type"] == "run.completed"


def test_a_shutdown_settles_what_nobody_reads(tmp_path: Path) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "slow.py").write_text(SLOW_ENGINE)
    with LiveServer(
        tmp_path, CODEINTEL_RUN_RESUME_GRACE="30", CODEINTEL_DRAIN_TIMEOUT="1"
    ) as server:
        key = key_of(server)
        with server.analyze(key, prompt="60", model="pro") as response:
            seen = events(response)
            next(seen), next(seen)
        server.signal(signal.SIGTERM)
        assert server.process.wait(20) == 0
        server.start()
        assert "a crash cut off" not in server.output
        assert server.account(key)["credits"] == {"balance": 99, "held": 0, "available": 99}


def test_a_stream_ends_soon_after_its_key_is_revoked(slow_server: LiveServer) -> None:
    key = key_of(slow_server)
    with slow_server.analyze(key, prompt="600") as response:
        seen = events(response)
        next(seen)
        listed = slow_server.run("keys", "list", "user@example.org", "--json").stdout
        (row,) = json.loads(listed)["keys"]
        slow_server.run("keys", "revoke", "user@example.org", row["id"])
        revoked = time.monotonic()
        assert all(event["type"] == "output.delta" for event in seen)
    assert time.monotonic() - revoked < 5


def test_gunicorn_itself_checks_and_migrates_too(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gunicorn", "-c", "python:codeintel.server.gunicorn"]
    environment = {**os.environ, "CODEINTEL_INSTANCE": str(tmp_path)}
    refused = subprocess.run(
        [*command, "-w", "3", "-b", "127.0.0.1:0", "wsgi:app"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert refused.returncode == 1
    assert "Cannot run 3 workers" in refused.stderr
    assert not (tmp_path / "codeintel.db").exists()
