"""What makes up for messages and processes that were lost."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, select, update
from sqlalchemy.exc import DBAPIError

from codeintel.base.logging.context import bound
from codeintel.contracts.states import JobState
from codeintel.platform.db.clock import database_now_ms
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.owners import is_gone
from codeintel.platform.db.patience import patient
from codeintel.platform.db.writer import Writer, is_unavailable
from codeintel.platform.jobs.changes import cancelled, failed, queued
from codeintel.platform.jobs.errors import explain
from codeintel.platform.jobs.kinds import MAX_DEATHS, JobKind
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.store import JobStore
from codeintel.platform.jobs.tables import JobRow
from codeintel.platform.metrics import table

log = logging.getLogger(__name__)

BATCH = 1000
FORGET_SECONDS = 600.0
ROUNDS_UNTIL_LOST = 3
"""After so many rounds a message that nobody has answered counts as lost, once none is waiting."""

_Candidates = Select[str, str, int, int, int, str | None, int | None]
_Row = Row[str, str, int, int, int, str | None, int | None]
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
    """Looks after jobs that nobody holds any more, and those whose message did not come.

    :param interval: between two rounds, in seconds.
    :param retention: for how long ended jobs are kept, in seconds.
    :param chores: what else is to be done every ten minutes, each on its own.
    :param leads: whether this process is the one to do them, asked before each, for so many
        seconds.
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
        self._writer = writer
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
        """Do all that is due. Errors are logged: the next round may work again."""
        steps = (self._begin, self.release_expired, self._forget, self._send, *self._due_chores())
        for step in steps:
            try:
                with patient():
                    step()
            except Exception as error:  # noqa: BLE001 - see above
                log.error("jobs were not looked after: %s", explain(error))
                if isinstance(error, DBAPIError) and is_unavailable(error):
                    return

    def release_expired(self) -> None:
        """Queue the jobs whose lease ran out, or fail those whose processes died or froze twice."""
        self._release(
            _COLUMNS.where(JobRow.state == JobState.RUNNING, JobRow.lease_ms < database_now_ms()),
            lambda _: True,
        )

    def release_gone(self) -> None:
        """The same for the jobs of dead processes of this machine, without waiting for the lease:
        for a database that only this machine uses."""
        self._release(
            _COLUMNS.where(JobRow.state == JobState.RUNNING),
            lambda row: row.owner is not None and is_gone(row.owner),
        )

    def _release(self, query: _Candidates, is_due: Callable[[_Row], bool]) -> None:
        known = query.where(JobRow.kind.in_(sorted(self._kinds))).limit(BATCH)
        with self._engine.connect() as connection:
            due = [row for row in connection.execute(known) if is_due(row)]
        for row in due:
            self._release_one(query, row)

    def _release_one(self, query: _Candidates, row: _Row) -> None:
        # Asked again within the transaction: its lease may have been renewed meanwhile, or a
        # checkpoint may have set its attempts back.
        still = query.where(JobRow.id == row.id, JobRow.epoch == row.epoch).with_for_update()

        def work(connection: Connection) -> tuple[int, JobState] | None:
            now = connection.execute(still).one_or_none()
            if now is None:
                return None
            values = self._values(now)
            connection.execute(update(JobRow).where(JobRow.id == row.id).values(**values))
            return now.attempts, values["state"]

        released = self._writer.run(work, order=row.id)
        if released is not None:
            told = "job %s (%s) lost its process in attempt %d and is %s"
            with bound(job_id=row.id):
                log.warning(told, row.id, row.kind, *released)
            table.JOB_ATTEMPTS.add(row.kind, "lost")

    def _values(self, row: _Row) -> dict[str, Any]:
        """What becomes of a job that nobody holds: it may have killed its process, or frozen it."""
        kind = self._kinds[row.kind]
        if row.cancel_ms is not None:
            return cancelled(row.epoch)
        deaths = row.deaths + 1
        told = f"The process that worked on it, {row.owner or 'not known'}, died or froze"
        if deaths >= MAX_DEATHS:
            error = (
                f"{told}. That has happened {deaths} times at this place: it is not tried again."
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
