"""The part of the event logs that several processes share, through Redis."""

from __future__ import annotations

import redis

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.shared_redis import SharedRedis
from codeintel.runs.events.endings import recorded_terminal
from codeintel.runs.events.log import RunLog, encode_frame
from codeintel.runs.events.mirrors import Mirrors, Running
from codeintel.runs.events.publisher import Publisher
from codeintel.runs.events.stream import Page, RunStreams
from codeintel.runs.records import RunRecord

RETRY_SECONDS = 2
CLOSE_TRIES = 3


class SharedLogs:
    """Sends the logs of this process to Redis and fetches those of others.

    :param retention: seconds for which the events of a run are kept that goes on silently.
    :param kept: seconds for which those of an ended run are kept.
    :param running: which of some runs go on, as far as the database can tell.
    """

    def __init__(
        self,
        shared: SharedRedis,
        retention: float,
        kept: float,
        running: Running,
    ) -> None:
        self._streams = RunStreams(shared.client, retention, kept)
        self._breaker = shared.breaker
        self._mirrors = Mirrors(self._streams, shared.breaker, running)
        self._publisher = Publisher(self._streams, shared.breaker)

    def publish(self, log: RunLog) -> None:
        """Have what is new of a log sent soon."""
        self._publisher.publish(log)

    def flush(self, timeout: float) -> None:
        """Wait until all is sent, at most `timeout` seconds."""
        self._publisher.flush(timeout)

    def stop(self) -> None:
        """Send and fetch nothing more."""
        self._publisher.stop()
        self._mirrors.stop()

    def close(self, record: RunRecord) -> None:
        """Send the terminal event of a run that has ended, if its own process did not. Does nothing
        where Redis has none of its events."""
        if self._breaker.is_open:
            return
        try:
            for _ in range(CLOSE_TRIES):
                newest = self._streams.last(record.id)
                if newest is None or newest.is_last:
                    return
                # A holder that is not gone after all may write meanwhile: then its event stands
                # under the number, and this one is tried behind it.
                self._streams.add([_end(record, newest.number + 1)])
        except redis.RedisError as error:
            self._breaker.failed(error)

    def open(self, run_id: str) -> RunLog | None:
        """The log of another process's run; None if Redis has nothing of it.

        :raises ServiceError: `events_unavailable` if Redis cannot be asked.
        """
        try:
            if self._breaker.is_open:
                raise redis.ConnectionError
            return self._mirrors.open(run_id)
        except redis.RedisError as error:
            if not self._breaker.is_open:
                self._breaker.failed(error)
            raise self.unavailable() from None

    @staticmethod
    def unavailable() -> ServiceError:
        """The error for events that may yet come."""
        return ServiceError(
            ErrorCode.EVENTS_UNAVAILABLE,
            "The run is another process's, and its events cannot be reached now: try again.",
            retry_after=RETRY_SECONDS,
        )

    def is_read_elsewhere(self, run_id: str) -> bool:
        """Whether another process has a reader of a run of this one. While Redis cannot tell, it
        counts as read."""
        if self._breaker.is_open:
            return True
        try:
            return self._streams.has_readers(run_id)
        except redis.RedisError as error:
            self._breaker.failed(error)
            return True


def _end(record: RunRecord, number: int) -> Page:
    """The terminal event of a run, from its row, as the next page of its stream."""
    event = recorded_terminal(record)
    event.sequence, event.run_id = number, record.id
    return Page(
        run_id=record.id,
        epoch=record.epoch,
        first=number,
        earliest=number,
        frames=[encode_frame(event)],
        ends=True,
    )
