"""Equal work in parallel: done once, and the outcome of those that wait."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import gevent
import pytest
from gevent.event import Event

from codeintel.base.greenlets import SingleFlight

Flights = SingleFlight[str, int]


class Work:
    """Counts how often it is done; ends when `gate` is set."""

    def __init__(self, failing: int = 0) -> None:
        self.gate = Event()
        self.begun = 0
        self._failing = failing

    def __call__(self) -> int:
        self.begun += 1
        number = self.begun
        self.gate.wait()
        gevent.sleep(0.001)  # as all work that is worth waiting for
        if number <= self._failing:
            raise ValueError(f"failure {number}")
        return number


@pytest.fixture
def flights() -> Flights:
    return SingleFlight()


def waiting(*works: Callable[[], int]) -> list[gevent.Greenlet[[], int]]:
    """Return greenlets that have come as far as they can."""
    found = [gevent.spawn(work) for work in works]
    gevent.sleep(0.01)
    return found


def results(greenlets: list[gevent.Greenlet[[], int]]) -> list[int | str]:
    """Return the result or the error of each."""
    gevent.joinall(greenlets, timeout=5)
    return [each.value if each.successful() else str(each.exception) for each in greenlets]


def test_equal_work_is_done_once(flights: Flights) -> None:
    work = Work()
    callers = waiting(*[lambda: flights.do("a", work)] * 3)
    assert len(flights) == 1
    work.gate.set()
    assert results(callers) == [1, 1, 1]
    assert (work.begun, len(flights)) == (1, 0)


def test_other_work_is_not_waited_for(flights: Flights) -> None:
    slow, quick = Work(), Work()
    quick.gate.set()
    callers = waiting(lambda: flights.do("slow", slow))
    assert flights.do("quick", quick) == 1
    assert not callers[0].ready()
    slow.gate.set()
    assert results(callers) == [1]


def test_work_that_has_ended_is_done_anew(flights: Flights) -> None:
    work = Work()
    work.gate.set()
    assert [flights.do("a", work) for _ in range(2)] == [1, 2]


def test_all_are_told_of_a_failure_and_the_next_begins_anew(flights: Flights) -> None:
    work = Work(failing=1)
    callers = waiting(*[lambda: flights.do("a", work)] * 2)
    work.gate.set()
    assert results(callers) == ["failure 1", "failure 1"]
    assert flights.do("a", work) == 2


def test_a_caller_that_goes_away_takes_nothing_from_the_others(flights: Flights) -> None:
    work = Work()
    first, second = waiting(*[lambda: flights.do("a", work)] * 2)
    first.kill()
    work.gate.set()
    assert results([second]) == [1]
    assert work.begun == 1


def test_only_who_begins_is_asked_whether_it_may(flights: Flights) -> None:
    work, asked = Work(), count(1)
    callers = waiting(*[lambda: flights.do("a", work, lambda: next(asked) and None)] * 3)
    work.gate.set()
    assert results(callers) == [1, 1, 1]
    assert next(asked) == 2


def test_who_may_not_begin_is_told_and_stops_nobody(flights: Flights) -> None:
    def refused() -> None:
        raise ValueError("refused")

    work = Work()
    assert results(waiting(lambda: flights.do("a", work, refused))) == ["refused"]
    assert (work.begun, len(flights)) == (0, 0)
    callers = waiting(lambda: flights.do("a", work), lambda: flights.do("a", work, refused))
    work.gate.set()
    assert results(callers) == [1, 1]


def test_one_that_was_begun_while_it_was_asked_is_joined(flights: Flights) -> None:
    work = Work()
    callers = waiting(*[lambda: flights.do("a", work, lambda: gevent.sleep(0.001))] * 2)
    work.gate.set()
    assert results(callers) == [1, 1]
    assert work.begun == 1


def led(flights: Flights, work: Work, said: list[str] | None = None) -> Callable[[], int]:
    """Return a caller that does the work itself unless another caller already does."""
    told = [] if said is None else said

    def call() -> int:
        found = flights.joined("a", lambda: told.append("waits"))
        if found is not None:
            return found
        with flights.leading("a"):
            result = work()
            flights.tell("a", result)
            return result

    return call


def test_the_first_leads_and_the_others_join(flights: Flights) -> None:
    work, said = Work(), list[str]()
    callers = waiting(*[led(flights, work, said)] * 3)
    assert said == ["waits", "waits"]
    work.gate.set()
    assert results(callers) == [1, 1, 1]
    assert (work.begun, len(flights)) == (1, 0)


def test_where_a_leader_fails_one_of_those_that_wait_leads(flights: Flights) -> None:
    work, said = Work(failing=2), list[str]()
    callers = waiting(*[led(flights, work, said)] * 4)
    work.gate.set()
    assert results(callers) == ["failure 1", "failure 2", 3, 3]
    assert (work.begun, len(flights)) == (3, 0)
    assert said == ["waits"] * 3, "each is told once"


def test_where_a_leader_is_stopped_one_of_those_that_wait_leads(flights: Flights) -> None:
    work = Work()
    first, *others = waiting(*[led(flights, work)] * 3)
    first.kill()
    work.gate.set()
    assert results(others) == [2, 2]


def test_a_result_is_given_before_the_block_ends(flights: Flights) -> None:
    with flights.leading("a"):
        flights.tell("a", 7)
        assert flights.joined("a", lambda: None) == 7
    assert flights.joined("a", pytest.fail) is None


def test_a_result_that_nobody_waits_for_is_forgotten(flights: Flights) -> None:
    flights.tell("a", 7)
    assert flights.joined("a", pytest.fail) is None


def test_one_that_leads_beside_another_ends_only_its_own(flights: Flights) -> None:
    with flights.leading("a"):
        with flights.leading("a"):
            flights.tell("a", 1)
        with flights.leading("a"):
            flights.tell("a", 2)
            joined = waiting(lambda: flights.joined("a", lambda: None) or 0)
            assert results(joined) == [2]
    assert len(flights) == 0
