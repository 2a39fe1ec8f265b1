"""Jobs as they are read."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Row

from codeintel.contracts.states import JobState


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A job at one moment. `arguments`, `cursor` and `result` are JSON values, times milliseconds
    since 1970."""

    id: str
    kind: str
    key: str
    arguments: Any
    state: JobState
    epoch: int
    attempts: int
    deaths: int
    """Processes that died or froze while they worked on it, since the cursor last moved."""
    owner: str | None
    run_after_ms: int
    cancel_ms: int | None
    """When somebody asked for its end while it ran."""
    progress_done: int | None
    progress_total: int | None
    progress_note: str | None
    cursor: Any
    result: Any
    error: str | None
    created_ms: int
    started_ms: int | None
    finished_ms: int | None


def to_job(row: Row[Any]) -> Job:
    """The job of a row with all columns."""
    values = {name: row._mapping[name] for name in Job.__struct_fields__}
    for name in ("arguments", "cursor", "result"):
        values[name] = from_json(values[name])
    return Job(**{**values, "state": JobState(values["state"])})


def to_json(value: Any) -> str | None:
    """JSON of a value, nothing of None.

    :raises TypeError: for what JSON cannot express.
    """
    return None if value is None else msgspec.json.encode(value).decode()


def from_json(text: str | None) -> Any:
    """The inverse of :func:`to_json`."""
    return None if text is None else msgspec.json.decode(text)
