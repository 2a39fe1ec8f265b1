"""The sources of runs, and the filtered list of an account's runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    String,
    func,
    literal,
    or_,
    select,
    tuple_,
)

from codeintel.contracts.states import RunSource, RunState
from codeintel.platform.db.models import RunRow
from codeintel.runs.store import LISTED, RunRecord

MAX_FILE_CHARACTERS = 255
MAX_SEARCHED = 5_000
"""Number of runs that a filter searches before it stops."""
_ESCAPE = "!"


class RunOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """The program that starts a run, the name of the file that it sends, and the workspace that the
    file belongs to."""

    source: RunSource | None = None
    file: str = ""
    workspace_id: str = ""


UNKNOWN_ORIGIN = RunOrigin()


class RunFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs to list. An empty field filters nothing."""

    text: str = ""
    """A part of the file's name, or the beginning of the run's id."""
    kind: str = ""
    state: str = ""
    language: str = ""
    severity: str = ""
    """Runs with at least one finding of this severity."""
    source: str = ""
    since_ms: int = 0


NO_FILTER = RunFilter()


class RunsPage(NamedTuple):
    """Some runs of a list. `older` is the id behind which the list continues, empty at its end.
    `searched` is the number of runs after which a filter stopped, 0 if it did not stop."""

    runs: list[RunRecord]
    older: str
    searched: int


def list_runs(
    engine: Engine,
    account_id: str,
    *,
    limit: int,
    before: str = "",
    filter_: RunFilter = NO_FILTER,
) -> RunsPage:
    """Return runs of an account without their results, newest first.

    No index serves the filters, so they search at most `MAX_SEARCHED` runs.

    :param before: the id of a run: only runs that are listed behind it; the list is empty if the
        account has no such run.
    """
    mine = [RunRow.account_id == account_id]
    last: tuple[int, str] | None = None
    with engine.connect() as connection:
        if before:
            own = (RunRow.id == before, RunRow.account_id == account_id)
            begun = connection.scalar(select(RunRow.created_ms).where(*own))
            mine += [RunRow.created_ms <= (begun or 0), _place(begun or 0, before) > _PLACE]
        if filter_ != NO_FILTER:
            last = _last_searched(connection, mine)
            if last is not None:
                mine += [RunRow.created_ms >= last[0], _place(*last) <= _PLACE]
        query = select(*LISTED, RunRow.price.label("hold")).where(*mine, *_conditions(filter_))
        rows = connection.execute(query.order_by(*_NEWEST).limit(limit + 1)).all()
    runs = [RunRecord(**{**row._mapping, "state": RunState(row.state)}) for row in rows[:limit]]
    if len(rows) > limit:
        return RunsPage(runs, runs[-1].id, 0)
    return RunsPage(runs, last[1] if last else "", MAX_SEARCHED if last else 0)


def _last_searched(
    connection: Connection, mine: Iterable[ColumnElement[bool]]
) -> tuple[int, str] | None:
    """Return the place of the last run that a filter searches, or None if none is behind it.

    The database reads the places from the index alone.
    """
    query = select(RunRow.created_ms, RunRow.id).where(*mine).order_by(*_NEWEST)
    rows = connection.execute(query.offset(MAX_SEARCHED - 1).limit(2)).all()
    return (rows[0].created_ms, rows[0].id) if len(rows) > 1 else None


# Rows are compared as one value. The times alone tell PostgreSQL how few rows a range has, so that
# it uses the index.
_PLACE = tuple_(RunRow.created_ms, RunRow.id)
_NEWEST = RunRow.created_ms.desc(), RunRow.id.desc()


def _place(created_ms: int, run_id: str) -> ColumnElement[Any]:
    return tuple_(literal(created_ms, BigInteger), literal(run_id, String))


def languages_of_runs(engine: Engine, account_id: str) -> list[str]:
    """Return the languages that an account's runs have, sorted."""
    query = (
        select(RunRow.language)
        .where(RunRow.account_id == account_id, RunRow.language.is_not(None))
        .distinct()
        .order_by(RunRow.language)
    )
    with engine.connect() as connection:
        return [language for (language,) in connection.execute(query) if language]


def _conditions(filter_: RunFilter) -> list[ColumnElement[bool]]:
    exact = (
        (RunRow.kind, filter_.kind),
        (RunRow.state, filter_.state),
        (RunRow.language, filter_.language),
        (RunRow.source, filter_.source),
    )
    found: list[ColumnElement[bool]] = [column == value for column, value in exact if value]
    if filter_.since_ms:
        found.append(RunRow.created_ms >= filter_.since_ms)
    if filter_.severity:
        found.append(RunRow.severities.like(f'%"{_escaped(filter_.severity)}":%', escape=_ESCAPE))
    if filter_.text:
        text = _escaped(filter_.text.casefold())
        found.append(
            or_(
                func.lower(RunRow.file).like(f"%{text}%", escape=_ESCAPE),
                RunRow.id.like(f"{text}%", escape=_ESCAPE),
            )
        )
    return found


def _escaped(text: str) -> str:
    """Return the text as LIKE takes it literally."""
    for character in (_ESCAPE, "%", "_"):
        text = text.replace(character, _ESCAPE + character)
    return text
