"""Readers and servers that leave: the model is stopped, and the credits are correct."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from fake_models import FakeApi
from server_books import TERMINAL, Books, database_url
from server_helpers import crowd, eventually, has, live, new_key, settings, start

GRACE = 1.0
STREAMS = 20


def test_the_model_is_told_that_the_reader_left(tmp_path: Path, fake_api: FakeApi) -> None:
    """Check that the model stops after one second of grace and at most two more.

    Each probe of a silent connection takes one second. A reader who received a result pays the
    minimum price, and one without a result (`flash`) pays nothing.
    """
    config = settings(
        fake_api, tmp_path, CODEINTEL_RUN_RESUME_GRACE="1", CODEINTEL_AI_MODEL_FLASH="silent"
    )
    with live(config) as server:
        key = new_key(config)
        before = fake_api.stats()["aborted"]
        streams = crowd(STREAMS, lambda _: start(server, key, model="pro").read(has(2)))
        streams.append(start(server, key).read(has(1)))
        eventually(lambda: fake_api.stats()["begun"] >= STREAMS + 1, 5)
        began = time.monotonic()
        for stream in streams:
            stream.close()
        eventually(lambda: fake_api.stats()["aborted"] == before + STREAMS + 1, GRACE + 2)
        assert time.monotonic() - began >= GRACE
        eventually(lambda: not Books(database_url(tmp_path)).running, 2)
        books = Books(database_url(tmp_path))
        books.check()
        assert {run.state for run in books.runs.values()} == {"cancelled"}
        charged = {run.id: run.charged for run in books.runs.values()}
        assert [charged[stream.run_id] for stream in streams] == [1] * STREAMS + [0]
        assert server.account(key)["credits"]["balance"] == 1000 - STREAMS


def test_a_drain_ends_every_stream(tmp_path: Path, fake_api: FakeApi) -> None:
    """Check streams with readers and streams whose readers are away. Runs that end in time
    succeed."""
    config = settings(
        fake_api, tmp_path, CODEINTEL_DRAIN_TIMEOUT="2", CODEINTEL_RUN_RESUME_GRACE="30"
    )
    with live(config) as server:
        key = new_key(config)
        before = fake_api.stats()["aborted"]
        left = [start(server, key, model="pro").read(has(2)) for _ in range(3)]
        for stream in left:
            stream.close()
        flash = crowd(10, lambda _: start(server, key).read(has(16)))
        streams = crowd(STREAMS, lambda _: start(server, key, model="pro").read(has(2)))
        server.signal(signal.SIGTERM)
        crowd(STREAMS + 10, lambda at: (streams + flash)[at].read())
        assert server.process.wait(10) == 0
        books = Books(database_url(tmp_path))
        books.check()
        assert {stream.last["type"] for stream in flash} == {"run.completed"}
        for stream in streams:
            assert (stream.last["type"], stream.last["reason"]) == ("run.incomplete", "shutdown")
            assert not stream.broke
        for stream in streams + flash:
            books.agree(stream)
        for stream in left:
            assert stream.last["type"] not in TERMINAL
            assert books.runs[stream.run_id].state == "incomplete"
        assert fake_api.stats()["aborted"] == before + STREAMS + 3
