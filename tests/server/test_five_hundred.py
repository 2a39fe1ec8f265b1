"""Five hundred streams at once over PostgreSQL, of which a process uses five connections."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import requests
from fake_models import FakeApi
from server_books import Books
from server_helpers import Stream, crowd, live, new_key, settings, start

STREAMS = 500


def test_all_of_them_complete(
    tmp_path: Path, fake_api: FakeApi, postgres_url: str, redis_url: str
) -> None:
    shared = settings(fake_api, tmp_path, DATABASE_URL=postgres_url, REDIS_URL=redis_url)
    with live(shared) as server:
        key = new_key(shared)
        peak = 0

        def follow(number: int) -> Stream:
            nonlocal peak
            stream = start(server, key, code=f"x = {number}\n")
            if number == STREAMS - 1 and stream.response.ok:
                peak = server.account(key)["credits"]["held"]
            return stream.read()

        streams = crowd(STREAMS, follow)
        assert Counter(stream.response.status_code for stream in streams) == {200: STREAMS}
        assert Counter(stream.last["type"] for stream in streams) == {"run.completed": STREAMS}
        assert peak > STREAMS // 2
        for stream in streams:
            numbers = [event["sequence"] for event in stream.events]
            assert numbers == list(range(1, len(numbers) + 1))
        books = Books(postgres_url)
        books.check()
        assert server.account(key)["credits"] == {"balance": 500, "held": 0, "available": 500}
        assert requests.get(f"{server.url}/api/v1/health", timeout=5).ok
