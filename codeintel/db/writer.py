"""All writes of a process, in order, many requests' work in one transaction.

Why a mechanism of our own: SQLite allows one writer, and a greenlet that waits for another's lock
inside SQLite stops the whole process, the other greenlet included. One writer greenlet cannot wait
for itself, and committing the work of many requests together makes the disk's flush cheap. No
library does this for greenlets.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any, Generic, TypeVar, cast

import gevent
from gevent.event import AsyncResult
from gevent.queue import Empty, SimpleQueue
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

T = TypeVar("T")
Work = Callable[[Connection], T]

BATCH = 200
BUSY_SECONDS = 5.0


class _Job(Generic[T]):
    __slots__ = ("done", "order", "result", "work")

    def __init__(self, work: Work[T], order: str) -> None:
        self.work = work
        self.order = order
        self.result: T | None = None
        self.done: AsyncResult[T] = AsyncResult()


class Writer:
    """Runs pieces of work in transactions.

    A piece of work is a function of a connection. It must not yield to other greenlets (no I/O but
    the database's), and must do all or nothing when it raises: it may be run again, alone, after a
    batch that it was part of was rolled back.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: SimpleQueue[_Job[Any]] = SimpleQueue()
        self._greenlet: gevent.Greenlet[..., None] | None = None

    def run(self, work: Work[T], *, order: str = "") -> T:
        """Do `work` in a transaction and return its result once that is committed.

        :param order: key by which a batch is sorted, such as the account whose rows are locked: two
            processes that lock in one order cannot wait for each other in a circle.
        :raises Exception: what the work raised, rolled back.
        :raises sqlalchemy.exc.OperationalError: if the database is out of reach, or another process
            kept it locked for 5 s. If the connection broke while committing, the work may be done
            nevertheless.
        """
        job = _Job(work, order)
        self._jobs.put(job)
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._loop)
        return cast(T, job.done.get())

    def _loop(self) -> None:
        while True:
            batch = [self._jobs.get()]
            try:
                while len(batch) < BATCH:
                    batch.append(self._jobs.get_nowait())
            except Empty:
                pass
            self._commit(sorted(batch, key=lambda job: job.order))

    def _commit(self, batch: list[_Job[Any]]) -> Exception | None:
        """Commit what can be; an error only if the database cannot be reached at all."""
        try:
            connection = begin_write(self._engine)
        except Exception as error:  # noqa: BLE001 - it goes to the jobs' owners
            for job in batch:  # trying each alone would make them wait in turn
                job.done.set_exception(error)
            return error
        committing = False
        try:
            with closing(connection):  # rolls back what was not committed
                for job in batch:
                    job.result = job.work(connection)
                committing = True
                connection.commit()
        except Exception as error:  # noqa: BLE001 - it goes to the jobs' owners
            # One bad job must not fail the others: each gets a transaction, and its error, alone.
            # But what may be committed, its answer lost, must not be done twice.
            if len(batch) > 1 and not committing:
                self._commit_singly(batch)
            else:
                for job in batch:
                    job.done.set_exception(error)
        else:
            for job in batch:
                job.done.set(job.result)
        return None

    def _commit_singly(self, batch: list[_Job[Any]]) -> None:
        for position, job in enumerate(batch):
            unreachable = self._commit([job])
            if unreachable is not None:
                for other in batch[position + 1 :]:
                    other.done.set_exception(unreachable)
                return


def begin_write(engine: Engine) -> Connection:
    """A connection in a transaction that may write; waits, letting others run, while another
    process has SQLite's lock.

    :raises sqlalchemy.exc.OperationalError: if the database is out of reach, or stays locked for
        5 s.
    """
    waited, pause = 0.0, 0.002
    while True:
        connection = engine.connect().execution_options(write=True)
        try:
            connection.begin()
        except OperationalError as error:
            connection.close()
            if waited >= BUSY_SECONDS or "locked" not in str(error.orig):
                raise
            gevent.sleep(pause)
            waited, pause = waited + pause, min(pause * 2, 0.1)
        except BaseException:
            connection.close()
            raise
        else:
            return connection


def is_unavailable(error: DBAPIError) -> bool:
    """Whether the error means that the database is out of reach, rather than a fault of ours."""
    return error.connection_invalidated or isinstance(error, OperationalError)
