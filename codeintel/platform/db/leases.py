"""Leases: which process holds a row, until when by the database's clock, and what happens after."""

from __future__ import annotations

import hashlib
import logging
import os
import socket
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import gevent
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    TextClause,
    or_,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import InstrumentedAttribute

from codeintel.base.logging import bind, describe
from codeintel.platform.db.models import Base, LeaderLease, new_id
from codeintel.platform.db.statements import database_now_ms, insert_into
from codeintel.platform.db.writer import Writer, is_unavailable

log = logging.getLogger(__name__)

T = TypeVar("T")
BATCH = 500
"""Number of rows that are swept at a time."""
HOST_CHARACTERS = 40
"""Maximum length of the host in a process's name, which must fit the columns' 64 characters."""
_DIGEST_CHARACTERS = 8


def new_owner() -> str:
    """Return a name for this process: `host:pid:random`."""
    return f"{_host()}:{os.getpid()}:{new_id('p')[-8:]}"


def is_gone(owner: str) -> bool:
    """Return whether the process was on this machine and is dead.

    A process that has reused its number counts as alive; then the lease decides.
    """
    host, _, rest = owner.rpartition(":")[0].rpartition(":")
    if host != _host() or not rest.isdigit():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


def _host() -> str:
    """Return the host's name, shortened to end in a hash of the whole name if it is long.

    Without the hash, `codeintel-production-frankfurt-worker-node-1` and `-2` would be the same.
    """
    name = socket.gethostname()
    if len(name) <= HOST_CHARACTERS:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_CHARACTERS]
    return f"{name[: HOST_CHARACTERS - len(digest) - 1]}-{digest}"


def gone_owners(
    connection: Connection,
    owner: InstrumentedAttribute[Any],
    held: ColumnElement[bool] | TextClause,
) -> list[str]:
    """Return the dead processes of this machine that hold rows, for a database that only it
    uses.
    """
    owners = connection.scalars(select(owner).where(held).distinct())
    return [name for name in owners if name is not None and is_gone(name)]


def until(seconds: float) -> ColumnElement[int]:
    """Return when a lease that starts now ends."""
    return database_now_ms() + int(seconds * 1000)


class Sweeper(Generic[T]):
    """Ends rows whose holder is gone.

    :param what: what a row is, for the log.
    :param end: ends a row in a transaction that has found it again; None if it did not.
    :param order: the column by which the writer orders the work.
    :param lock: locks what that column names, before the row.
    :param of: the table whose row is locked, if not those of all tables of the query.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        what: str,
        end: Callable[[Connection, Any], T | None],
        *,
        order: str = "id",
        lock: Callable[[Connection, str], object] = lambda _, __: None,
        of: type[Base] | None = None,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._what = what
        self._end = end
        self._order = order
        self._lock = lock
        self._of = of

    def sweep(self, overdue: Select[*tuple[Any, ...]]) -> list[T]:
        """End the rows that a query finds, in batches, and return the result of each.

        :param overdue: the query, with a column `id`.
        :raises sqlalchemy.exc.DBAPIError: if the database is out of reach and no row was ended.
        """
        ended: list[T] = []
        passed: list[str] = []
        try:
            while self._sweep_batch(overdue, passed, ended):
                pass
        except DBAPIError as error:
            if not ended:
                raise
            # Report what was ended. The next sweep finds the rest.
            log.error("some lost %s could not be ended: %s", self._what, describe(error))
        return ended

    def _sweep_batch(
        self, overdue: Select[*tuple[Any, ...]], passed: list[str], ended: list[T]
    ) -> bool:
        """Add the results of a batch to `ended`. Return whether more rows may be due.

        Rows that could not be ended are added to `passed`, so that the next batch skips them. The
        query is not ordered by id: a database with millions of rows would scan them in that order
        instead of the few that are held.
        """
        id_ = overdue.selected_columns["id"]
        batch = overdue.where(id_.not_in(passed)) if passed else overdue
        with self._engine.connect() as connection:
            due = connection.execute(batch.limit(BATCH)).all()
        # One parallel job for each row: they share transactions, and one bad row fails alone.
        jobs = [gevent.spawn(self._take, overdue, row) for row in due]
        gevent.joinall(jobs)
        results = [job.value for job in jobs]
        ended += [each for each in results if not isinstance(each, DBAPIError | None)]
        for row, result in zip(due, results, strict=True):
            if isinstance(result, DBAPIError):
                raise result
            if result is None:
                passed.append(row.id)
        return len(due) == BATCH

    def _take(self, overdue: Select[*tuple[Any, ...]], row: Any) -> T | DBAPIError | None:
        # Checked again within the transaction, because the lease may have been renewed meanwhile.
        again = overdue.where(overdue.selected_columns["id"] == row.id)
        again = again.with_for_update(of=self._of, skip_locked=True)
        order = getattr(row, self._order)

        def work(connection: Connection) -> T | None:
            self._lock(connection, order)
            found = connection.execute(again).one_or_none()
            return self._end(connection, found) if found is not None else None

        bind(**{f"{self._what}_id": row.id})
        try:
            return self._writer.run(work, order=order)
        except Exception as error:  # noqa: BLE001 - the others can be ended all the same
            if isinstance(error, DBAPIError) and is_unavailable(error):
                return error
            log.error("%s %s cannot be ended: %s", self._what, row.id, describe(error))
            return None


class Leadership:
    """Work that one process does for the whole installation: a lease in a row of the database.

    Advisory locks do not work here. A session's lock is lost behind a connection pool such as
    pgbouncer, and a transaction's lock lasts no longer than the transaction.

    :param owner: the process's name.
    :param is_gone: whether another process is known to be dead, so that nothing waits for its
        lease.
    """

    def __init__(
        self, writer: Writer, owner: str, is_gone: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._writer = writer
        self._owner = owner
        self._is_gone = is_gone

    def leads(self, work: str, seconds: float) -> bool:
        """Return whether this process is the one to do a kind of work now.

        The lease lasts the given number of seconds by the database's clock, and longer if it is
        renewed in time. Work that takes longer may be done twice in parallel, so it must allow it.
        """

        def take(connection: Connection) -> bool:
            values = {"owner": self._owner, "expires_ms": until(seconds)}
            mine_or_free = or_(
                LeaderLease.owner == self._owner, LeaderLease.expires_ms < database_now_ms()
            )
            renew = update(LeaderLease).where(LeaderLease.work == work, mine_or_free).values(values)
            if connection.execute(renew).rowcount:
                return True
            first = insert_into(connection, LeaderLease).values(work=work, **values)
            added = first.on_conflict_do_nothing().returning(LeaderLease.work)
            if connection.scalar(added) is not None:
                return True
            leader = connection.scalar(select(LeaderLease.owner).where(LeaderLease.work == work))
            if leader is None or not self._is_gone(leader):
                return False
            inherit = (
                update(LeaderLease)
                .where(LeaderLease.work == work, LeaderLease.owner == leader)
                .values(values)
            )
            return connection.execute(inherit).rowcount == 1

        return self._writer.run(take)
