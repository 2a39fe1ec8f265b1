"""Reports about failing sources, for operators.

Only the process that queries a source knows about its pause, and `codeintel sources` runs in
another process. So each process stores changes in the database, which all processes share.
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
"""Pause between two writes, because anonymous callers can make a source fail as often as they
like.
"""


class Breaker(StrEnum):
    """Answers to whether a source is queried.

    `half-open` means that the next search tries it again, `limited` that the registry's own limit
    is used up.
    """

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
        """Return the state at a time."""
        if self.answered_ms is not None:
            return Breaker.CLOSED
        if self.paused_until_ms is not None and at_ms < self.paused_until_ms:
            is_limit = self.problem is SourceProblem.RATE_LIMITED
            return Breaker.LIMITED if is_limit else Breaker.OPEN
        return Breaker.HALF_OPEN if self.failures >= FAILURES else Breaker.CLOSED


def report_of(source: str, state: SourceState) -> SourceReport:
    """Return the report of a source that has failed.

    :raises ValueError: if the source has not failed.
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
    """The reports of all processes, with the newest for each source."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._new: dict[str, SourceReport] = {}
        self._answered: dict[str, int] = {}
        """When sources last answered, if this or an earlier process may have reported failures."""
        self._greenlet: gevent.Greenlet[..., None] | None = None

    def add(self, report: SourceReport) -> None:
        """Store a report in the background, so that searches do not wait."""
        self._new[report.source] = report
        self._wake()

    def answered(self, source: str) -> None:
        """Store that a source answers, if a failure is stored."""
        self._answered[source] = now_ms()
        self._wake()

    def _wake(self) -> None:
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._write)

    def all(self) -> dict[str, SourceReport]:
        """Return the reports by source.

        :raises sqlalchemy.exc.SQLAlchemyError: if the database does not answer.
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
            except (
                SQLAlchemyError
            ) as error:  # searches continue, and the next failure is reported again
                log.warning("failures of search sources could not be stored: %s", describe(error))
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
