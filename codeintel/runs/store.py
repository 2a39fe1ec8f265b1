"""Runs in the database: reserve, renew, read and settle them, and sweep lost ones."""

from __future__ import annotations

import time
from collections.abc import Collection
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, and_, bindparam, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from codeintel.base.errors import ServiceError
from codeintel.contracts.states import FIRST_EPOCH, RunState
from codeintel.identity import ledger
from codeintel.identity.accounts import account_deleted, is_open
from codeintel.identity.ledger import Balance
from codeintel.platform.db.batches import BatchDeleter, Old
from codeintel.platform.db.leases import Leadership, Sweeper, gone_owners, is_gone
from codeintel.platform.db.models import RUNNING, Hold, RunRow, now_ms
from codeintel.platform.db.statements import Prepared, database_now_ms
from codeintel.platform.db.writer import Writer
from codeintel.runs import idempotency
from codeintel.runs.idempotency import RequestKey

_RUNS = select(RunRow.id, RunRow.account_id, RunRow.epoch)


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The row of a run.

    Times are milliseconds since 1970. `usage`, `result` and `fingerprints` are JSON. `hold` is the
    number of reserved credits.
    """

    id: str
    account_id: str
    kind: str
    state: RunState
    engine: str
    model: str
    epoch: int
    price: int
    hold: int
    charged: int | None
    reason: str | None
    usage: str | None
    created_ms: int
    finished_ms: int | None
    source: str | None = None
    file: str | None = None
    workspace_id: str | None = None
    language: str | None = None
    severities: str | None = None
    result: str | None = None
    fingerprints: str | None = None
    code_digest: str | None = None


class ToStop(msgspec.Struct, frozen=True, kw_only=True):
    """Ids of runs to stop:

    `requested` ones to cancel, and `over` ones that the database has ended or deleted.
    """

    requested: list[str]
    over: list[str]


class RunRecords:
    """Reads the rows of runs, and requests their end."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def find(self, run_id: str, *, with_result: bool = False) -> RunRecord | None:
        """Return a run, or None. The result, which may be long, is only included on request."""
        query = _FIND_ALL if with_result else _FIND
        with self._engine.connect() as connection:
            row = connection.execute(query, {"run": run_id}).one_or_none()
        if row is None:
            return None
        return RunRecord(**{**row._mapping, "state": RunState(row.state)})

    def running(self, run_ids: Collection[str]) -> Collection[str]:
        """Return which of the runs are active. While the database is unavailable, return all."""
        query = select(RunRow.id).where(
            RunRow.id.in_(list(run_ids)), RunRow.state == RunState.RUNNING
        )
        try:
            with self._engine.connect() as connection:
                return set(connection.scalars(query))
        except SQLAlchemyError:
            return run_ids

    def request_end(self, run_id: str) -> None:
        """Store a request to cancel the run. Its owner checks for that."""

        def work(connection: Connection) -> None:
            connection.execute(_REQUEST_END, {"run": run_id, "now": now_ms()})

        self._writer.run(work)

    def to_stop(self, run_ids: Collection[str]) -> ToStop:
        """Return which of the runs must stop."""
        query = select(RunRow.id, RunRow.cancel_ms).where(
            RunRow.id.in_(list(run_ids)), RunRow.state == RunState.RUNNING
        )
        with self._engine.connect() as connection:
            running = {row.id: row.cancel_ms for row in connection.execute(query)}
        return ToStop(
            requested=[run_id for run_id, asked_ms in running.items() if asked_ms is not None],
            over=[run_id for run_id in run_ids if run_id not in running],
        )


class NewRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run to be inserted. `hold` is 0 for unlimited accounts, else the price."""

    id: str
    account_id: str
    kind: str
    engine: str
    model: str
    price: int
    hold: int
    usage: str
    source: str | None = None
    file: str | None = None
    workspace_id: str | None = None
    code_digest: str | None = None
    language: str | None = None


class Repeated(msgspec.Struct, frozen=True):
    """The request was sent before: a run exists under its key."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ends.

    `charge` is taken from the account, `metered` is the value of the work, and `description` is the
    text in the ledger.
    """

    state: RunState
    description: str = ""
    charge: int
    metered: int
    reason: str | None = None
    result: str | None = None
    fingerprints: str | None = None
    usage: str | None = None
    language: str | None = None
    severities: str | None = None


class RunStore:
    """The rows of runs and their holds."""

    def __init__(self, engine: Engine, writer: Writer, owner: str, hold_ttl: float) -> None:
        self._engine = engine
        self._writer = writer
        self._owner = owner
        self._ttl_ms = int(hold_ttl * 1000)
        self._deleter = BatchDeleter(engine, writer)
        self._leadership = Leadership(writer, owner, is_gone)
        self._lost, self._left = (
            Sweeper(engine, writer, "run", partial(_fail, reason=reason), order="account_id")
            for reason in ("lease_expired", "service_restarted")
        )

    def open(
        self, run: NewRun, key: RequestKey | None = None
    ) -> Repeated | Balance | ServiceError | None:
        """Insert the run, its hold and its request's key in one transaction.

        Returns None if the run is open. Otherwise nothing is inserted, and the return value is the
        insufficient balance, the existing run of the request, or the error for a deleted account.
        """

        def work(connection: Connection) -> Repeated | Balance | ServiceError | None:
            if key is not None:
                # Before the key: two processes that took keys in different orders, and then this
                # account, would deadlock.
                ledger.lock(connection, run.account_id)
            # A deleted account without unlimited credits fails below, because its balance is 0.
            if not run.hold and not is_open(connection, run.account_id):
                return account_deleted()
            if key is not None and not idempotency.claim(connection, key, run.id):
                return Repeated()
            if not ledger.hold(connection, run.id, run.account_id, run.hold, self._ttl_ms):
                if key is not None:
                    idempotency.unclaim(connection, key)
                return ledger.read_balance(connection, run.account_id)
            _INSERT.execute(
                connection,
                {
                    "id": run.id,
                    "account_id": run.account_id,
                    "kind": run.kind,
                    "state": RunState.RUNNING,
                    "engine": run.engine,
                    "model": run.model,
                    "owner": self._owner,
                    "epoch": FIRST_EPOCH,
                    "price": run.price,
                    "usage": run.usage,
                    "source": run.source,
                    "file": run.file,
                    "workspace_id": run.workspace_id,
                    "code_digest": run.code_digest,
                    "language": run.language,
                    "created_ms": now_ms(),
                },
            )
            return None

        return self._writer.run(work, order=run.account_id)

    def find_under(self, key: RequestKey) -> str | None:
        """Return as :func:`codeintel.runs.idempotency.find_made`."""
        return idempotency.find_made(self._engine, key)

    def settle(self, run_id: str, account_id: str, ending: Ending) -> bool:
        """End a run and its hold in one transaction.

        Return False, without any effect, if the run has already ended.
        """
        return self._writer.run(
            lambda connection: _settle(connection, run_id, FIRST_EPOCH, ending), order=account_id
        )

    def state(self, run_id: str) -> RunState | None:
        """Return the state in the database, or None."""
        with self._engine.connect() as connection:
            found = connection.scalar(select(RunRow.state).where(RunRow.id == run_id))
        return RunState(found) if found else None

    def renew(self, run_ids: Collection[str]) -> None:
        """Renew the leases of this process's active runs."""
        if run_ids:
            self._writer.run(lambda connection: ledger.renew(connection, run_ids, self._ttl_ms))

    def sweep(self) -> list[str]:
        """Fail the runs whose lease ran out, free of charge. Return their ids."""
        return self._lost.sweep(
            _RUNS.join(Hold, Hold.id == RunRow.id).where(
                Hold.state == ledger.PENDING, Hold.expires_ms < database_now_ms()
            )
        )

    def fail_orphans(self) -> list[str]:
        """Fail all active runs and return their ids.

        This is for a start that is certainly the only user of the database.
        """
        return self._left.sweep(_RUNS.where(RUNNING))

    def fail_gone(self) -> list[str]:
        """Fail the active runs of dead processes and return their ids.

        This is for a database that only this machine uses.
        """
        with self._engine.connect() as connection:
            gone = gone_owners(connection, RunRow.owner, RUNNING)
        return self._left.sweep(_RUNS.where(RUNNING, RunRow.owner.in_(gone))) if gone else []

    def forget(self, older_than: float, seconds: float = float("inf")) -> bool:
        """Delete runs that ended more than `older_than` seconds ago, in small transactions.

        The ledger keeps their cost.

        :param seconds: time limit; the remaining runs are deleted the next time.
        :returns: whether no old runs remain.
        """
        cutoff = now_ms() - int(older_than * 1000)
        deadline = time.monotonic() + seconds
        # Keys of requests last: they are stored as long as the runs that they have created.
        return all(
            self._deleter.delete(old, deadline)[1]
            for old in (*_old_holds(cutoff), _old_runs(cutoff), idempotency.old_keys(cutoff))
        )

    def leads_retention(self, seconds: float) -> bool:
        """Return whether this process deletes old runs for all, for the given number of seconds."""
        return self._leadership.leads("runs.retention", seconds)


