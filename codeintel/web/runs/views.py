"""Runs ready for templates. Pure but for the clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import msgspec

from codeintel.base.text.quantities import counted
from codeintel.base.timestamps import moment
from codeintel.contracts import RunKind, Usage
from codeintel.contracts.run_states import RunState
from codeintel.runs.records import RunRecord
from codeintel.web.runs.words import KINDS, cost, how_it_went, took

_PLAIN = {RunState.RUNNING, RunState.COMPLETED}


@dataclass(frozen=True)
class RunRow:
    """A run in the list. `began` is in UTC."""

    id: str
    kind: str
    state: str
    engine: str
    model: str
    cost: str
    began: datetime
    took: str


@dataclass(frozen=True)
class RunView:
    """A run on its page. `told` says how it ended otherwise than well."""

    row: RunRow
    told: str
    is_analysis: bool
    is_running: bool
    finished: datetime | None
    used: str


def run_rows(records: Iterable[RunRecord]) -> list[RunRow]:
    """The list."""
    return [_row(record) for record in records]


def run_view(record: RunRecord) -> RunView:
    """The page."""
    return RunView(
        row=_row(record),
        told=how_it_went(record) if record.state not in _PLAIN else "",
        is_analysis=record.kind == RunKind.ANALYSIS,
        is_running=record.state is RunState.RUNNING,
        finished=moment(record.finished_ms) if record.finished_ms is not None else None,
        used=_used(record),
    )


def _row(record: RunRecord) -> RunRow:
    return RunRow(
        id=record.id,
        kind=KINDS[RunKind(record.kind)],
        state=record.state,
        engine=record.engine,
        model=record.model,
        cost=cost(record),
        began=moment(record.created_ms),
        took=took(record),
    )


def _used(record: RunRecord) -> str:
    """What it used, in words."""
    if record.usage is None:
        return ""
    usage = msgspec.json.decode(record.usage, type=Usage)
    parts = [f"{counted(usage.input_characters, 'character')} of code"]
    about = "about " if usage.estimated else ""
    if usage.input_tokens is not msgspec.UNSET:
        parts.append(f"{about}{counted(usage.input_tokens, 'token')} read")
    if usage.output_tokens is not msgspec.UNSET:
        parts.append(f"{about}{counted(usage.output_tokens, 'token')} written")
    if usage.cached:
        parts.append("from an equal run before")
    return ", ".join(parts)
