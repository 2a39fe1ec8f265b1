"""What the database knows of runs."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import Connection, Engine, bindparam, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from codeintel.contracts.run_states import RunState
from codeintel.platform.db.models import Hold, RunRow, now_ms
from codeintel.platform.db.writer import Writer


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The row of a run. Times are milliseconds since 1970; `usage`, `result` and `fingerprints` are
    JSON; `hold` is what was reserved."""

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
    result: str | None = None
    fingerprints: str | None = None


class ToStop(msgspec.Struct, frozen=True, kw_only=True):
    """Ids of runs: those that somebody wants cancelled, and those that the database says are over,
    or knows no more."""

    requested: list[str]
    over: list[str]


class RunRecords:
    """Reading the rows of runs, and asking for their end."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def find(self, run_id: str, *, with_result: bool = False) -> RunRecord | None:
        """A run; with its result, which may be long, only on demand."""
        query = _FIND_ALL if with_result else _FIND
        with self._engine.connect() as connection:
            row = connection.execute(query, {"run": run_id}).one_or_none()
        if row is None:
            return None
        return RunRecord(**{**row._mapping, "state": RunState(row.state)})

    def running(self, run_ids: Collection[str]) -> Collection[str]:
        """Which of the runs go on, as far as one can know: all, while the database is away."""
        query = select(RunRow.id).where(
            RunRow.id.in_(list(run_ids)), RunRow.state == RunState.RUNNING
        )
        try:
            with self._engine.connect() as connection:
                return set(connection.scalars(query))
        except SQLAlchemyError:
            return run_ids

    def request_end(self, run_id: str) -> None:
        """Note that somebody wants the run cancelled: its owner looks for that."""

        def work(connection: Connection) -> None:
            connection.execute(_REQUEST_END, {"run": run_id, "now": now_ms()})

        self._writer.run(work)

    def to_stop(self, run_ids: Collection[str]) -> ToStop:
        """Which of the runs must not go on."""
        query = select(RunRow.id, RunRow.cancel_ms).where(
            RunRow.id.in_(list(run_ids)), RunRow.state == RunState.RUNNING
        )
        with self._engine.connect() as connection:
            running = {row.id: row.cancel_ms for row in connection.execute(query)}
        return ToStop(
            requested=[run_id for run_id, asked_ms in running.items() if asked_ms is not None],
            over=[run_id for run_id in run_ids if run_id not in running],
        )


_LONG = ("result", "fingerprints")
_COLUMNS = [
    getattr(RunRow, name) for name in RunRecord.__struct_fields__ if name not in {"hold", *_LONG}
]
_FIND = (
    select(*_COLUMNS, func.coalesce(Hold.amount, 0).label("hold"))
    .outerjoin(Hold, Hold.id == RunRow.id)
    .where(RunRow.id == bindparam("run"))
)
_FIND_ALL = _FIND.add_columns(RunRow.result, RunRow.fingerprints)
_REQUEST_END = (
    update(RunRow)
    .where(
        RunRow.id == bindparam("run"),
        RunRow.state == RunState.RUNNING,
        RunRow.cancel_ms.is_(None),
    )
    .values(cancel_ms=bindparam("now"))
)
