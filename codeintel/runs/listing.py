"""The sources of runs, and the filtered list of an account's runs."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, ColumnElement, Engine, String, func, literal, or_, select, tuple_

from codeintel.contracts.states import RunSource, RunState
from codeintel.platform.db.models import RunRow
from codeintel.runs.store import LISTED, RunRecord

MAX_FILE_CHARACTERS = 255
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


def list_runs(
    engine: Engine,
    account_id: str,
    *,
    limit: int,
    before: str = "",
    filter_: RunFilter = NO_FILTER,
) -> tuple[list[RunRecord], bool]:
    """Return runs of an account without their results, newest first, and whether there are more.

    :param before: the id of a run: only runs that are listed behind it; the list is empty if the
        account has no such run.
    """
    query = select(*LISTED, RunRow.price.label("hold")).where(
        RunRow.account_id == account_id, *_conditions(filter_)
    )
    with engine.connect() as connection:
        if before:
            mine = (RunRow.id == before, RunRow.account_id == account_id)
            begun = connection.scalar(select(RunRow.created_ms).where(*mine))
            at = begun if begun is not None else 0
            # Compare rows as one value, so that the database uses an index.
            place = tuple_(RunRow.created_ms, RunRow.id)
            query = query.where(place < tuple_(literal(at, BigInteger), literal(before, String)))
        newest = query.order_by(RunRow.created_ms.desc(), RunRow.id.desc()).limit(limit + 1)
        rows = connection.execute(newest).all()
    runs = [RunRecord(**{**row._mapping, "state": RunState(row.state)}) for row in rows[:limit]]
    return runs, len(rows) > limit


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
