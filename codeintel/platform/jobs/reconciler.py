"""Make up for lost messages and lost processes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, select, update
from sqlalchemy.exc import DBAPIError

from codeintel.base.logging import bound
from codeintel.contracts.states import JobState
from codeintel.platform.db.leases import Sweeper, gone_owners
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.statements import database_now_ms, patient
from codeintel.platform.db.writer import Writer, is_unavailable
from codeintel.platform.jobs.kinds import MAX_DEATHS, JobKind, explain
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.store import JobRow, JobStore, cancelled, failed, queued
from codeintel.platform.metrics import table

log = logging.getLogger(__name__)

BATCH = 1000
"""Number of messages that are sent in a round."""
FORGET_SECONDS = 600.0
ROUNDS_UNTIL_LOST = 3
"""Number of rounds after which an unanswered message counts as lost, once the queue is empty."""

_Row = Row[str, str, int, int, int, str | None, int | None]
_RUNNING = JobRow.state == JobState.RUNNING
_COLUMNS = select(
    JobRow.id,
    JobRow.kind,
    JobRow.epoch,
    JobRow.attempts,
    JobRow.deaths,
    JobRow.owner,
    JobRow.cancel_ms,
)


class Reconciler:
    """Recovers jobs whose holder is gone, and jobs whose message was lost.

    :param interval: between two rounds, in seconds.
    :param retention: how long ended jobs are kept, in seconds.
    :param chores: other work for every ten minutes, each independent of the others.
    :param leads: whether this process is the one to do the chores, asked before each, for the given
        number of seconds.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        store: JobStore,
        kinds: Mapping[str, JobKind],
        messages: Messages,
        interval: float,
        retention: float,
        chores: Sequence[Callable[[], object]] = (),
        leads: Callable[[float], bool] = lambda _: True,
    ) -> None:
        self._engine = engine
        self._lost = Sweeper(engine, writer, "job", self._end)
        self._store = store
        self._kinds = kinds
        self._messages = messages
        self._interval = interval
        self._retention = retention
        self._chores = chores
        self._leads = leads
        self._forget_at = 0.0
        self._chores_at = 0.0
        self._has_just_begun = engine.dialect.name == "sqlite"

    def round(self) -> None:
        """Do everything that is due. Errors are logged, and the next round tries again."""
        steps = (self._begin, self.release_expired, self._forget, self._send, *self._due_chores())
        for step in steps:
            try:
                with patient():
                    step()
            except Exception as error:  # noqa: BLE001 - see above
                log.error("jobs could not be reconciled: %s", explain(error))
                if isinstance(error, DBAPIError) and is_unavailable(error):
                    return

    def release_expired(self) -> None:
        """Queue the jobs whose lease ran out, or fail those whose processes died or froze twice."""
        self._release(JobRow.lease_ms < database_now_ms())

    def release_gone(self) -> None:
        """Release the jobs of this machine's dead processes, without waiting for the lease.

        This is for a database that only this machine uses.
        """
        with self._engine.connect() as connection:
            gone = gone_owners(connection, JobRow.owner, _RUNNING)
        if gone:
            self._release(JobRow.owner.in_(gone))

    def _release(self, is_due: ColumnElement[bool]) -> None:
        known = JobRow.kind.in_(sorted(self._kinds))
        for row, state in self._lost.sweep(_COLUMNS.where(_RUNNING, is_due, known)):
            told = "job %s (%s) lost its process in attempt %d and is %s"
            with bound(job_id=row.id):
                log.warning(told, row.id, row.kind, row.attempts, state)
            table.JOB_ATTEMPTS.add(row.kind, "lost")

    def _end(self, connection: Connection, row: _Row) -> tuple[_Row, JobState]:
        values = self._values(row)
        connection.execute(update(JobRow).where(JobRow.id == row.id).values(**values))
        return row, values["state"]

    def _values(self, row: _Row) -> dict[str, Any]:
        """Return the new values of a job without a holder, which may have killed or frozen
        its process.
        """
        kind = self._kinds[row.kind]
        if row.cancel_ms is not None:
            return cancelled(row.epoch)
        deaths = row.deaths + 1
        told = f"The process that worked on it ({row.owner or 'not known'}) died or froze"
        if deaths >= MAX_DEATHS:
            error = (
                f"{told}. This has happened {deaths} times at this point, so the job is not "
                "retried."
            )
            return {**failed(row.epoch, error), "deaths": deaths}
        if row.attempts >= kind.max_attempts:
            error = f"{told} in attempt {row.attempts}, the last one."
            return {**failed(row.epoch, error), "deaths": deaths}
        again = queued(row.epoch, kind.pause_ms(row.attempts))
        return {**again, "deaths": deaths, "error": f"{told}."}

    def _begin(self) -> None:
        if self._has_just_begun:
            self.release_gone()
            self._has_just_begun = False

    def _forget(self) -> None:
        if time.monotonic() >= self._forget_at:
            if self._leads(2 * FORGET_SECONDS):
                self._store.forget(self._retention)
            self._forget_at = time.monotonic() + FORGET_SECONDS

    def _due_chores(self) -> Sequence[Callable[[], object]]:
        if time.monotonic() < self._chores_at:
            return ()
        self._chores_at = time.monotonic() + FORGET_SECONDS
        return [partial(self._do_chore, chore) for chore in self._chores]

    def _do_chore(self, chore: Callable[[], object]) -> None:
        if self._leads(2 * FORGET_SECONDS):
            chore()

    def _send(self) -> None:
        lost_before = 0
        if self._messages.are_read():
            lost_before = now_ms() - int(ROUNDS_UNTIL_LOST * self._interval * 1000)
        sent = []
        for job_id in self._store.unsent(self._kinds, lost_before, BATCH):
            if not self._messages.send(job_id):
                break
            sent.append(job_id)
        self._store.mark_sent(sent)
