"""All writes of a process, in order, with the work of many requests in one transaction.

Why a custom mechanism: SQLite allows one writer. A greenlet that waits for another's lock inside
SQLite stops the whole process, including the greenlet that holds the lock. One writer greenlet
cannot wait for itself, and committing the work of many requests together saves flushes to disk. No
library does this for greenlets.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, Generic, TypeVar, cast

import gevent
from gevent.event import AsyncResult
from gevent.queue import Empty, SimpleQueue
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from codeintel.platform.metrics import table

T = TypeVar("T")
Work = Callable[[Connection], T]

BATCH = 200
_NOTED = "codeintel_noted"
BUSY_SECONDS = 5.0
TRIES = 5
_CONFLICTS = frozenset({"40001", "40P01"})
_LOCKED = "55P03"
LOCKED_TRIES = 3
"""For work that waits in vain for a lock.

A process that hangs within a transaction keeps the lock until the server ends its session, which
happens before these tries are used up.
"""


class _Job(Generic[T]):
    __slots__ = ("done", "order", "result", "work")

    def __init__(self, work: Work[T], order: str) -> None:
        self.work = work
        self.order = order
        self.result: T | None = None
        self.done: AsyncResult[T] = AsyncResult()


class Writer:
    """Runs pieces of work in transactions.

    A piece of work is a function of a connection. It must not yield to other greenlets (no I/O
    except the database's), and must do all or nothing when it raises. It may run again, alone,
    after its batch was rolled back, or after the database ended its transaction because of a
    deadlock.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: SimpleQueue[_Job[Any]] = SimpleQueue()
        self._greenlet: gevent.Greenlet[..., None] | None = None

    def run(self, work: Work[T], *, order: str = "") -> T:
        """Do `work` in a transaction and return its result once that is committed.

        :param order: key by which a batch is sorted, such as the account whose rows are locked. Two
            processes that lock in the same order cannot deadlock.
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

    def _commit(self, batch: list[_Job[Any]], tries: int = TRIES) -> Exception | None:
        """Commit what can be committed. Return an error only if the database is out of reach."""
        began = time.monotonic()
        try:
            connection = begin_write(self._engine)
        except Exception as error:  # noqa: BLE001 - it goes to the jobs' owners
            table.WRITER_TRANSACTIONS.add("unreachable")
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
                _count(connection, len(batch), time.monotonic() - began)
        except Exception as error:  # noqa: BLE001 - it goes to the jobs' owners
            # One bad job must not fail the others: each gets its own transaction and its own error.
            # But work that may have been committed, with its answer lost, must not be done twice.
            is_locked = _sqlstate(error) == _LOCKED
            beaten = is_locked or is_conflict(error)
            table.WRITER_TRANSACTIONS.add("failed")
            if len(batch) > 1 and (beaten or not committing):
                table.WRITER_RETRIES.add(amount=len(batch))
                self._commit_singly(batch)
            elif beaten and tries > (TRIES - LOCKED_TRIES + 1 if is_locked else 1):
                table.WRITER_RETRIES.add()
                return self._commit(batch, tries - 1)
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


def when_committed(connection: Connection, call: Callable[[], object]) -> None:
    """Call a function once the transaction of a :class:`Writer` is committed, for example to count
    it.

    If the transaction is rolled back, the function is never called. It must not raise.
    """
    connection.info.setdefault(_NOTED, []).append(call)


def _count(connection: Connection, pieces: int, seconds: float) -> None:
    table.WRITER_TRANSACTIONS.add("committed")
    table.WRITER_PIECES.add(amount=pieces)
    table.WRITER_SECONDS.observe(seconds)
    for call in connection.info.pop(_NOTED, ()):
        call()


def begin_write(engine: Engine) -> Connection:
    """Return a connection in a write transaction.

    While another process has SQLite's lock, this waits and lets other greenlets run.

    :raises sqlalchemy.exc.OperationalError: if the database is out of reach, or stays locked for 5
        s.
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
            connection.info.pop(_NOTED, None)  # from a transaction that was rolled back
            return connection


def is_conflict(error: Exception) -> bool:
    """Return whether the database rolled back a transaction because of another, so it can be
    retried.

    These are PostgreSQL's `serialization_failure` and `deadlock_detected`.
    """
    return _sqlstate(error) in _CONFLICTS


def _sqlstate(error: Exception) -> str | None:
    """Return PostgreSQL's code of an error, or None."""
    return getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None


def is_unavailable(error: DBAPIError) -> bool:
    """Return whether the database is out of reach, so that the error is not a bug."""
    return error.connection_invalidated or isinstance(error, OperationalError)
