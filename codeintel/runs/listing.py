"""An account's runs, page by page."""

from __future__ import annotations

from sqlalchemy import BigInteger, Engine, String, literal, select, tuple_

from codeintel.contracts.run_states import RunState
from codeintel.platform.db.models import RunRow, now_ms
from codeintel.runs.records import RunRecord

_COLUMNS = [
    getattr(RunRow, name)
    for name in RunRecord.__struct_fields__
    if name not in {"hold", "result", "fingerprints"}
]


def list_runs(
    engine: Engine, account_id: str, *, limit: int, before: str = ""
) -> tuple[list[RunRecord], bool]:
    """Runs of an account without their results, newest first, and whether there are more.

    :param before: the id of a run: only those that are listed behind it; of no run of the
        account's, and there are none.
    """
    query = select(*_COLUMNS, RunRow.price.label("hold")).where(RunRow.account_id == account_id)
    with engine.connect() as connection:
        if before:
            mine = (RunRow.id == before, RunRow.account_id == account_id)
            begun = connection.scalar(select(RunRow.created_ms).where(*mine))
            at = begun if begun is not None else 0
            # As one comparison of rows: then an index leads there at once.
            place = tuple_(RunRow.created_ms, RunRow.id)
            query = query.where(place < tuple_(literal(at, BigInteger), literal(before, String)))
        newest = query.order_by(RunRow.created_ms.desc(), RunRow.id.desc()).limit(limit + 1)
        rows = connection.execute(newest).all()
    runs = [RunRecord(**{**row._mapping, "state": RunState(row.state)}) for row in rows[:limit]]
    return runs, len(rows) > limit


def lasted_ms(record: RunRecord) -> int:
    """How long a run has taken, in milliseconds; until now for one that goes on."""
    return (record.finished_ms or now_ms()) - record.created_ms
