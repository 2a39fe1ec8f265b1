"""Background jobs, as the rest of the service uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import gevent
from sqlalchemy import Connection, Engine

from codeintel.contracts.states import JobState
from codeintel.platform.db.leases import Leadership, is_gone
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.statements import database_now_ms
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs import store
from codeintel.platform.jobs.holding import JobHolder
from codeintel.platform.jobs.kinds import JobKind, by_name
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.reconciler import Reconciler
from codeintel.platform.jobs.running import JobWork, OnEnd
from codeintel.platform.jobs.store import Job, JobStore

INTERVAL_SECONDS = 5.0
WATCH_SECONDS = 1.0
IDLE_SECONDS = 0.05


class Jobs:
    """The jobs of an installation. Durations are in seconds.

    :param kinds: the kinds that this process can do. It leaves other jobs alone.
    :param owner: the process's name in the rows of its jobs.
    :param retention: how long ended jobs are kept.
    :param interval: between two rounds that look for lost messages and lost processes.
    :param watch: how often an active job checks whether it was cancelled or lost.
    :param chores: other work for every ten minutes, by a process that works on jobs.
    :raises ValueError: if two kinds have the same name.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        messages: Messages,
        kinds: Iterable[JobKind],
        owner: str,
        *,
        retention: float,
        interval: float = INTERVAL_SECONDS,
        watch: float = WATCH_SECONDS,
        chores: Sequence[Callable[[], object]] = (),
    ) -> None:
        self._messages = messages
        self._interval = interval
        self.kinds = by_name(kinds)
        self._store = JobStore(engine, writer)
        holder = JobHolder(engine, writer, owner, self.kinds)
        self._work = JobWork(self._store, holder, self.kinds, messages, watch)
        self.reconciler = Reconciler(
            engine,
            writer,
            self._store,
            self.kinds,
            messages,
            interval,
            retention,
            chores,
            partial(Leadership(writer, owner, is_gone).leads, "chores"),
        )
        self._consumer: Any = None

    def enqueue(
        self, kind: str, key: str, arguments: Any = None, run_after: float | None = None
    ) -> str:
        """Queue a job and return its id once it is in the database.

        If an open job has the same kind and key, its id is returned and it keeps its arguments.

        :param key: what makes two jobs of the kind the same, 1 to 255 characters, readable for
            operators.
        :param arguments: JSON value.
        :param run_after: seconds since 1970 before which it must not start.
        :raises ValueError: for an unknown kind, or an invalid key.
        :raises TypeError: for arguments that JSON cannot express.
        """
        self._check(kind)
        after = int(run_after * 1000) if run_after is not None else None
        job_id, is_new = self._store.add(kind, key, arguments, after)
        if is_new and (after is None or after <= now_ms()) and not self._messages.send(job_id):
            self._store.unsend(job_id)
        return job_id

    def enqueue_with(
        self,
        connection: Connection,
        kind: str,
        key: str,
        arguments: Any = None,
        delay: float = 0.0,
    ) -> str:
        """Queue a job as part of a transaction.

        It starts within the interval after the commit.

        :param delay: seconds from now, by the database's clock, before which it must not start.
        """
        self._check(kind)
        after = database_now_ms() + int(delay * 1000)
        return store.insert(connection, kind, key, arguments, after)

    def hurry(self, job_id: str) -> None:
        """Start a waiting job now, regardless of the reason of its wait."""
        if self._store.hurry(job_id) and not self._messages.send(job_id):
            self._store.unsend(job_id)

    def find(self, job_id: str) -> Job | None:
        """Return the job as it is now, or None if it is unknown."""
        return self._store.find(job_id)

    def list(
        self, kind: str | None = None, state: JobState | None = None, limit: int = 100
    ) -> list[Job]:
        """Return the newest jobs, optionally of one kind and in one state."""
        return self._store.newest(kind, state, limit)

    def count_due(self) -> dict[str, int]:
        """Return the number of jobs that may start now, by kind. Kinds without any are left out."""
        return self._store.count_due(self.kinds)

    def cancel(self, job_id: str) -> bool:
        """Cancel a waiting job, or make an active one stop at its next checkpoint.

        Returns False if it has ended or is unknown.
        """
        return self._store.cancel(job_id)

    def start(self, workers: int, on_end: OnEnd | None = None) -> None:
        """Work on jobs in this number of greenlets, none for 0.

        :param on_end: called for each job that ended here.
        """
        if workers < 1 or self._consumer is not None:
            return
        from codeintel.platform.jobs.process import JobConsumer

        self._work.on_end = on_end
        self._work.begin()
        self._consumer = JobConsumer(
            self._messages.huey,
            workers,
            self._work.find,
            self._work.do,
            self.reconciler.round,
            self._interval,
        )
        self._consumer.start()

    def stop(self, seconds: float) -> None:
        """Take no more jobs and stop active ones: at their next checkpoint, or after `seconds`.

        They are queued again.
        """
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            self._work.stop()
            consumer.shutdown_timeout = seconds
            consumer.stop(graceful=True)
        self._messages.close()

    def wait_until_idle(self) -> None:
        """Return when no known kind of job is due and no job is running here."""
        self.reconciler.round()
        while not (self._work.is_idle and self._store.next_due(self.kinds) is None):
            gevent.sleep(IDLE_SECONDS)

    def _check(self, kind: str) -> None:
        if kind not in self.kinds:
            raise ValueError(f"unknown job kind {kind!r}: pass it to Jobs")
