"""Pauses in long work."""

from __future__ import annotations

import time

import gevent

from codeintel.base.greenlets import TURN_SECONDS, give_way, letting_others_run

STEPS = 60


def busy(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


def turns_beside(work: list[object]) -> int:
    """Return the number of turns of a greenlet that waits for a clock while another iterates
    over items."""
    turns = 0

    def turn() -> None:
        nonlocal turns
        while True:
            gevent.sleep(0.001)
            turns += 1

    beside = gevent.spawn(turn)
    give_way()
    for _ in letting_others_run(work):
        busy(TURN_SECONDS)
    beside.kill()
    return turns


def test_clocks_are_looked_at_in_each_pause() -> None:
    """Check that clocks run in each pause. With `gevent.sleep(0)` they run in each fiftieth one."""
    assert turns_beside([None] * STEPS) >= STEPS // 2


def test_quick_work_is_hardly_ever_interrupted() -> None:
    began = time.perf_counter()
    assert len(list(letting_others_run(range(200_000)))) == 200_000
    assert time.perf_counter() - began < 10
