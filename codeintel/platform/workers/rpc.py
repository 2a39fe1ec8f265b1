"""What the server and its worker processes say to each other about one job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import gevent

from codeintel.base.concurrency.fair import FairSlots
from codeintel.contracts import Rewrite
from codeintel.platform.metrics import table
from codeintel.platform.workers.fork_server import Nursery
from codeintel.platform.workers.protocol import (
    AnalysisJob,
    Budget,
    Detected,
    DetectionJob,
    Done,
    Job,
    Message,
    Refused,
    RewriteJob,
    decode_message,
    receive_frame,
    send_frame,
)
from codeintel.platform.workers.text_pool import TextPool

_LAST = (Detected, Refused, Rewrite, Done)
"""Messages after which nothing that matters comes."""


class ChildError(Exception):
    """What a child says of its own failure: a type and a place, never the code."""


class Conversations:
    """Gives jobs to worker processes, `slots` at a time and in turns between accounts, and hears
    what they say.

    :param functions: where the text functions are, `module:NAME` each.
    """

    def __init__(
        self,
        slots: int,
        config: Mapping[str, Any],
        instance: Path,
        functions: Sequence[str] = (),
    ) -> None:
        self.slots = FairSlots(slots)
        self.nursery = Nursery(
            {name: _primitive(value) for name, value in config.items()}, instance, functions
        )
        self.texts = TextPool(self.nursery, slots)

    def start(self) -> None:
        """Get ready before the first run. See :meth:`Nursery.start`."""
        self.nursery.start()

    def stop(self) -> None:
        """End all worker processes for good."""
        self.nursery.close()

    def _heard(self, account_id: str, job: Job, timeout: float) -> Iterator[Message]:
        """What a child says in so many seconds, which begin when it has a slot.

        :raises TimeoutError: if it is not done by then.
        :raises ChildError: if it says that it failed.
        """
        with self.slots.taken(account_id):
            self.start()  # outside the deadline, which is the job's own
            with gevent.Timeout(timeout, TimeoutError()):
                for message in self._converse(job):
                    if isinstance(message, Done) and message.error is not None:
                        raise ChildError(message.error)
                    yield message

    def _converse(self, work: Job) -> Iterator[Message]:
        """Have a child forked, give it the job and yield its messages, the last being `Done`."""
        job, connection = self.nursery.fork()
        outcome = "killed"  # unless it comes to its end
        try:
            send_frame(connection, work)
            budget = Budget()
            while (received := receive_frame(connection, decode_message)) is not None:
                message, size = received
                if isinstance(message, _LAST):
                    outcome = "failed" if isinstance(message, Done) and message.error else "done"
                if isinstance(message, Done) or budget.admits(message):
                    yield message
                else:
                    yield Done(truncated=True)
                    return
                budget.spend(size)
            if outcome == "killed":
                outcome = "died"
        finally:
            connection.close()
            self.nursery.kill(job)
            table.POOL_JOBS.add(*_kind(work), outcome)


def _kind(work: Job) -> tuple[str, str]:
    """The kind of work, and what does it."""
    if isinstance(work, AnalysisJob):
        return "analysis", work.analyzer
    if isinstance(work, DetectionJob):
        return "detection", work.detector
    if isinstance(work, RewriteJob):
        return "rewrite", work.transformation
    return "comparison", "checks"


def _primitive(value: Any) -> Any:
    """A setting's value as something that travels between processes."""
    if isinstance(value, tuple | list):
        return [_primitive(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): _primitive(item) for name, item in value.items()}
    return value if isinstance(value, str | int | float | None) else str(value)
