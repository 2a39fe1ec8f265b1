"""The event logs of a process."""

from __future__ import annotations

import time
from collections import OrderedDict

from codeintel.runs.events.log import RunLog

ENDED_BYTES = 16 * 1024 * 1024


class RunLogs:
    """Logs of the runs under way here, and of ended ones for who comes back: for `retention`
    seconds, and as many as 16 MiB hold."""

    def __init__(self, retention: float) -> None:
        self._retention = retention
        self._active: dict[str, RunLog] = {}
        self._ended: OrderedDict[str, tuple[float, RunLog]] = OrderedDict()
        self._ended_bytes = 0

    def add(self, log: RunLog) -> None:
        """Keep the log of a run that begins."""
        self._active[log.run_id] = log

    def find(self, run_id: str) -> RunLog | None:
        """The log of a run, if it is here."""
        if run_id in self._active:
            return self._active[run_id]
        self._forget_old()
        found = self._ended.get(run_id)
        return found[1] if found else None

    def end(self, run_id: str) -> None:
        """The run has ended: its log is kept while there is room."""
        log = self._active.pop(run_id, None)
        if log is None:
            return
        self._ended[run_id] = (time.monotonic() + self._retention, log)
        self._ended_bytes += log.size
        self._forget_old()

    def _forget_old(self) -> None:
        """The oldest go first: by age they are in the order in which they ended."""
        now = time.monotonic()
        while self._ended:
            expires, log = next(iter(self._ended.values()))
            if self._ended_bytes <= ENDED_BYTES and expires > now:
                return
            self._ended.popitem(last=False)
            self._ended_bytes -= log.size
