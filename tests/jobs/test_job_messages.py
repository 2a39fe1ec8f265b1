"""Messages are ids as JSON, may be lost, may come twice, and may not be carried at all."""

from __future__ import annotations

import json
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import redis
from job_helpers import STEPS, MakeParty, effects
from servers import RedisServer

from codeintel.contracts.states import JobState
from codeintel.platform import shared_redis as breaker
from codeintel.platform.db.models import now_ms
from codeintel.platform.jobs import messages
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.shared_redis import SharedRedis

Stored = Callable[[], list[bytes]]
IDS = ["job_1", "job_2"]


@pytest.fixture(params=["file", "redis"])
def queue(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Messages, Stored]:
    """Return each storage, and its contents."""
    if request.param == "file":
        file = tmp_path / messages.FILE

        def in_file() -> list[bytes]:
            with closing(sqlite3.connect(file)) as opened:
                tables = ("task", "schedule", "kv", "counter")
                rows = [opened.execute(f"SELECT * FROM {each}").fetchall() for each in tables]
            assert rows[1:] == [[], [], []]
            return [row[2] for row in rows[0]]

        return Messages(tmp_path, None), in_file
    url = request.getfixturevalue("redis_url")

    def in_redis() -> list[bytes]:
        with redis.Redis.from_url(url) as client:
            keys = client.keys()
            return client.lrange(keys[0], 0, -1)[::-1] if keys else []

    return Messages(tmp_path, SharedRedis(url)), in_redis


def test_messages_are_json_and_nothing_else(queue: tuple[Messages, Stored]) -> None:
    queued, stored = queue
    assert queued.are_read()
    assert all(queued.send(each) for each in IDS)
    assert not queued.are_read()
    assert [json.loads(each) for each in stored()] == [{"id": each} for each in IDS]
    assert [queued.receive() for _ in range(3)] == [*IDS, None]
    assert stored() == []
    queued.close()


@pytest.mark.parametrize("data", [b"\x80\x04N.", b"{}", b'{"id": 1}', b"", b"[]"])
def test_what_is_no_message_is_dropped(queue: tuple[Messages, Stored], data: bytes) -> None:
    queued, stored = queue
    assert queued.receive() is None
    queued.huey.storage.enqueue(data)
    assert queued.receive() is None
    assert queued.works
    assert stored() == []
    queued.close()


def test_the_file_is_its_owners(tmp_path: Path) -> None:
    queued = Messages(tmp_path, None)
    assert list(tmp_path.iterdir()) == []
    assert queued.send("job_1")
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    queued.close()


def test_a_queue_that_nobody_reads_does_not_grow(
    queue: tuple[Messages, Stored], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "MOST", 2)
    queued, stored = queue
    assert [queued.send(each) for each in ("a", "b", "c")] == [True, True, False]
    assert len(stored()) == 2
    assert queued.receive() == "a"
    assert queued.send("c")
    queued.close()


def test_jobs_go_through_redis(party: MakeParty, redis_url: str) -> None:
    sender, worker = party(redis=SharedRedis(redis_url)), party(redis=SharedRedis(redis_url))
    job_id = sender.jobs.enqueue("count", "a")
    assert worker.messages.receive() == job_id
    assert sender.messages.send(job_id)
    assert sender.messages.send(job_id)
    worker.jobs.start(2)
    worker.wait(job_id)
    worker.jobs.wait_until_idle()
    assert worker.job(job_id).attempts == 1
    assert effects(worker.engine, job_id) == list(range(STEPS))


def test_redis_may_be_down_when_a_job_comes(
    sqlite_party: MakeParty, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaker, "RETRY_SECONDS", 3600)
    own_redis.kill(signal.SIGKILL)
    shared = SharedRedis(own_redis.url)
    one = sqlite_party(redis=shared)
    first = one.jobs.enqueue("count", "a")
    assert one.store.unsent(["count"], 0, 10) == [first]
    one.jobs.reconciler.round()
    assert one.store.unsent(["count"], 0, 10) == [first]
    assert not one.messages.works
    own_redis.start()
    shared.breaker.close()
    one.jobs.reconciler.round()
    assert one.store.unsent(["count"], 0, 10) == []
    assert one.messages.receive() == first


@pytest.mark.parametrize("broken", ["no database", "a folder"])
def test_jobs_are_done_without_any_storage(
    sqlite_party: MakeParty, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setattr(breaker, "RETRY_SECONDS", 3600)
    file = tmp_path / messages.FILE
    if broken == "a folder":
        file.mkdir()
    else:
        file.write_bytes(b"no database" * 1000)
    one = sqlite_party()
    ids = [one.jobs.enqueue("count", key) for key in "abc"]
    assert sorted(one.store.unsent(["count"], 0, 10)) == sorted(ids)
    one.jobs.start(2)
    one.wait(*ids)
    assert all(one.job(each).attempts == 1 for each in ids)
    assert not one.messages.works


def test_a_lost_message_is_sent_again_when_none_waits(sqlite_party: MakeParty) -> None:
    one = sqlite_party()
    lost, waiting = one.jobs.enqueue("count", "a"), one.jobs.enqueue("count", "b")
    assert one.messages.receive() == lost
    for job_id in (lost, waiting):
        one.change(job_id, sent_ms=1)
    one.jobs.reconciler.round()
    assert one.messages.receive() == waiting
    assert one.messages.receive() is None
    one.jobs.reconciler.round()
    assert {one.messages.receive(), one.messages.receive()} == {lost, waiting}
    for job_id in (lost, waiting):
        one.change(job_id, sent_ms=now_ms() + 3_600_000)
    one.jobs.reconciler.round()
    assert one.messages.are_read()


def test_a_message_of_no_job_is_harmless(sqlite_party: MakeParty) -> None:
    one = sqlite_party()
    job_id = one.jobs.enqueue("count", "a")
    one.work.do("job_of_somebody_else")
    one.work.do(job_id)
    one.work.do(job_id)
    job = one.job(job_id)
    assert (job.state, job.attempts) == (JobState.DONE, 1)
    assert one.work.is_idle
