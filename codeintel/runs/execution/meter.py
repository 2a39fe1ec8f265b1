"""The figures of one run."""

from __future__ import annotations

import time

from codeintel.contracts import RunKind
from codeintel.contracts.run_states import RunState
from codeintel.platform.metrics import table


class RunMeter:
    """Made when a run is ordered; each method is called once at most."""

    def __init__(self, kind: RunKind, engine: str) -> None:
        self._kind = str(kind)
        self._engine = engine
        self._since = time.monotonic()
        self.outcome = RunState.FAILED
        """What is told of its end: what ends without an outcome has failed."""

    def begin(self) -> None:
        """Its first event is there."""
        now = time.monotonic()
        table.RUN_FIRST_EVENT_SECONDS.observe(now - self._since, self._kind)
        table.RUNS_RUNNING.up(self._kind, self._engine)
        self._since = now

    def show(self) -> None:
        """So is its first finding or piece of output."""
        passed = time.monotonic() - self._since
        table.RUN_FIRST_OUTPUT_SECONDS.observe(passed, self._kind, self._engine)

    def end(self) -> None:
        """It is over."""
        table.RUNS_RUNNING.down(self._kind, self._engine)
        table.RUNS.add(self._kind, self._engine, str(self.outcome))
        table.RUN_SECONDS.observe(time.monotonic() - self._since, self._kind, self._engine)
