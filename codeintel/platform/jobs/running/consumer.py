"""huey's consumer, for greenlets beside others in a process that has its own signal handlers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from huey.consumer import Consumer  # type: ignore[import-untyped]

from codeintel.platform.jobs.errors import explain

log = logging.getLogger(__name__)

SHORTEST_WAIT_SECONDS = 0.05
LONGEST_WAIT_SECONDS = 1.0
"""How long a worker without work waits before it asks again: first, and at last."""


class _Part:
    """What huey calls a process, with the methods that it calls."""

    def __init__(self, stop_flag: Any) -> None:
        self.stop_flag = stop_flag

    def initialize(self) -> None:
        """Nothing to do before."""

    def shutdown(self) -> None:
        """Nor after."""


class _Worker(_Part):
    """One job at a time. huey's own would run the message as a function's call, with lookups in its
    storage around it, and log a traceback each time that is out of reach."""

    def __init__(
        self, stop_flag: Any, find: Callable[[], str | None], do: Callable[[str], None]
    ) -> None:
        super().__init__(stop_flag)
        self._find = find
        self._do = do
        self._wait = SHORTEST_WAIT_SECONDS

    def loop(self) -> None:
        """Do one job, or wait."""
        job_id = None
        try:
            job_id = self._find()
            if job_id is not None:
                self._do(job_id)
        except Exception as error:  # noqa: BLE001 - the database may come back
            log.error("no job could be done: %s", explain(error))
            self._wait = LONGEST_WAIT_SECONDS
            job_id = None
        if job_id is not None:
            self._wait = SHORTEST_WAIT_SECONDS
        else:
            self.stop_flag.wait(self._wait)
            self._wait = min(self._wait * 1.5, LONGEST_WAIT_SECONDS)


class _Rounds(_Part):
    """In the place of huey's scheduler: what is due when is in the table."""

    def __init__(self, stop_flag: Any, round_: Callable[[], None], interval: float) -> None:
        super().__init__(stop_flag)
        self._round = round_
        self._interval = interval

    def loop(self) -> None:
        """One round and the time until the next."""
        self._round()
        self.stop_flag.wait(self._interval)


class JobConsumer(Consumer):  # type: ignore[misc]
    """Worker greenlets, and one that reconciles.

    :param find: the id of a job that may be due.
    :param do: does a job.
    :param round_: reconciles, each `interval` seconds.
    """

    def __init__(
        self,
        huey: Any,
        workers: int,
        find: Callable[[], str | None],
        do: Callable[[str], None],
        round_: Callable[[], None],
        interval: float,
    ) -> None:
        self._find = find
        self._do = do
        self._round = round_
        self._interval = interval
        super().__init__(huey, workers=workers, worker_type="greenlet", periodic=False)

    def _create_worker(self) -> _Worker:
        return _Worker(self.stop_flag, self._find, self._do)

    def _create_scheduler(self) -> _Rounds:
        return _Rounds(self.stop_flag, self._round, self._interval)

    def _set_signal_handlers(self) -> None:
        """The process has its own."""
