"""Analyze the files of a revision: several at a time, each by the engine of a run, no content
twice.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import NamedTuple

import gevent
import msgspec
from gevent.pool import Pool
from gevent.queue import SimpleQueue
from sqlalchemy import Connection, Engine, select

from codeintel.base.greenlets import letting_others_run
from codeintel.base.logging import describe
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    AnalyzerStatus,
    Engine as CodeEngine,
    Model,
)
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.scans.records import Cause
from codeintel.contracts.workspaces.records import FileEntry, SkippedFile
from codeintel.contracts.workspaces.selection import (
    UNKNOWN,
    UNSENT_NAMES,
    UNSENT_READING,
    UNSENT_SIZE,
    is_for_analysis,
    reason_against,
)
from codeintel.platform.config import Settings
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.statements import insert_into
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.gathering import GATHERED, GatheredPool
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.scans.analysis import FAILED, ContentAnalysis
from codeintel.workspaces.proof.shapes import UncheckedFile
from codeintel.workspaces.reading import Texts
from codeintel.workspaces.tables import FileResultRow

log = logging.getLogger(__name__)

_CLIENT = {
    **dict.fromkeys(UNSENT_READING, Cause.UNREADABLE),
    **dict.fromkeys(UNSENT_NAMES, Cause.NAME),
    UNSENT_SIZE: Cause.SIZE,
}
"""The causes behind the reasons that clients give."""
AT_ONCE = 200
_decode = msgspec.json.Decoder(AnalysisResult).decode
MODEL = Model.PRO
"""It takes a sixth longer than `flash` over a repository, and finds the most valuable findings."""
TURN = "the proof loop"
"""The name under which all background work takes turns for worker processes.

Because all accounts' background work counts as one, it delays an editor by at most one file or one
batch of small files.
"""
MOST_FINDINGS = 500
"""Maximum number of findings of one file. The worst are kept."""


class Chosen(NamedTuple):
    """A file that is analyzed, in a canonical language."""

    entry: FileEntry
    language: str


class Plan(NamedTuple):
    """The division of a revision's files. Empty files are in neither part."""

    chosen: tuple[Chosen, ...]
    unchecked: tuple[UncheckedFile, ...]


def plan(files: Iterable[FileEntry]) -> Plan:
    """Divide the files. A stored file is never too large to be analyzed.

    Other greenlets run meanwhile, because thousands of long paths take long.
    """
    chosen, unchecked = [], []
    for entry in letting_others_run(files):
        if not entry.size:
            continue
        language = language_of_path(entry.path)
        reason = reason_against(entry.path, language)
        if reason is not None or language is None:
            unchecked.append(UncheckedFile(entry.path, reason or UNKNOWN))
        else:
            chosen.append(Chosen(entry, language))
    return Plan(tuple(chosen), tuple(unchecked))


def left_behind(skipped: Iterable[SkippedFile]) -> tuple[UncheckedFile, ...]:
    """Return the files that a client could not send and that would have been analyzed.

    Files that the client excluded on purpose do not count.
    """
    return tuple(
        UncheckedFile(each.path, each.reason, cause=_CLIENT[each.reason])
        for each in skipped
        if each.reason in _CLIENT and is_for_analysis(each.path)
    )


class Task(NamedTuple):
    """A content to analyze: its SHA-256, its language, and a digest of everything else that
    the result depends on.
    """

    sha256: str
    language: str
    by: str


class FileResults:
    """Results in the database. An account never gets another account's results."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def kept(self, account_id: str, tasks: Iterable[Task]) -> Iterator[tuple[Task, AnalysisResult]]:
        """Yield the stored results, with pauses, because decoding large ones takes long."""
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
                for row in letting_others_run(rows):
                    yield same[row.sha256], _decode(zlib.decompress(row.data))


def packed(
    account_id: str, task: Task, result: AnalysisResult, *, whole: bool = True
) -> dict[str, object] | None:
    """Return the row of a result, or None if the next try may improve the result.

    :param whole: False if there will be no next try, so that any result has a row.
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
    """Store results as part of a transaction. Existing ones stay."""
    if rows:
        statement = insert_into(connection, FileResultRow).on_conflict_do_nothing()
        connection.execute(statement, list(rows))


class AnalysisOutcome(NamedTuple):
    """The outcome for one content: a result, or the reason why it is missing."""

    task: Task
    result: AnalysisResult | None
    reason: str = ""
    cause: Cause = Cause.CRASH


class FileAnalysis:
    """Analyzes contents with the preferred engine that always returns the same for the same
    content.
    """

    def __init__(self, settings: Settings, registry: Registry, pool: AnalyzerPool) -> None:
        self._settings = settings
        self._registry = registry
        self._pool = pool
        self._contents = ContentAnalysis(registry, pool)

    def engine(self) -> CodeEngine | None:
        """Return the engine to use, or None."""
        return self._contents.engine(MODEL)

    def made_by(self, engine: CodeEngine, language: str) -> str:
        """Return a digest of what a result depends on, except the content."""
        return self._contents.made_by(engine, language, MODEL)

    @contextmanager
    def outcomes(
        self, engine: CodeEngine, work: Sequence[tuple[Task, FileEntry]], texts: Texts
    ) -> Iterator[SimpleQueue[AnalysisOutcome]]:
        """Yield a queue that gets the outcome of each task.

        Active work is stopped at the end of the block.
        """
        found: SimpleQueue[AnalysisOutcome] = SimpleQueue()
        pool = Pool(GATHERED)
        # Files share processes, and those of two accounts must not, so each work has its pool.
        contents = ContentAnalysis(self._registry, GatheredPool(self._pool))
        feeder = gevent.spawn(self._feed, pool, contents, engine, work, texts, found)
        try:
            yield found
        finally:
            feeder.kill()
            pool.kill()

    def _feed(
        self,
        pool: Pool,
        contents: ContentAnalysis,
        engine: CodeEngine,
        work: Sequence[tuple[Task, FileEntry]],
        texts: Texts,
        found: SimpleQueue[AnalysisOutcome],
    ) -> None:
        """Start each task as soon as the queue has room."""
        tasks = {entry.path: task for task, entry in work}
        try:
            for path, text in texts.of([entry for _, entry in work]):
                pool.spawn(self._one, contents, engine, tasks.pop(path), text, found)
        except Exception as error:  # noqa: BLE001 - who waits for the outcomes must get them
            log.error("files cannot be read: %s", describe(error))
        for task in tasks.values():
            found.put(AnalysisOutcome(task, None, FAILED))

    def _one(
        self,
        contents: ContentAnalysis,
        engine: CodeEngine,
        task: Task,
        text: str,
        found: SimpleQueue[AnalysisOutcome],
    ) -> None:
        outcome = contents.outcome(
            engine, _request(task.language, text), TURN, self._settings.run_timeout
        )
        result = _short(outcome.result) if outcome.result is not None else None
        found.put(AnalysisOutcome(task, result, outcome.reason, outcome.cause))

    def analyze(
        self, engine: CodeEngine, language: str, text: str, turn: str = TURN
    ) -> AnalysisResult:
        """Return the engine's result for one text.

        :param turn: the name under which the work waits for a turn.
        """
        return _short(self._contents.analyze(engine, _request(language, text), turn))


def _request(language: str, text: str) -> AnalysisTask:
    return AnalysisTask(text, language, "", MODEL)


def _short(result: AnalysisResult) -> AnalysisResult:
    """Return a result as reports store it."""
    return msgspec.structs.replace(result, findings=result.findings[:MOST_FINDINGS])
