"""The hourly limit of background requests to an upstream."""

from __future__ import annotations

import pytest

from codeintel.contracts import SourceError, SourceProblem
from codeintel.trust.collection import session
from codeintel.trust.collection.session import Budget


class Clock:
    """A clock that advances when code sleeps."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(session, "time", made)
    monkeypatch.setattr(session, "gevent", made)
    return made


def turns(of: Budget, clock: Clock, count: int, base_url: str = "a") -> list[float]:
    """Return the time of each turn."""
    begin, found = clock.now, []
    for _ in range(count):
        of.wait(base_url, "GitHub")
        found.append(clock.now - begin)
    return found


def test_turns_are_spread_evenly(clock: Clock) -> None:
    assert turns(Budget(1_800, {}), clock, 4) == [0, 2, 4, 6]  # 3600 / 1800


@pytest.mark.parametrize(
    ("default", "hourly", "gap"),
    [(3_600, 1_800, 2), (360, 1_800, 10), (3_600, 3_600, 1), (60, 60, 60)],
)
def test_the_lower_limit_counts(clock: Clock, default: int, hourly: int, gap: float) -> None:
    assert turns(Budget(default, {"a": hourly}), clock, 2) == [0, gap]


def test_upstreams_do_not_wait_for_each_other(clock: Clock) -> None:
    both = Budget(360, {"b": 36})
    assert turns(both, clock, 2, "a") == [0, 10]
    assert turns(both, clock, 1, "b") == [0]
    assert turns(both, clock, 2, "a") == [10, 20]


def test_what_was_not_used_is_not_saved_up(clock: Clock) -> None:
    one = Budget(3_600, {})
    assert turns(one, clock, 1) == [0]
    clock.now += 1_000
    assert turns(one, clock, 3) == [0, 1, 2]


def test_no_more_in_an_hour_than_allowed(clock: Clock) -> None:
    found = turns(Budget(100, {}), clock, 301)
    for begin in found:
        assert sum(begin <= each < begin + 3_600 for each in found) <= 100


def test_a_turn_too_far_away_is_refused_and_not_taken(clock: Clock) -> None:
    one = Budget(50, {})  # one in 72 seconds
    one.wait("a", "GitHub")
    for _ in range(3):
        with pytest.raises(SourceError) as caught:
            one.wait("a", "GitHub")
        assert caught.value.problem is SourceProblem.RATE_LIMITED
        assert caught.value.retry_after == 72
        told = "The hourly limit of background requests to GitHub is used up."
        assert caught.value.message == told
    clock.now += 12
    one.wait("a", "GitHub")  # at its turn, 60 seconds later
    assert clock.now == 1_072
