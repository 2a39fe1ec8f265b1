"""One upstream as a process sees it: what counts as its failure, and when it is asked again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import gevent
import pytest
from gevent.event import Event

from codeintel.contracts import SourceAnswer, SourceError, SourceProblem, SourceRequest
from codeintel.platform.upstreams import upstream
from codeintel.platform.upstreams.upstream import (
    AT_ONCE,
    FAILURES,
    FIRST_PAUSE_SECONDS,
    SourceState,
    Upstream,
)


class Clock:
    """A clock that only moves when code sleeps."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now

    def time_ns(self) -> int:
        return int(self.now * 1e9)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(upstream, "time", made)
    monkeypatch.setattr(upstream, "time", made)
    monkeypatch.setattr(upstream.gevent, "sleep", made.sleep)
    return made


def make(interval: float = 0.0) -> Upstream:
    return Upstream("http://example.test", "Example", interval=interval)


def failing(
    problem: SourceProblem = SourceProblem.UNREACHABLE, pause: float | None = None
) -> Callable[[float], str]:
    def work(_seconds: float) -> str:
        raise SourceError(problem, "It is away.", pause)

    return work


def answering(_seconds: float) -> str:
    return "it"


def refused(of: Upstream, work: Callable[[float], str] = answering) -> SourceError:
    with pytest.raises(SourceError) as caught:
        of.exchange(work, 4.0)
    return caught.value


def test_an_answer(clock: Clock) -> None:
    given: list[float] = []
    assert make().exchange(lambda seconds: given.append(seconds) or "it", 4.0) == "it"
    assert given == [4.0]
    assert clock.now == 1_000


def test_it_is_left_alone_after_failures_in_a_row_and_tried_by_one(clock: Clock) -> None:
    """Check that retries happen only after the pause, and then after one twice as long."""
    one, asked = make(), list[float]()

    def counted(_seconds: float) -> str:
        asked.append(clock.now)
        raise SourceError(SourceProblem.TIMEOUT, "It was late.")

    for _ in range(FAILURES):
        assert refused(one, counted).message == "It was late."
    for _ in range(5):
        left_alone = refused(one, counted)
        assert left_alone.problem is SourceProblem.UNAVAILABLE
        assert left_alone.retry_after == FIRST_PAUSE_SECONDS
    assert len(asked) == FAILURES
    clock.now += FIRST_PAUSE_SECONDS
    assert refused(one, counted).message == "It was late."
    assert refused(one, counted).retry_after == 2 * FIRST_PAUSE_SECONDS
    assert len(asked) == FAILURES + 1
    clock.now += 2 * FIRST_PAUSE_SECONDS
    assert one.exchange(answering, 4.0) == "it"
    for _ in range(FAILURES - 1):
        assert refused(one, counted).message == "It was late."
    assert one.exchange(answering, 4.0) == "it"


@pytest.mark.parametrize("problem", SourceProblem)
def test_which_failures_count(clock: Clock, problem: SourceProblem) -> None:
    one = make()
    for _ in range(FAILURES):
        refused(one, failing(problem))
    is_outage = problem not in {
        *(SourceProblem.RATE_LIMITED, SourceProblem.REFUSED, SourceProblem.ACCOUNTS_ONLY)
    }
    assert (one.state.open_until > clock.now) is is_outage
    assert (one.state.limited_until > clock.now) is (problem is SourceProblem.RATE_LIMITED)


@pytest.mark.parametrize(
    ("told", "pause"), [(None, 60.0), (7.0, 7.0), (0.0, 0.0), (10**9, 3_600.0)]
)
def test_a_limit_is_kept(clock: Clock, told: float | None, pause: float) -> None:
    """The error says how long, also where the upstream did not."""
    one = make()
    first = refused(one, failing(SourceProblem.RATE_LIMITED, told))
    assert (first.problem, first.retry_after) == (SourceProblem.RATE_LIMITED, pause)
    if pause:
        assert refused(one).retry_after == pause
        clock.now += pause
    assert one.exchange(answering, 4.0) == "it"


