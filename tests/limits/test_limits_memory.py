"""Limits counted in the process's own memory."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from support import MakeApp

from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode
from codeintel.platform.limits.service import Limits, LimitState, rate_text

HOUR = 3_600


@pytest.fixture
def make_limits(make_app: MakeApp) -> Callable[..., Limits]:
    def make(**settings: str) -> Limits:
        found: Limits = (
            make_app({f"CODEINTEL_{name.upper()}": value for name, value in settings.items()})
            .extensions["codeintel"]
            .limits
        )
        return found

    return make


@pytest.fixture
def limits(make_limits: Callable[..., Limits]) -> Limits:
    return make_limits()


def essence(state: LimitState) -> tuple[str, int, int, bool]:
    return (state.policy, state.limit, state.remaining, state.exceeded)


def test_thirty_analyses_an_hour(limits: Limits) -> None:
    begin = int(time.time())
    states = [limits.hit_operation("acc_1", Tier.FREE, "analysis") for _ in range(32)]
    assert [state.remaining for state in states] == [*range(29, -1, -1), 0, 0]
    assert [state.exceeded for state in states] == [False] * 30 + [True] * 2
    assert {(state.policy, state.limit, state.window) for state in states} == {
        ("analysis", 30, HOUR)
    }
    for state in states:  # one window, which began with the first request
        assert begin + HOUR <= state.reset <= time.time() + HOUR + 1
        assert abs(state.reset - states[0].reset) <= 1
        assert HOUR - 5 <= state.wait <= HOUR + 1


@pytest.mark.parametrize(
    ("tier", "operation", "limit"),
    [
        (Tier.FREE, "analysis", 30),
        (Tier.FREE, "transform", 20),
        (Tier.PRO, "analysis", 90),
        (Tier.PRO, "transform", 60),
        (Tier.TEAM, "analysis", 300),
        (Tier.TEAM, "transform", 200),
    ],
)
def test_the_limits_of_the_tiers(limits: Limits, tier: Tier, operation: str, limit: int) -> None:
    assert essence(limits.hit_operation("acc_1", tier, operation)) == (
        operation,
        limit,
        limit - 1,
        False,
    )


def test_a_peek_does_not_count(limits: Limits) -> None:
    begin = int(time.time())
    for _ in range(40):
        unused = limits.peek_operation("acc_1", Tier.FREE, "analysis")
        assert essence(unused) == ("analysis", 30, 30, False)
        assert limits.peek_default("acc_1").remaining == 6_000
    assert begin + HOUR <= unused.reset <= time.time() + HOUR + 1
    limits.hit_operation("acc_1", Tier.FREE, "analysis")
    assert limits.peek_operation("acc_1", Tier.FREE, "analysis").remaining == 29


def test_counters_are_apart(make_limits: Callable[..., Limits]) -> None:
    limits = make_limits(limit_default="2/minute", limit_failed_auth="2/minute")
    for _ in range(3):
        limits.hit_default("acc_1")
    assert limits.hit_default("acc_1").exceeded
    for state in (
        limits.hit_default("acc_2"),
        limits.hit_failed_auth("acc_1"),
        limits.hit_operation("acc_1", Tier.FREE, "analysis"),
        limits.hit_operation("acc_1", Tier.FREE, "transform"),
    ):
        assert (state.remaining, state.exceeded) == (state.limit - 1, False)


def test_a_limit_of_zero_allows_nothing(make_limits: Callable[..., Limits]) -> None:
    limits = make_limits(tier_limits_free="0,1")
    for _ in range(2):
        state = limits.hit_operation("acc_1", Tier.FREE, "analysis")
        assert essence(state) == ("analysis", 0, 0, True)
        assert state.reset > time.time()
    assert not limits.hit_operation("acc_1", Tier.FREE, "transform").exceeded


def test_a_window_ends(make_limits: Callable[..., Limits]) -> None:
    limits = make_limits(limit_default="1/second")
    assert not limits.hit_default("acc_1").exceeded
    over = limits.hit_default("acc_1")
    assert over.exceeded
    assert over.wait == 1
    while time.time() < over.reset:
        time.sleep(0.02)
    assert not limits.hit_default("acc_1").exceeded


def test_a_refusal_says_when_to_come_back() -> None:
    state = LimitState("analysis", 30, 0, int(time.time()) + 100, HOUR, True)
    error = state.refusal()
    assert error.code is ErrorCode.RATE_LIMIT_EXCEEDED
    assert error.details == {"policy": "analysis", "limit": 30, "resetAt": state.reset}
    assert error.retry_after in {99, 100}
    assert error.message == (
        f"The limit of 30 analyses an hour is used up. Try again in {error.retry_after} s."
    )


@pytest.mark.parametrize(
    ("amount", "window", "text"),
    [
        (6_000, 60, "6,000 calls a minute"),
        (1, 3_600, "1 call an hour"),
        (5, 7_200, "5 calls in 2 hours"),
        (20, 900, "20 calls in 15 minutes"),
        (3, 86_400, "3 calls a day"),
        (2, 90, "2 calls in 90 seconds"),
    ],
)
def test_a_rate_in_words(amount: int, window: int, text: str) -> None:
    assert rate_text(amount, ("call", "calls"), window) == text


def test_the_wait_is_never_less_than_a_second() -> None:
    assert LimitState("analysis", 30, 0, int(time.time()) - 5, HOUR, True).wait == 1


def test_memory_is_never_degraded(limits: Limits) -> None:
    limits.hit_default("acc_1")
    assert not limits.degraded
