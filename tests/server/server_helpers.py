"""Real servers that ask a fake model, and their streams, read by threads."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import requests
from fake_models import FakeApi
from support import make_user
from urllib3.exceptions import HTTPError

from codeintel import create_app
from codeintel.base.entitlements import Tier
from codeintel.platform.db import db
from codeintel.testing.server import LiveServer

PEPPER = "p" * 40
PATIENCE = 120
"""Seconds that an answer may take before a test is given up."""


def settings(api: FakeApi, instance: Path, **more: str) -> dict[str, str]:
    """Return settings of a server that uses the fake API: `flash` answers for four seconds,
    `pro` without end."""
    return {
        "CODEINTEL_INSTANCE": str(instance),
        "CODEINTEL_AI_BASE_URL": api.url,
        "CODEINTEL_AI_MODEL_FLASH": "steady",
        "CODEINTEL_AI_MODEL_PRO": "paced",
        "CODEINTEL_AI_STATIC_EVIDENCE": "0",
        "CODEINTEL_RESULT_CACHE": "0",
        "CODEINTEL_DRAIN_TIMEOUT": "0.5",
        "CODEINTEL_TIER_LIMITS_TEAM": "100000,1",
        "CODEINTEL_KEY_PEPPER": PEPPER,
        **more,
    }


def live(config: dict[str, str], workers: int = 1) -> LiveServer:
    """Return a server with these settings, not started yet."""
    rest = {name: value for name, value in config.items() if name != "CODEINTEL_INSTANCE"}
    return LiveServer(Path(config["CODEINTEL_INSTANCE"]), workers=workers, **rest)


def new_key(config: dict[str, str], email: str = "user@example.org", **more: Any) -> str:
    """Return a key of a new account, of TEAM with 1000 credits, made here: the command takes
    seconds."""
    app = create_app(config)
    made = make_user(
        app.extensions["codeintel"], email, **{"tier": Tier.TEAM, "credits_": 1000, **more}
    )
    with app.app_context():
        db.engine.dispose()
    return made.token


def key_of(server: LiveServer, email: str = "user@example.org", **more: Any) -> str:
    """Return a key of a new account of this server, as `codeintel accounts create` makes it."""
    config = {"CODEINTEL_INSTANCE": str(server.instance), **server.settings}
    return new_key(config, email, **{"tier": Tier.FREE, "credits_": 100, **more})


class Stream:
    """An answer that is a stream of events, as far as it was read."""

    def __init__(self, response: requests.Response) -> None:
        self.response = response
        self.data = b""
        self.broke = False
        """Whether the connection ended before the response did."""

    def read(self, until: Callable[[Stream], bool] = lambda _: False) -> Stream:
        """Read on to the end, or until something is true."""
        try:
            while not until(self) and (chunk := self.response.raw.read1(65_536)):
                self.data += chunk
        except (HTTPError, OSError):
            self.broke = True
        return self

    def close(self) -> None:
        """Hang up."""
        self.response.close()

    @property
    def frames(self) -> list[bytes]:
        """The whole events in it, without heartbeats."""
        whole = self.data[: self.data.rfind(b"\n\n") + 2]
        frames = [part + b"\n\n" for part in whole.split(b"\n\n")[:-1]]
        return [frame for frame in frames if not frame.startswith(b":")]

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the events say."""
        lines = [line for frame in self.frames for line in frame.split(b"\n")]
        return [json.loads(line[5:]) for line in lines if line.startswith(b"data:")]

    @property
    def last(self) -> dict[str, Any]:
        """The newest event."""
        return self.events[-1]

    @property
    def run_id(self) -> str:
        found: str = self.events[0]["runId"]
        return found


def has(count: int) -> Callable[[Stream], bool]:
    """Return a condition: whether a stream has `count` events."""
    return lambda stream: len(stream.frames) >= count


def start(
    server: LiveServer, key: str, request_key: str = "", patience: float = PATIENCE, **body: Any
) -> Stream:
    """Start an analysis; its headers have come."""
    headers = {"Authorization": f"Bearer {key}"}
    headers |= {"Idempotency-Key": request_key} if request_key else {}
    answer = requests.post(
        f"{server.url}/api/v1/analyze/stream",
        headers=headers,
        json={"code": "x = 1\n", "language": "python", **body},
        stream=True,
        timeout=patience,
    )
    return Stream(answer)


def resume(server: LiveServer, key: str, run_id: str, after: int) -> Stream:
    """Read a run's events on."""
    headers = {"Authorization": f"Bearer {key}", "Last-Event-ID": str(after)}
    url = f"{server.url}/api/v1/runs/{run_id}/events"
    return Stream(requests.get(url, headers=headers, stream=True, timeout=PATIENCE))


def ask(server: LiveServer, key: str, path: str, method: str = "GET") -> requests.Response:
    """Return an answer that is not a stream."""
    headers = {"Authorization": f"Bearer {key}"}
    return requests.request(
        method, f"{server.url}/api/v1/{path}", headers=headers, timeout=PATIENCE
    )


def crowd(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run work in `count` threads and return the results."""
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(work, range(count)))


def eventually(question: Callable[[], bool], seconds: float) -> float:
    """Ask until the answer is yes; returns how long that took. No answer is a no."""
    begin = time.monotonic()
    while time.monotonic() < begin + seconds:
        with suppress(requests.RequestException):
            if question():
                return time.monotonic() - begin
        time.sleep(0.05)
    raise AssertionError(f"not true within {seconds} s")