def test_what_breaks_is_told_without_its_words(clock: Clock) -> None:
    assert clock

    def broken(_seconds: float) -> str:
        raise RuntimeError("secret")

    found = refused(make(), broken)
    assert (found.problem, found.message) == (SourceProblem.BROKEN, "The source failed.")
    assert found.__cause__ is None


def test_requests_keep_their_distance(clock: Clock) -> None:
    one, asked = make(1.0), list[float]()
    for _ in range(3):
        one.exchange(lambda _: asked.append(clock.now) or "it", 4.0)
    assert asked == [1_000, 1_001, 1_002]


def test_what_would_wait_too_long_for_its_turn_is_refused(clock: Clock) -> None:
    one = make()
    one.state.next_turn = clock.now + 2
    found = refused(one)
    assert (found.problem, found.retry_after) == (SourceProblem.RATE_LIMITED, 2)
    assert one.state.failures == 0  # it is not the upstream's failure


def test_the_wait_counts_for_the_time_that_is_left(clock: Clock) -> None:
    one, left = make(), list[float]()
    one.state.next_turn = clock.now + 1
    one.exchange(lambda seconds: left.append(seconds) or "it", 4.0)
    assert left == [3.0]


def test_no_more_at_once_than_allowed() -> None:
    """Check that requests without a slot in time are refused, and that a failure frees its slot."""
    one, go, most = make(), Event(), [0, 0]

    def waiting(_seconds: float) -> str:
        most[0] += 1
        most[1] = max(most)
        go.wait()
        most[0] -= 1
        raise SourceError(SourceProblem.REFUSED, "No.")

    def quiet(work: Callable[[float], str], seconds: float) -> str:
        try:
            return one.exchange(work, seconds)
        except SourceError as error:
            return error.problem

    jobs = [gevent.spawn(quiet, waiting, 4.0) for _ in range(AT_ONCE + 5)]
    late = gevent.spawn(quiet, answering, 0.01)
    late.join()
    assert late.value == "rate_limited"
    assert most[0] == AT_ONCE
    go.set()
    gevent.joinall(jobs)
    assert most == [0, AT_ONCE]
    assert {each.value for each in jobs} == {"refused"}
    assert one.exchange(answering, 4.0) == "it"


def test_only_one_tries_again(clock: Clock) -> None:
    """Check that others are refused meanwhile, and that a killed trial does not block later
    ones."""
    one = make()
    for _ in range(FAILURES):
        refused(one, failing())
    clock.now += FIRST_PAUSE_SECONDS
    never = Event()
    trial = gevent.spawn(one.exchange, lambda _: never.wait(), 4.0)
    gevent.idle()
    assert refused(one).problem is SourceProblem.UNAVAILABLE
    trial.kill()
    assert one.exchange(answering, 4.0) == "it"


def test_it_tells_of_failures_and_of_the_first_answer_after(clock: Clock) -> None:
    assert clock
    one, told = make(), list[object]()
    one.tell_failed = lambda found: told.append(found)
    one.tell_answered = lambda: told.append("answered")
    for work in (answering, answering, failing(), failing(), answering, answering):
        with suppress(SourceError):
            one.exchange(work, 4.0)
    assert told == ["answered", one.state, one.state, "answered"]
    assert isinstance(one.state, SourceState)


def test_refusals_begin_with_the_title(clock: Clock) -> None:  # noqa: ARG001 - it stands still
    one = make()
    for _ in range(FAILURES):
        with suppress(SourceError):
            one.exchange(failing(), 4)
    with pytest.raises(SourceError, match=r"^Example failed several times"):
        one.exchange(failing(), 4)


@pytest.mark.parametrize(("seconds", "told"), [(3.99999, "4 s."), (0.1249, "0.12 s."), (8, "8 s.")])
def test_waiting_is_told_in_round_numbers(
    monkeypatch: pytest.MonkeyPatch, seconds: float, told: str
) -> None:
    def answer(_request: SourceRequest, _seconds: float, late: SourceError) -> SourceAnswer:
        raise late

    fetcher = make().fetcher
    monkeypatch.setattr(fetcher, "_answer", answer)
    with pytest.raises(SourceError) as error:
        fetcher.send(SourceRequest("/"), seconds)
    assert error.value.message == f"Example did not answer within {told}"
