"""Readers who leave, and servers that do: the model is told to stop, the credits are right."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from fake_models import FakeApi
from server_helpers import TERMINAL, Books, crowd, database_url, eventually, has, settings, start

from codeintel.testing.server import LiveServer

GRACE = 1.0
STREAMS = 20


def test_an_api_is_told_that_the_reader_left(tmp_path: Path, fake_api: FakeApi) -> None:
    """One second of grace and at most two more, as each probe of a silent connection takes one."""
    with LiveServer(
        tmp_path, **settings(fake_api, CODEINTEL_RUN_RESUME_GRACE=str(GRACE))
    ) as server:
        key = server.make_key("user@example.org", "--tier", "TEAM", "--credits", "1000")
        before = fake_api.stats()["aborted"]
        streams = crowd(STREAMS, lambda _: start(server, key, model="pro").read(has(2)))
        began = time.monotonic()
        for stream in streams:
            stream.close()
        eventually(lambda: fake_api.stats()["aborted"] == before + STREAMS, GRACE + 2)
        assert time.monotonic() - began >= GRACE
        eventually(lambda: not Books(database_url(tmp_path)).running, 2)
        books = Books(database_url(tmp_path))
        books.check()
        assert {run.state for run in books.runs.values()} == {"cancelled"}
        assert {run.charged for run in books.runs.values()} == {1}
        assert server.account(key)["credits"]["balance"] == 1000 - STREAMS


def test_a_reader_who_left_before_the_first_word_pays_nothing(
    tmp_path: Path, fake_api: FakeApi
) -> None:
    silent = settings(fake_api, CODEINTEL_AI_MODEL_PRO="silent", CODEINTEL_RUN_RESUME_GRACE="1")
    with LiveServer(tmp_path, **silent) as server:
        key = server.make_key()
        before = fake_api.stats()["aborted"]
        start(server, key, model="pro").read(has(1)).close()
        # Nothing is written, so that the server has to look whether somebody is there.
        eventually(lambda: fake_api.stats()["aborted"] == before + 1, GRACE + 2)
        eventually(lambda: not Books(database_url(tmp_path)).running, 2)
        Books(database_url(tmp_path)).check()
        assert server.account(key)["credits"] == {"balance": 100, "held": 0, "available": 100}


def test_a_drain_ends_every_stream(tmp_path: Path, fake_api: FakeApi) -> None:
    """Those that are read and those whose readers are away; those that end in time end well."""
    with LiveServer(
        tmp_path,
        **settings(fake_api, CODEINTEL_DRAIN_TIMEOUT="3", CODEINTEL_RUN_RESUME_GRACE="30"),
    ) as server:
        key = server.make_key("user@example.org", "--tier", "TEAM", "--credits", "1000")
        before = fake_api.stats()["aborted"]
        left = [start(server, key, model="pro").read(has(2)) for _ in range(3)]
        for stream in left:
            stream.close()
        flash = crowd(10, lambda _: start(server, key).read(has(12)))
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
