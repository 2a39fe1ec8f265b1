"""Data that is fetched rarely and cached."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace

import gevent
import pytest
from gevent.event import Event

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity import oidc
from codeintel.identity.oidc import Cached

FRESH = 600.0


class Clock:
    """Time that tests move on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 5.0
        monkeypatch.setattr(oidc, "time", SimpleNamespace(monotonic=lambda: self.now))


class Source:
    """Cached data, whose fetch may fail."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False
        self.meanwhile: Callable[[], object] = lambda: None

    def fetch(self) -> list[int]:
        self.asked += 1
        self.meanwhile()
        if self.fails:
            raise ServiceError(ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE, "down", retry_after=5)
        return [self.asked]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def kept(clock: Clock, source: Source) -> Cached[list[int]]:  # noqa: ARG001 - time stands still
    return Cached(source.fetch, FRESH)


def fails(cache: Cached[list[int]]) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        cache.get()
    return caught.value


def test_it_is_fetched_once_while_it_is_fresh(
    kept: Cached[list[int]], source: Source, clock: Clock
) -> None:
    assert kept.get() == kept.get() == [1]
    clock.now += FRESH - 1
    assert kept.get() == [1]
    clock.now += 2
    assert kept.get() == [2]
    assert source.asked == 2


def test_a_failure_is_told_and_not_repeated_at_once(
    kept: Cached[list[int]], source: Source, clock: Clock
) -> None:
    source.fails = True
    first, second = fails(kept), fails(kept)
    assert first is not second, "each has its own traceback"
    assert (second.code, second.retry_after) == (ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE, 5)
    assert source.asked == 1
    source.fails = False
    clock.now += oidc.FAILURE_SECONDS
    assert kept.get() == [2]


def test_what_is_there_is_used_for_a_day(
    kept: Cached[list[int]], source: Source, clock: Clock
) -> None:
    assert kept.get() == [1]
    source.fails = True
    clock.now += FRESH
    assert kept.get() == kept.get() == [1]
    assert source.asked == 2, "one try"
    clock.now += oidc.REFETCH_SECONDS
    assert kept.get() == [1]
    assert source.asked == 3
    clock.now += oidc.KEPT_SECONDS
    assert fails(kept).retry_after == 5


def test_a_refetch_comes_once_in_a_while(
    kept: Cached[list[int]], source: Source, clock: Clock
) -> None:
    old = kept.get()
    new = kept.newer_than(old)
    assert new == [2]
    for _ in range(100):
        assert kept.newer_than(kept.get()) == new
    assert kept.newer_than(old) == new, "somebody else has fetched it already"
    assert source.asked == 2
    clock.now += oidc.REFETCH_SECONDS
    assert kept.newer_than(new) == [3]


def test_a_refetch_that_fails_leaves_it_open(
    kept: Cached[list[int]], source: Source, clock: Clock
) -> None:
    old = kept.get()
    source.fails = True
    for _ in range(3):
        with pytest.raises(ServiceError):
            kept.newer_than(old)
    assert source.asked == 2
    assert kept.get() == old, "what is known goes on"
    source.fails = False
    clock.now += oidc.REFETCH_SECONDS
    assert kept.newer_than(old) == [3]


def test_one_fetches_for_all(kept: Cached[list[int]], source: Source) -> None:
    source.meanwhile = lambda: gevent.sleep(0.01)
    jobs = [gevent.spawn(kept.get) for _ in range(20)]
    gevent.joinall(jobs, timeout=10)
    assert [job.value for job in jobs] == [[1]] * 20
    assert source.asked == 1


@pytest.mark.alone
def test_nobody_waits_for_what_is_there(
    kept: Cached[list[int]], source: Source, clock: Clock
) -> None:
    old = kept.get()
    clock.now += FRESH
    release = Event()
    source.meanwhile = lambda: release.wait(10)
    first = gevent.spawn(kept.get)
    gevent.sleep(0)
    began = time.perf_counter()
    assert kept.get() == old
    assert time.perf_counter() - began < 5
    release.set()
    assert first.get(timeout=10) == [2]
