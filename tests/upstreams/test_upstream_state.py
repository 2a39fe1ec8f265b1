"""The time at which a registry may be queried again."""

from __future__ import annotations

import pytest

from codeintel.contracts import SourceError, SourceProblem
from codeintel.platform.upstreams import upstream
from codeintel.platform.upstreams.upstream import SourceState


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr(upstream.time, "monotonic", lambda: now[0])
    return now


def pause(of: SourceState) -> float:
    """Return seconds until it may be asked."""
    try:
        of.end(of.begin())
    except SourceError as error:
        assert error.retry_after is not None
        return error.retry_after
    return 0.0


def fail(of: SourceState, problem: SourceProblem, times: int = 1) -> None:
    for _ in range(times):
        of.failed(SourceError(problem, "why"))


def test_failures_in_a_row_pause_it_for_longer_and_longer(clock: list[float]) -> None:
    of, pauses = SourceState(), []
    fail(of, SourceProblem.TIMEOUT, 2)
    for _ in range(9):
        fail(of, SourceProblem.UNAVAILABLE)
        pauses.append(pause(of))
        clock[0] += pauses[-1]
        assert pause(of) == 0
    assert pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300]
    assert of.last_error is not None
    assert of.last_error.problem is SourceProblem.UNAVAILABLE
    fail(of, SourceProblem.UNAVAILABLE, 5_000)
    assert pause(of) == 300
    clock[0] += 300
    of.answered()
    fail(of, SourceProblem.TIMEOUT, 2)
    assert pause(of) == 0


@pytest.mark.parametrize(
    "problem", [SourceProblem.REFUSED, SourceProblem.RATE_LIMITED, SourceProblem.ACCOUNTS_ONLY]
)
def test_what_is_no_outage_does_not_pause_it(problem: SourceProblem) -> None:
    of = SourceState()
    fail(of, problem, 9)
    assert pause(of) == 0


@pytest.mark.parametrize(("told", "seconds"), [(None, 60), (7, 7), (0, 0), (1e9, 3_600)])
def test_a_limit_lasts_as_long_as_told(
    clock: list[float], told: float | None, seconds: float
) -> None:
    of = SourceState()
    of.limit(told)
    assert pause(of) == seconds
    of.limit(0)  # which does not end the longer one
    assert pause(of) == seconds
    clock[0] += seconds
    assert pause(of) == 0


def test_a_moment_in_which_many_fail_is_one_failure(clock: list[float]) -> None:
    of = SourceState()
    attempts = [of.begin() for _ in range(30)]
    clock[0] += 0.2
    for attempt in attempts:
        of.failed(SourceError(SourceProblem.TIMEOUT, "why"), attempt.at)
        of.end(attempt)
    assert pause(of) == 5


def test_one_search_tries_it_again(clock: list[float]) -> None:
    of = SourceState()
    fail(of, SourceProblem.TIMEOUT, 3)
    clock[0] += 5
    trial = of.begin()
    for _ in range(40):
        with pytest.raises(SourceError) as refused:
            of.begin()
        assert refused.value.problem is SourceProblem.UNAVAILABLE
    of.failed(SourceError(SourceProblem.TIMEOUT, "why"), trial.at)
    of.end(trial)
    assert pause(of) == 10
    clock[0] += 10
    second = of.begin()
    of.answered()
    of.end(second)
    assert [of.begin().is_trial for _ in range(5)] == [False] * 5


def test_a_trial_that_nobody_ends_well_can_be_made_again(clock: list[float]) -> None:
    of = SourceState()
    fail(of, SourceProblem.TIMEOUT, 3)
    clock[0] += 5
    of.end(of.begin())
    assert of.begin().is_trial


def test_what_an_upstream_asks_for_is_kept_to(clock: list[float]) -> None:
    of = SourceState()
    of.failed(SourceError(SourceProblem.UNAVAILABLE, "why", 120))
    assert pause(of) == 120
    clock[0] += 120
    assert pause(of) == 0


def test_turns_are_apart(clock: list[float]) -> None:
    of = SourceState()
    assert [of.take_turn(0.0) for _ in range(3)] == [0, 0, 0]
    assert [of.take_turn(1.0) for _ in range(2)] == [0, 1]
    for _ in range(2):
        with pytest.raises(SourceError) as error:
            of.take_turn(1.0)
        assert (error.value.problem, error.value.retry_after) == ("rate_limited", 2)
    clock[0] += 5
    assert of.take_turn(1.0) == 0


def test_refusals_name_whom_they_are_about(clock: list[float]) -> None:
    """Check the name, because several upstreams' messages are shown side by side."""
    of = SourceState("Example")
    of.take_turn(9.0)
    with pytest.raises(SourceError, match=r"^Example accepts one request at a time"):
        of.take_turn(9.0)
    of.limit(9)
    with pytest.raises(SourceError, match=r"^Example's limit for this service is used up"):
        of.begin()
    clock[0] += 10
    for _ in range(upstream.FAILURES):
        of.failed(SourceError(SourceProblem.UNREACHABLE, "why"))
    with pytest.raises(SourceError, match=r"^Example failed several times"):
        of.begin()
