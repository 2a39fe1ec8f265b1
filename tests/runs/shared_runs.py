"""Runs of two processes, and what a client of either reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gevent
from scripted_runs import Runs, result

from codeintel.contracts import RunContext
from codeintel.runs.events.log import tail
from codeintel.runs.run import Run

SECONDS = 15
Pair = tuple[Runs, Runs]


def read(runs: Runs, run: Run, after: int = 0) -> bytes:
    """Return what a client of these services reads of a run."""
    reader = runs.services.reader
    with gevent.Timeout(SECONDS):
        events = reader.events(reader.find(runs.caller, run.plan.id), after)
        return b"".join(tail(events, never, after=after))


def never() -> bool:
    return False


def words(count: int, pause: float = 0.02) -> Callable[[object, RunContext], Any]:
    def script(_task: object, context: RunContext) -> Any:
        for number in range(count):
            context.output(f"{number} ")
            gevent.sleep(pause)
        return result("".join(f"{number} " for number in range(count)))

    return script
