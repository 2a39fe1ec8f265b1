"""Slots: never more than the limit, never idle while a job waits, alternating between accounts."""

from __future__ import annotations

from collections import Counter
from contextlib import AbstractContextManager

import gevent
import pytest
from hypothesis import given, settings, strategies as st

from codeintel.base.greenlets import FairSlots


class Jobs:
    """Jobs that request a slot and keep it until they are released."""

    def __init__(self, slots: int) -> None:
        self._slots = FairSlots(slots)
        self.order: list[str] = []
        self.holding: dict[gevent.Greenlet, AbstractContextManager[None]] = {}
        self._all: list[gevent.Greenlet] = []

    def arrive(self, account: str) -> gevent.Greenlet:
        job = gevent.spawn(self._take, account)
        self._all.append(job)
        settle()
        return job

    def _take(self, account: str) -> None:
        slot = self._slots.taken(account)
        slot.__enter__()
        self.order.append(account)
        self.holding[gevent.getcurrent()] = slot

    def let_go(self, job: gevent.Greenlet) -> None:
        """Release the slot, which is passed on immediately. Its next holder runs later."""
        self.holding.pop(job).__exit__(None, None, None)

    @property
    def waiting(self) -> list[gevent.Greenlet]:
        return [job for job in self._all if not job.dead]

    def finish(self) -> None:
        """Release every holder of a slot."""
        while self.holding:
            self.let_go(next(iter(self.holding)))
            settle()
        assert not self.waiting


def settle() -> None:
    """Let everything happen that can."""
    for _ in range(3):
        gevent.sleep(0)


def test_one_job_of_another_account_waits_for_one_job_only() -> None:
    jobs = Jobs(1)
    for account in (*["busy"] * 21, "other"):
        jobs.arrive(account)
    jobs.finish()
    assert jobs.order == ["busy", "busy", "other", *["busy"] * 19]


def test_two_accounts_take_turns() -> None:
    jobs = Jobs(1)
    for account in "xaaaaabbb":
        jobs.arrive(account)
    jobs.finish()
    assert "".join(jobs.order) == "xabababaa"


@pytest.mark.parametrize("moment", ["while it waits", "with the slot given to it", "holding it"])
def test_a_killed_waiter_loses_no_slot(moment: str) -> None:
    jobs = Jobs(1)
    holder, doomed, other = (jobs.arrive(account) for account in "abc")
    if moment == "while it waits":
        doomed.kill()
        jobs.let_go(holder)
    elif moment == "with the slot given to it":
        doomed.kill(block=False)  # happens before it can run with the slot that it is given now
        jobs.let_go(holder)
    else:
        jobs.let_go(holder)
        settle()
        jobs.let_go(doomed)
    settle()
    assert list(jobs.holding) == [other]
    assert ("b" in jobs.order) == (moment == "holding it")


def test_killed_within_the_block_it_gives_the_slot_back() -> None:
    slots = FairSlots(1)

    def hold() -> None:
        with slots.taken("a"):
            gevent.sleep(60)

    for _ in range(3):
        job = gevent.spawn(hold)
        settle()
        job.kill()
    with gevent.Timeout(5), slots.taken("a"):
        pass


ACTIONS = st.one_of(
    st.tuples(st.just("arrive"), st.sampled_from("abc")),
    st.tuples(
        st.sampled_from(["let go", "kill", "kill and let go", "let go and kill"]),
        st.integers(0, 9),
    ),
)


def act(jobs: Jobs, action: str, argument: str | int) -> None:
    """Perform both of two actions before another greenlet can run."""
    if isinstance(argument, str):
        jobs.arrive(argument)
        return
    holding, waiting = list(jobs.holding), jobs.waiting
    for verb in action.split(" and "):
        if verb == "let go" and holding:
            jobs.let_go(holding[argument % len(holding)])
        elif verb == "kill" and waiting:
            waiting[argument % len(waiting)].kill(block=False)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 3), st.lists(ACTIONS, max_size=30))
def test_slots_are_neither_lost_nor_made(slots: int, actions: list[tuple[str, str | int]]) -> None:
    jobs = Jobs(slots)
    for action, argument in actions:
        act(jobs, action, argument)
        settle()
        assert len(jobs.holding) <= slots
        assert not jobs.waiting or len(jobs.holding) == slots, "somebody waits for a free slot"
    jobs.finish()
    again = [jobs.arrive("z") for _ in range(slots + 1)]
    assert list(jobs.holding) == again[:slots]
    jobs.finish()


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 3), st.text("abcd", max_size=25))
def test_no_account_is_served_twice_while_another_waits(slots: int, arrivals: str) -> None:
    jobs = Jobs(slots)
    for account in arrivals:
        jobs.arrive(account)
    jobs.finish()
    assert Counter(jobs.order) == Counter(arrivals)
    queued, served = Counter(arrivals[slots:]), jobs.order[slots:]
    while served:
        turn = sum(count > 0 for count in queued.values())
        assert len(set(served[:turn])) == turn
        queued.subtract(served[:turn])
        served = served[turn:]