def _fail(connection: Connection, row: Any, reason: str) -> str | None:
    ending = Ending(state=RunState.FAILED, charge=0, metered=0, reason=reason)
    return row.id if _settle(connection, row.id, row.epoch, ending) else None


def _settle(connection: Connection, run_id: str, epoch: int, ending: Ending) -> bool:
    ended = _END.execute(
        connection,
        {
            "run": run_id,
            "holder": epoch,
            "next": epoch + 1,
            "end": ending.state,
            "cost": ending.charge,
            "why": ending.reason,
            "what": ending.result,
            "marks": ending.fingerprints,
            "used": ending.usage,
            "tongue": ending.language,
            "levels": ending.severities,
            "now": now_ms(),
        },
    )
    if ended.rowcount != 1:
        return False
    if ending.state is RunState.FAILED:
        idempotency.free(
            connection, run_id
        )  # the run was not charged, so the request may be repeated
    ledger.release(
        connection,
        run_id,
        charge=ending.charge,
        metered=ending.metered,
        reason=ending.description,
    )
    return True


def _old_runs(cutoff: int) -> Old:
    return Old(RunRow, RunRow.finished_ms < cutoff, RunRow.finished_ms)


def _old_holds(cutoff: int) -> list[Old]:
    """Return the old holds for each state in which a hold has ended, because each is a range
    of the index.
    """
    return [
        Old(Hold, and_(Hold.state == state, Hold.expires_ms < cutoff), Hold.expires_ms)
        for state in (ledger.SETTLED, ledger.VOIDED)
    ]


LISTED = [
    getattr(RunRow, name)
    for name in RunRecord.__struct_fields__
    if name not in {"hold", "result", "fingerprints", "code_digest"}
]

_FIND = (
    select(*LISTED, func.coalesce(Hold.amount, 0).label("hold"))
    .outerjoin(Hold, Hold.id == RunRow.id)
    .where(RunRow.id == bindparam("run"))
)

_FIND_ALL = _FIND.add_columns(RunRow.result, RunRow.fingerprints, RunRow.code_digest)

_REQUEST_END = (
    update(RunRow)
    .where(
        RunRow.id == bindparam("run"),
        RunRow.state == RunState.RUNNING,
        RunRow.cancel_ms.is_(None),
    )
    .values(cancel_ms=bindparam("now"))
)

_INSERT = Prepared(insert(RunRow))

_END = Prepared(
    update(RunRow)
    .where(
        RunRow.id == bindparam("run"),
        RunRow.state == RunState.RUNNING,
        RunRow.epoch == bindparam("holder"),
    )
    .values(
        state=bindparam("end"),
        epoch=bindparam("next"),
        charged=bindparam("cost"),
        reason=bindparam("why"),
        result=bindparam("what"),
        fingerprints=bindparam("marks"),
        usage=func.coalesce(bindparam("used"), RunRow.usage),
        language=func.coalesce(bindparam("tongue"), RunRow.language),
        severities=bindparam("levels"),
        finished_ms=bindparam("now"),
    )
)
