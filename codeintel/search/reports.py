"""What operators are told of sources that fail.

Which sources are left alone is known to the process that asks them; `codeintel sources` is another.
So each process writes down what changes, in the database, which all of them have.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import partial

import gevent
import msgspec
from sqlalchemy import Connection, Engine, select, update
from sqlalchemy.exc import SQLAlchemyError

from codeintel.base.logging import describe
from codeintel.contracts import SourceProblem
from codeintel.platform.db.models import SourceReportRow, now_ms
from codeintel.platform.db.statements import insert_into
from codeintel.platform.db.writer import Writer
from codeintel.platform.upstreams.upstream import FAILURES, SourceState

log = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0
"""Between two writes: anonymous callers can make a source refuse as often as they like."""


class Breaker(StrEnum):
    """Whether a source is asked: `half-open` means that the next search tries it once more,
    `limited` that the registry's own limit is used up."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"
    LIMITED = "limited"


class SourceReport(msgspec.Struct, frozen=True):
    """The last failure of a source. Times are in milliseconds since 1970."""

    source: str
    problem: SourceProblem
    message: str
    failures: int
    failed_ms: int
    paused_until_ms: int | None = None
    answered_ms: int | None = None

    def breaker(self, at_ms: int) -> Breaker:
        """How things stand at a time."""
        if self.answered_ms is not None:
            return Breaker.CLOSED
        if self.paused_until_ms is not None and at_ms < self.paused_until_ms:
            is_limit = self.problem is SourceProblem.RATE_LIMITED
            return Breaker.LIMITED if is_limit else Breaker.OPEN
        return Breaker.HALF_OPEN if self.failures >= FAILURES else Breaker.CLOSED


def report_of(source: str, state: SourceState) -> SourceReport:
    """What there is to tell of a source that has failed.

    :raises ValueError: if it has not.
    """
    if state.last_error is None:
        raise ValueError(f"{source} has not failed")
    pause = max(state.open_until, state.limited_until) - time.monotonic()
    return SourceReport(
        source,
        state.last_error.problem,
        state.last_error.message,
        state.failures,
        state.failed_ms,
        now_ms() + int(pause * 1000) if pause > 0 else None,
        state.answered_ms,
    )


class SourceReports:
    """The reports of all processes: of each source, the newest."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._new: dict[str, SourceReport] = {}
        self._answered: dict[str, int] = {}
        """When sources answered, of which this or an earlier process may have told failures."""
        self._greenlet: gevent.Greenlet[..., None] | None = None

    def add(self, report: SourceReport) -> None:
        """Have a report written; who searches does not wait for it."""
        self._new[report.source] = report
        self._wake()

    def answered(self, source: str) -> None:
        """Have written that a source answers, if a failure stands there."""
        self._answered[source] = now_ms()
        self._wake()

    def _wake(self) -> None:
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._write)

    def all(self) -> dict[str, SourceReport]:
        """By source.

        :raises sqlalchemy.exc.SQLAlchemyError: if the database cannot be asked.
        """
        with self._engine.connect() as connection:
            rows = connection.execute(select(SourceReportRow.__table__)).mappings()
            return {row["source"]: msgspec.convert(dict(row), SourceReport) for row in rows}

    def _write(self) -> None:
        while self._new or self._answered:
            reports, self._new = list(self._new.values()), {}
            answered, self._answered = self._answered, {}
            try:
                self._writer.run(partial(_put, reports, answered))
            except SQLAlchemyError as error:  # the searches go on, the next failure is told again
                log.warning("search sources' failures are not written down: %s", describe(error))
            gevent.sleep(PAUSE_SECONDS)


def _put(
    reports: Iterable[SourceReport], answered: Mapping[str, int], connection: Connection
) -> None:
    for report in sorted(reports, key=lambda each: each.source):
        values = msgspec.structs.asdict(report)
        statement = insert_into(connection, SourceReportRow).values(values)
        connection.execute(statement.on_conflict_do_update(index_elements=["source"], set_=values))
    for source, at_ms in sorted(answered.items()):
        connection.execute(
            update(SourceReportRow)
            .where(
                SourceReportRow.source == source,
                SourceReportRow.answered_ms.is_(None),
                SourceReportRow.failed_ms <= at_ms,
            )
            .values(answered_ms=at_ms, failures=0, paused_until_ms=None)
        )
