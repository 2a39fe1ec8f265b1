"""Results of files that were analysed before: the same content is not analysed twice."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Engine, select

from codeintel.base.version import __version__
from codeintel.contracts import AnalysisResult, AnalyzerStatus, Engine as CodeEngine, Model
from codeintel.platform.db.inserting import insert_into
from codeintel.platform.db.models import now_ms
from codeintel.platform.plugins.registry import Registry
from codeintel.workspaces.storage.tables import FileResultRow

AT_ONCE = 200
_decode = msgspec.json.Decoder(AnalysisResult).decode


class Task(NamedTuple):
    """A content to analyse: its SHA-256, its language, and what else the result depends on, as a
    digest."""

    sha256: str
    language: str
    by: str


class FileResults:
    """Those in the database. An account never gets another's."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def kept(
        self, account_id: str, tasks: Iterable[Task]
    ) -> Iterator[list[tuple[Task, AnalysisResult]]]:
        """What is there already, some at a time."""
        ordered = sorted(tasks, key=lambda task: task.by)
        for by, group in groupby(ordered, key=lambda task: task.by):
            same = {task.sha256: task for task in group}
            digests = list(same)
            for start in range(0, len(digests), AT_ONCE):
                query = select(FileResultRow.sha256, FileResultRow.data).where(
                    FileResultRow.account_id == account_id,
                    FileResultRow.engine == by,
                    FileResultRow.sha256.in_(digests[start : start + AT_ONCE]),
                )
                with self._engine.connect() as connection:
                    rows = list(connection.execute(query))
                yield [(same[row.sha256], _decode(zlib.decompress(row.data))) for row in rows]


def packed(
    account_id: str, task: Task, result: AnalysisResult, *, whole: bool = True
) -> dict[str, object] | None:
    """The row of a result; None for one that the next try may better.

    :param whole: False where there will be no next try: then any result has a row.
    """
    if whole and any(report.status is not AnalyzerStatus.COMPLETED for report in result.analyzers):
        return None
    return {
        "account_id": account_id,
        "sha256": task.sha256,
        "engine": task.by,
        "data": zlib.compress(msgspec.json.encode(result)),
        "stored_ms": now_ms(),
    }


def store(connection: Connection, rows: Sequence[dict[str, object]]) -> None:
    """Keep results, as part of a transaction. Those that are there stay."""
    if rows:
        statement = insert_into(connection, FileResultRow).on_conflict_do_nothing()
        connection.execute(statement, list(rows))


def made_by(engine: CodeEngine, registry: Registry, language: str, model: Model) -> str:
    """What a result depends on beside the content: a digest of all versions, of the language and of
    the model."""
    versions = [(each.name, each.version) for each in registry.analyzers.values()]
    facts = (__version__, engine.name, engine.version, versions, language, model)
    return hashlib.sha256(msgspec.msgpack.encode(facts)).hexdigest()
