"""Limits shared through Redis, and what happens when it hangs or dies."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

import pytest
from servers import RedisServer
from support import MakeApp

from codeintel.base.entitlements import Tier
from codeintel.platform import shared_redis as breaker
from codeintel.platform.limits.service import Limits, LimitState

pytestmark = pytest.mark.alone

SECONDS = 0.3
RETRY_SECONDS = 0.2


@pytest.fixture
def make_limits(make_app: MakeApp) -> Callable[[str], Limits]:
    def make(url: str) -> Limits:
        found: Limits = (
            make_app({"REDIS_URL": url, "CODEINTEL_TIER_LIMITS_FREE": "5,0"})
            .extensions["codeintel"]
            .limits
        )
        return found

    return make


def hit(limits: Limits, who: str = "acc_1") -> LimitState:
    """Count, within the time that an answer may take."""
    begin = time.monotonic()
    state = limits.hit_operation(who, Tier.FREE, "analysis")
    assert time.monotonic() - begin < SECONDS
    return state


def remaining(*states: LimitState) -> list[int]:
    return [state.remaining for state in states]


def stop_answering(server: RedisServer, how: str) -> None:
    if how == "hangs":
        server.hang()
    else:
        server.kill(signal.SIGKILL)


def answer_again(server: RedisServer, how: str) -> None:
    if how == "hangs":
        server.resume()
    else:
        server.start()


def test_two_processes_share_their_counters(
    make_limits: Callable[[str], Limits], redis_url: str
) -> None:
    one, two = make_limits(redis_url), make_limits(redis_url)
    states = [hit(limits) for limits in (one, two, one, two, one, two, one)]
    assert remaining(*states) == [4, 3, 2, 1, 0, 0, 0]
    assert [state.exceeded for state in states] == [False] * 5 + [True] * 2
    assert {abs(state.reset - states[0].reset) <= 1 for state in states} == {True}
    assert 3_590 <= states[-1].wait <= 3_601
    assert two.peek_operation("acc_1", Tier.FREE, "analysis").remaining == 0
    assert remaining(hit(one, "acc_2")) == [4]
    assert not one.degraded


def test_a_limit_of_zero_allows_nothing(
    make_limits: Callable[[str], Limits], redis_url: str
) -> None:
    state = make_limits(redis_url).hit_operation("acc_1", Tier.FREE, "transform")
    assert (state.limit, state.remaining, state.exceeded) == (0, 0, True)


@pytest.mark.parametrize("how", ["hangs", "dies"])
def test_an_outage_slows_nothing_down_and_gives_no_fresh_allowance(
    make_limits: Callable[[str], Limits],
    own_redis: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    monkeypatch.setattr(breaker, "RETRY_SECONDS", RETRY_SECONDS)
    one, two = make_limits(own_redis.url), make_limits(own_redis.url)
    assert remaining(hit(one), hit(two), hit(one)) == [4, 3, 2]
    stop_answering(own_redis, how)
    # What others counted is known as of the last answer.
    assert remaining(hit(one), hit(one)) == [1, 0]
    assert one.degraded
    assert hit(one).exceeded
    assert not two.degraded  # it has not asked since
    assert remaining(hit(two)) == [2]
    assert two.degraded
    assert remaining(hit(one, "acc_2")) == [4]
    deadline = time.monotonic() + RETRY_SECONDS + SECONDS
    while time.monotonic() < deadline:  # the outage is noticed again and again, at no greater cost
        assert hit(one).exceeded
    answer_again(own_redis, how)
    while one.degraded:
        time.sleep(0.01)
    while two.degraded:
        time.sleep(0.01)
    # What was counted meanwhile is added, and what one that died has forgotten.
    assert remaining(one.peek_operation("acc_1", Tier.FREE, "analysis")) == [0]
    assert hit(two).exceeded
    assert hit(one).exceeded
    assert remaining(hit(one, "acc_2"), hit(two, "acc_2")) == [3, 2]
    assert not one.degraded
    assert not two.degraded


@pytest.mark.parametrize("how", ["hangs", "dies"])
def test_an_outage_costs_its_budget_once_and_then_nothing(
    make_limits: Callable[[str], Limits], own_redis: RedisServer, how: str
) -> None:
    limits = make_limits(own_redis.url)
    hit(limits)
    stop_answering(own_redis, how)
    hit(limits)
    begin = time.monotonic()
    for number in range(100):
        hit(limits, f"acc_{number}")
    assert time.monotonic() - begin < SECONDS


def test_a_redis_that_was_never_there_is_an_outage(
    make_limits: Callable[[str], Limits], own_redis: RedisServer
) -> None:
    own_redis.kill()
    limits = make_limits(own_redis.url)
    states = [hit(limits) for _ in range(6)]
    assert limits.degraded
    assert remaining(*states) == [4, 3, 2, 1, 0, 0]
    assert states[-1].exceeded


def test_what_is_given_back_can_be_used_again(
    make_limits: Callable[[str], Limits], own_redis: RedisServer
) -> None:
    one, two = make_limits(own_redis.url), make_limits(own_redis.url)
    one.give_back("acc_1", Tier.FREE, "analysis")  # nothing was counted
    assert remaining(hit(one), hit(one)) == [4, 3]
    two.give_back("acc_1", Tier.FREE, "analysis")
    assert remaining(hit(one)) == [3]
    own_redis.kill(signal.SIGKILL)
    one.give_back("acc_1", Tier.FREE, "analysis")  # Redis is down: no error
    assert one.degraded
    assert remaining(hit(one)) == [3]
    for _ in range(3):
        assert remaining(hit(one)) == [2]
        one.give_back("acc_1", Tier.FREE, "analysis")
    own_redis.start()
    time.sleep(breaker.RETRY_SECONDS)
    assert remaining(hit(one)) == [2]  # returned units are not charged


def test_the_end_of_a_window_that_another_began(
    make_limits: Callable[[str], Limits], redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = make_limits(redis_url), make_limits(redis_url)
    asked = []
    storage = one._limiter.limiter.storage
    ask = storage.get_expiry
    monkeypatch.setattr(storage, "get_expiry", lambda key: asked.append(key) or ask(key))
    ends = [hit(limits).reset for limits in (two, one, one, one)]
    assert max(ends) - min(ends) <= 2
    assert len(asked) == 1  # then it is known
