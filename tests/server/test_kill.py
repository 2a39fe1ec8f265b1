"""`kill -9` in mid-stream under fifty streams: nothing is lost and nothing doubled."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fake_models import FakeApi
from server_books import TERMINAL, Books, database_url
from server_helpers import Stream, crowd, eventually, has, live, new_key, resume, settings, start

from codeintel.testing.server import LiveServer

STREAMS = 50


def interrupt(server: LiveServer, key: str, api: FakeApi, kill: Callable[[], None]) -> list[Stream]:
    """Follow fifty streams that are killed while runs begin, continue and end.

    The fake API's answers `steady` end after four seconds, `fine` immediately, `paced` never.
    """

    def follow(number: int) -> Stream:
        time.sleep(random.uniform(0, 2))
        model = "pro" if number % 2 else "flash"
        return start(server, key, request_key(number), model=model).read()

    with ThreadPoolExecutor(STREAMS) as readers:
        jobs = [readers.submit(follow, number) for number in range(STREAMS)]
        begun = api.stats()["begun"]
        eventually(lambda: api.stats()["begun"] >= begun + STREAMS * 2 // 3, 20)
        time.sleep(random.uniform(2.5, 4))
        kill()
        return [job.result() for job in jobs if job.exception() is None]


def request_key(number: int) -> str:
    return f"key-{number}"


def test_the_books_after_a_power_cut(tmp_path: Path, fake_api: FakeApi) -> None:
    config = settings(fake_api, tmp_path, CODEINTEL_RUN_RESUME_GRACE="5")
    with live(config) as server:
        key = new_key(config)
        streams = interrupt(server, key, fake_api, server.kill_all)
        assert len(Books(database_url(tmp_path)).running) >= STREAMS // 3
        server.start()
        books = Books(database_url(tmp_path))
        books.check()
        assert {run.state for run in books.runs.values()} <= {"completed", "failed"}
        told = [stream for stream in streams if stream.events]
        for stream in told:
            books.agree(stream)
        cut = next(stream for stream in told if stream.last["type"] not in TERMINAL)
        assert books.runs[cut.run_id].state == "failed"
        assert resume(server, key, cut.run_id, 0).response.status_code == 410
        again = crowd(10, lambda at: start(server, key, request_key(at * 2)).read())
        for number, stream in enumerate(again):
            # Failed runs cost nothing, and their requests may be sent again.
            status = stream.response.status_code
            first = books.run_under(request_key(number * 2))
            assert status == (200 if first is None else 410), stream.data
        Books(database_url(tmp_path)).check()


def test_a_worker_that_is_killed_alone(tmp_path: Path, fake_api: FakeApi) -> None:
    """Check that the next worker immediately detects that its runs are lost."""
    config = settings(fake_api, tmp_path)
    with live(config) as server:
        key = new_key(config)
        stream = start(server, key, "again", model="pro").read(has(2))
        (worker,) = server.worker_pids()
        os.kill(worker, signal.SIGKILL)
        eventually(lambda: not Books(database_url(tmp_path)).running, 15)
        assert Books(database_url(tmp_path)).runs[stream.run_id].state == "failed"
        assert server.account(key)["credits"]["held"] == 0
        assert start(server, key, "again").read().last["type"] == "run.completed"
        Books(database_url(tmp_path)).check()


def test_a_master_that_is_killed_alone(tmp_path: Path, fake_api: FakeApi) -> None:
    """Check that its worker completes its runs, accepts no more, and leaves the address to the
    next."""
    config = settings(fake_api, tmp_path, CODEINTEL_DRAIN_TIMEOUT="1")
    with live(config) as server:
        key = new_key(config)
        stream = start(server, key, model="pro").read(has(2))
        (worker,) = server.worker_pids()
        os.kill(server.process.pid, signal.SIGKILL)
        assert stream.read().last["type"] == "run.incomplete"
        assert eventually(lambda: not is_alive(worker), 15) < 10
        server.process.wait()
        server.start()
        assert start(server, key).read().last["type"] == "run.completed"
        Books(database_url(tmp_path)).check()


def is_alive(pid: int) -> bool:
    """Return whether a process exists that has not ended."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def test_killed_workers_over_shared_databases(
    tmp_path: Path, fake_api: FakeApi, postgres_url: str, redis_url: str
) -> None:
    """Check that clients who reconnect to another worker read the events so far, and the
    failure."""
    shared = settings(
        fake_api,
        tmp_path,
        DATABASE_URL=postgres_url,
        REDIS_URL=redis_url,
        CODEINTEL_HOLD_TTL="3",
        CODEINTEL_RUN_RESUME_GRACE="5",
        CODEINTEL_RUN_TIMEOUT="8",
    )
    with live(shared, workers=2) as server:
        key = new_key(shared)

        def kill_one() -> None:
            os.kill(server.worker_pids()[0], signal.SIGKILL)

        streams = interrupt(server, key, fake_api, kill_one)
        cut = [stream for stream in streams if stream.last["type"] not in TERMINAL]
        assert len(cut) >= STREAMS // 10
        ends = crowd(
            len(cut), lambda at: resume(server, key, cut[at].run_id, len(cut[at].frames)).read()
        )
        eventually(lambda: not Books(postgres_url).running, 15)
        books = Books(postgres_url)
        books.check()
        for stream in streams:
            books.agree(stream)
        for stream, end in zip(cut, ends, strict=True):
            assert end.response.status_code == 200, end.response.text
            assert end.events, (len(stream.frames), stream.last)
            assert end.last["type"] in {"run.failed", "run.cancelled"}
            books.agree(end)
            numbers = [event["sequence"] for event in stream.events + end.events]
            assert numbers[:-1] == list(range(1, len(numbers)))
