"""Two servers over one PostgreSQL and one Redis: work that began at one continues at the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from fake_models import FakeApi
from server_books import Books
from server_helpers import ask, crowd, eventually, has, live, new_key, resume, settings, start
from servers import PostgresServer, RedisServer

from codeintel.base.entitlements import Tier
from codeintel.testing.server import LiveServer

RUNS = 10


class Pair(NamedTuple):
    """Both servers, a key that is good at both, and their database."""

    one: LiveServer
    two: LiveServer
    key: str
    database: str
    config: dict[str, str]


@pytest.fixture(scope="module")
def pair(
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
    redis_server: RedisServer,
    fake_api: FakeApi,
) -> Iterator[Pair]:
    database = postgres_server.empty()
    redis_server.flush()
    shared = {
        "DATABASE_URL": database,
        "REDIS_URL": redis_server.url,
        "CODEINTEL_RUN_RESUME_GRACE": "2",
    }
    here, there = (
        settings(fake_api, tmp_path_factory.mktemp(name), **shared) for name in ("one", "two")
    )
    with live(here) as one, live(there) as two:
        yield Pair(one, two, new_key(here), database, here)


def test_a_dropped_stream_goes_on_at_the_other_without_a_gap(pair: Pair) -> None:
    def follow(number: int) -> None:
        one, two = (pair.one, pair.two) if number % 2 else (pair.two, pair.one)
        dropped = start(one, pair.key)
        undisturbed = resume(one, pair.key, dropped.read(has(1)).run_id, 0)
        dropped.read(has(2 + number)).close()
        seen = dropped.frames
        rest = resume(two, pair.key, dropped.run_id, len(seen)).read()
        assert rest.response.headers["Content-Type"].startswith("text/event-stream")
        whole = undisturbed.read().frames
        assert b"".join(seen + rest.frames) == b"".join(whole)
        assert undisturbed.last["type"] == "run.completed"
        again = resume(two, pair.key, dropped.run_id, 0).read().frames
        assert again == whole

    crowd(RUNS, follow)
    Books(pair.database).check()


def test_a_run_is_cancelled_from_the_other(pair: Pair, fake_api: FakeApi) -> None:
    aborted = fake_api.stats()["aborted"]

    def cancel(_: int) -> None:
        stream = start(pair.one, pair.key, model="pro").read(has(3))
        answer = ask(pair.two, pair.key, f"runs/{stream.run_id}/cancel", "POST")
        assert (answer.status_code, answer.json()["data"]["state"]) == (200, "cancelled")
        assert stream.read().last["type"] == "run.cancelled"
        assert (stream.last["creditsCharged"], stream.last["creditsRefunded"]) == (1, 1)
        told = resume(pair.two, pair.key, stream.run_id, 0).read()
        assert told.frames == stream.frames

    crowd(5, cancel)
    eventually(lambda: fake_api.stats()["aborted"] == aborted + 5, 3)
    Books(pair.database).check()


def test_a_repeat_at_the_other_is_the_same_run(pair: Pair) -> None:
    before = len(Books(pair.database).runs)

    def repeat(number: int) -> bytes:
        first = start(pair.one, pair.key, f"repeat-{number}").read()
        at_once = start(pair.two, pair.key, f"repeat-{number}").read()
        assert first.frames == at_once.frames
        other = start(pair.two, pair.key, f"repeat-{number}", code="y = 2\n")
        assert other.response.status_code == 409
        assert other.response.json()["error"]["code"] == "idempotency_conflict"
        return first.data

    crowd(RUNS, repeat)
    books = Books(pair.database)
    books.check()
    assert len(books.runs) == before + RUNS


def test_requests_with_one_key_to_both_at_once_are_one_run(pair: Pair) -> None:
    before = len(Books(pair.database).runs)

    def send(number: int) -> tuple[str, bytes]:
        server = pair.one if number % 2 else pair.two
        stream = start(server, pair.key, f"at-once-{number // 4}")
        assert stream.response.status_code == 200, stream.response.text
        stream.read()
        return stream.run_id, b"".join(stream.frames)

    answers = crowd(20, send)
    assert set(Counter(answers).values()) == {4}
    books = Books(pair.database)
    books.check()
    assert len(books.runs) == before + 5


def test_what_one_counts_the_other_knows(pair: Pair) -> None:
    key = new_key(pair.config, "limited@example.org", tier=Tier.FREE, unlimited=True)

    def run(number: int) -> int:
        stream = start(pair.one if number % 2 else pair.two, key)
        stream.close()
        return stream.response.status_code

    assert Counter(crowd(40, run)) == {200: 30, 429: 10}
