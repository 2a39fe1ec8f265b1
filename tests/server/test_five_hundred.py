"""Five hundred parallel streams over PostgreSQL. A process uses five connections."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import requests
from fake_models import FakeApi
from server_books import Books
from server_helpers import crowd, live, new_key, settings, start

pytestmark = pytest.mark.alone

STREAMS = 500


def test_all_of_them_complete(
    tmp_path: Path, fake_api: FakeApi, postgres_url: str, redis_url: str
) -> None:
    shared = settings(
        fake_api,
        tmp_path,
        DATABASE_URL=postgres_url,
        REDIS_URL=redis_url,
        CODEINTEL_AI_MODEL_FLASH="gathered",
    )
    with live(shared) as server:
        key = new_key(shared)
        # That all are answered is claimed, not how fast a busy machine starts so many threads.
        streams = crowd(
            STREAMS, lambda number: start(server, key, patience=120, code=f"x = {number}\n")
        )
        assert Counter(stream.response.status_code for stream in streams) == {200: STREAMS}
        assert server.account(key)["credits"]["held"] == STREAMS
        fake_api.release()
        crowd(STREAMS, lambda number: streams[number].read())
        assert Counter(stream.last["type"] for stream in streams) == {"run.completed": STREAMS}
        for stream in streams:
            numbers = [event["sequence"] for event in stream.events]
            assert numbers == list(range(1, len(numbers) + 1))
        books = Books(postgres_url)
        books.check()
        assert server.account(key)["credits"] == {"balance": 500, "held": 0, "available": 500}
        assert requests.get(f"{server.url}/api/v1/health", timeout=5).ok
