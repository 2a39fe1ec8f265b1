"""The cached results of searches, and who gets them."""

from __future__ import annotations

import signal
import tracemalloc
from typing import Any

import msgspec
import pytest
from codeintel_plugins.registries.npm import Npm
from servers import RedisServer

from codeintel.contracts import Visibility
from codeintel.platform.shared_redis import SharedRedis
from codeintel.search import cache
from codeintel.search.cache import SearchCache
from codeintel.search.reading import SearchResult

FOUND = (SearchResult(id="a", name="a", url="https://a.test/", source="npm", downloads=5),)


def npm(**changes: Any) -> Npm:
    facts = {"name": "npm", "base_url": "http://npm.test", **changes}
    return Npm(facts.pop("name"), facts.pop("base_url"), **facts)


@pytest.mark.parametrize(
    "other",
    [
        {"name": "mine"},
        {"base_url": "http://other.test"},
        {"token": "t"},
        {"visibility": Visibility.ACCOUNTS},
    ],
    ids=str,
)
def test_the_key_depends_on_all_that_the_results_do(other: dict[str, Any]) -> None:
    kept = SearchCache(60, None)
    assert kept.key(npm(), "q", 5) == kept.key(npm(), "q", 5)
    assert len({kept.key(npm(), "q", 5), kept.key(npm(), "r", 5), kept.key(npm(), "q", 6)}) == 3
    assert kept.key(npm(**other), "q", 5) != kept.key(npm(), "q", 5)


def test_results_are_fresh_for_a_while_and_kept_for_longer() -> None:
    for seconds, is_fresh in ((60.0, True), (0.0, False)):
        kept = SearchCache(seconds, None)
        kept.keep("k", FOUND)
        assert (kept.here("k") is not None) is is_fresh
        found = kept.anywhere("k")
        assert found is not None
        assert (found.results, kept.is_fresh(found)) == (FOUND, is_fresh)
    assert SearchCache(60, None).anywhere("other") is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 1_000_000)
    kept = SearchCache(60, None)
    tracemalloc.start()
    for number in range(300):  # each row has texts that take four bytes a character
        rows = [
            SearchResult(
                id=f"{number}-{n}",
                name="n" * 100,
                url="u" * 50,
                description="\U0001f600" + "d" * 990 + str(n),
            )
            for n in range(5)
        ]
        kept.keep(str(number), tuple(rows))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept.here("299") is not None
    assert 10 <= sum(kept.here(str(number)) is not None for number in range(300)) <= 60
    assert held < 1_300_000
    kept.keep(
        "large",
        tuple(msgspec.structs.replace(row, name=f"{n}" * 50) for n, row in enumerate(rows * 20)),
    )
    assert kept.here("large") is None  # it would take the place of many
    assert kept.here("299") is not None


def test_another_process_finds_it(redis_server: RedisServer) -> None:
    redis_server.flush()
    one, two = (SearchCache(60, SharedRedis(redis_server.url)) for _ in range(2))
    one.keep("k", FOUND)
    assert two.here("k") is None
    found = two.anywhere("k")
    assert found is not None
    assert found.results == FOUND
    assert two.here("k") == found  # and keeps it
    assert two.anywhere("other") is None


def test_what_cannot_be_understood_is_not_there(redis_server: RedisServer) -> None:
    shared = SharedRedis(redis_server.url)
    for stored in (b"", b"\xc1", b"\x81\xa1\xff\x00", b"{}"):
        shared.client.set("codeintel:search:k", stored)
        assert SearchCache(60, shared).anywhere("k") is None


def test_without_redis_it_goes_on(own_redis: RedisServer) -> None:
    shared = SharedRedis(own_redis.url)
    kept = SearchCache(60, shared)
    own_redis.kill(signal.SIGKILL)
    assert kept.anywhere("k") is None
    kept.keep("k", FOUND)
    assert kept.here("k") is not None
    assert shared.breaker.errors == 1
