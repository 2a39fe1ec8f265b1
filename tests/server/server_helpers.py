"""Streams of real servers, read by threads, and what must be true of the books afterwards."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import requests
from fake_models import FakeApi
from sqlalchemy import create_engine, text
from urllib3.exceptions import HTTPError

from codeintel.testing.server import LiveServer

PEPPER = "p" * 40
TERMINAL = ("run.completed", "run.incomplete", "run.failed", "run.cancelled")
PING = b": ping\n\n"


def settings(api: FakeApi, **more: str) -> dict[str, str]:
    """A server that asks the fake API: `flash` answers for four seconds, `pro` for ever."""
    return {
        "CODEINTEL_AI_BASE_URL": api.url,
        "CODEINTEL_AI_MODEL_FLASH": "steady",
        "CODEINTEL_AI_MODEL_PRO": "paced",
        "CODEINTEL_AI_STATIC_EVIDENCE": "0",
        "CODEINTEL_RESULT_CACHE": "0",
        "CODEINTEL_TIER_LIMITS_TEAM": "100000,1",
        "CODEINTEL_KEY_PEPPER": PEPPER,
        **more,
    }


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
    """Whether a stream has so many events."""
    return lambda stream: len(stream.frames) >= count


def start(server: LiveServer, key: str, request_key: str = "", **body: Any) -> Stream:
    """Start an analysis; its headers have come."""
    headers = {"Authorization": f"Bearer {key}"}
    headers |= {"Idempotency-Key": request_key} if request_key else {}
    answer = requests.post(
        f"{server.url}/api/v1/analyze/stream",
        headers=headers,
        json={"code": "x = 1\n", "language": "python", **body},
        stream=True,
        timeout=30,
    )
    return Stream(answer)


def resume(server: LiveServer, key: str, run_id: str, after: int) -> Stream:
    """Read a run's events on."""
    headers = {"Authorization": f"Bearer {key}", "Last-Event-ID": str(after)}
    url = f"{server.url}/api/v1/runs/{run_id}/events"
    return Stream(requests.get(url, headers=headers, stream=True, timeout=30))


def ask(server: LiveServer, key: str, path: str, method: str = "GET") -> requests.Response:
    """An answer that is no stream."""
    headers = {"Authorization": f"Bearer {key}"}
    return requests.request(method, f"{server.url}/api/v1/{path}", headers=headers, timeout=30)


def crowd(count: int, work: Callable[[int], Any]) -> list[Any]:
    """What so many threads return."""
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


def database_url(instance: Path) -> str:
    """SQLite in an instance folder."""
    return f"sqlite:///{instance}/codeintel.db"


class Books:
    """What a database says of money and runs, read past the server."""

    def __init__(self, url: str) -> None:
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:

            def rows(query: str) -> list[Any]:
                return list(connection.execute(text(query)))

            self.runs = {row.id: row for row in rows("SELECT * FROM runs")}
            self.holds = {row.id: row for row in rows("SELECT * FROM holds")}
            self.balances = {row.account_id: row for row in rows("SELECT * FROM balances")}
            self.entries = rows("SELECT * FROM ledger_entries")
            keys = rows("SELECT digest, run_id FROM idempotency_keys")
            self.under = {row.digest: row.run_id for row in keys}
        engine.dispose()

    @property
    def running(self) -> list[str]:
        """The runs that have not ended."""
        return [run.id for run in self.runs.values() if run.state == "running"]

    def run_under(self, request_key: str) -> str | None:
        """The run under an `Idempotency-Key`."""
        return self.under.get(hashlib.sha256(request_key.encode()).hexdigest())

    def check(self) -> None:
        """Every run has ended once, with its hold; nothing was lost and nothing doubled."""
        assert not self.running
        assert all(self.runs[run_id].state != "failed" for run_id in self.under.values())
        charges = [entry.run_id for entry in self.entries if entry.run_id is not None]
        assert len(charges) == len(set(charges))
        paid = {entry.run_id: -entry.amount for entry in self.entries if entry.run_id is not None}
        for run in self.runs.values():
            assert run.charged == paid.get(run.id, 0), run
            assert run.charged <= run.price
            assert run.state != "failed" or run.charged == 0
            assert self.holds[run.id].state == ("settled" if run.id in paid else "voided")
        for account, balance in self.balances.items():
            own = [entry.amount for entry in self.entries if entry.account_id == account]
            assert (balance.posted, balance.held) == (sum(own), 0)

    def agree(self, stream: Stream) -> None:
        """A reader who was told how a run ended was told the truth."""
        run = self.runs[stream.run_id]
        if stream.last["type"] in TERMINAL:
            assert stream.last["type"] == f"run.{run.state}"
            assert stream.last["creditsCharged"] == run.charged
