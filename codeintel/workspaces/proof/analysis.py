"""Analyze the files of a revision: several at a time, each by the engine of a run, no content
twice.
"""

from __future__ import annotations

import hashlib
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

from codeintel.base.logging import describe
from codeintel.base.version import __version__
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    AnalyzerStatus,
    Engine as CodeEngine,
    Incomplete,
    Model,
    RunKind,
)
from codeintel.contracts.events import RunEvent
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
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.context import LoggedContext
from codeintel.runs.events.log import RunLog
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

Because all accounts' background work counts as one, it delays an editor by at most one file.
"""
MOST_FINDINGS = 500
"""Maximum number of findings of one file. The worst are kept."""
FAILED = "the analysis failed"
_ENDINGS = (
    ((AnalyzerStatus.FAILED,), Cause.CRASH, "by {}, because it failed"),
    ((AnalyzerStatus.TIMED_OUT,), Cause.TIME, "by {}, because it took too long"),
    ((AnalyzerStatus.TRUNCATED,), Cause.BUDGET, "completely by {}: see the notes"),
)
"""Why a file is not completely checked, the worst reason first."""


class Chosen(NamedTuple):
    """A file that is analyzed, in a canonical language."""

    entry: FileEntry
    language: str


class Plan(NamedTuple):
    """The division of a revision's files. Empty files are in neither part."""

    chosen: tuple[Chosen, ...]
    unchecked: tuple[UncheckedFile, ...]


def plan(files: Iterable[FileEntry]) -> Plan:
    """Divide the files. A stored file is never too large to be analyzed."""
    chosen, unchecked = [], []
    for entry in files:
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

    def kept(
        self, account_id: str, tasks: Iterable[Task]
    ) -> Iterator[list[tuple[Task, AnalysisResult]]]:
        """Yield the stored results, some at a time."""
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


def made_by(engine: CodeEngine, registry: Registry, language: str, model: Model) -> str:
    """Return a digest of what a result depends on, except the content: all versions, the
    language and the model.
    """
    versions = [(each.name, each.version) for each in registry.analyzers.values()]
    facts = (__version__, engine.name, engine.version, versions, language, model)
    return hashlib.sha256(msgspec.msgpack.encode(facts)).hexdigest()


class AnalysisOutcome(NamedTuple):
    """The outcome for one content: a result, or the reason why it is missing."""

    task: Task
    result: AnalysisResult | None
    reason: str = ""
    cause: Cause = Cause.CRASH


class _Unread(RunLog):
    """A log without readers, because findings are also in the result."""

    def append(self, event: RunEvent) -> None:
        """Discard the event."""


class FileAnalysis:
    """Analyzes contents with the preferred engine that always returns the same for the same
    content.
    """

    def __init__(self, settings: Settings, registry: Registry, pool: AnalyzerPool) -> None:
        self._settings = settings
        self._registry = registry
        self._pool = pool

    def engine(self) -> CodeEngine | None:
        """Return the engine to use, or None."""
        able = [each for each in self._registry.engines.values() if _is_able(each)]
        return max(able, key=lambda engine: engine.preference, default=None)

    def made_by(self, engine: CodeEngine, language: str) -> str:
        """Return the digest as :func:`codeintel.workspaces.proof.analysis.made_by` does."""
        return made_by(engine, self._registry, language, MODEL)

    @contextmanager
    def outcomes(
        self, engine: CodeEngine, work: Sequence[tuple[Task, FileEntry]], texts: Texts
    ) -> Iterator[SimpleQueue[AnalysisOutcome]]:
        """Yield a queue that gets the outcome of each task.

        Active work is stopped at the end of the block.
        """
        found: SimpleQueue[AnalysisOutcome] = SimpleQueue()
        pool = Pool(self._settings.analysis_processes)
        feeder = gevent.spawn(self._feed, pool, engine, work, texts, found)
        try:
            yield found
        finally:
            feeder.kill()
            pool.kill()

    def _feed(
        self,
        pool: Pool,
        engine: CodeEngine,
        work: Sequence[tuple[Task, FileEntry]],
        texts: Texts,
        found: SimpleQueue[AnalysisOutcome],
    ) -> None:
        """Start one task at a time, as soon as the queue has room."""
        tasks = {entry.path: task for task, entry in work}
        try:
            for path, text in texts.of([entry for _, entry in work]):
                pool.spawn(self._one, engine, tasks.pop(path), text, found)
        except Exception as error:  # noqa: BLE001 - who waits for the outcomes must get them
            log.error("files cannot be read: %s", describe(error))
        for task in tasks.values():
            found.put(AnalysisOutcome(task, None, FAILED))

    def _one(
        self, engine: CodeEngine, task: Task, text: str, found: SimpleQueue[AnalysisOutcome]
    ) -> None:
        result, reason, cause = None, FAILED, Cause.CRASH
        try:
            with gevent.Timeout(self._settings.run_timeout):
                result = self.analyze(engine, task.language, text)
        except gevent.Timeout:
            cause = Cause.TIME
            reason = f"the analysis took longer than {self._settings.run_timeout:g} s"
        except Incomplete as incomplete:
            reason = incomplete.message[:200]
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin's: other files go on
            log.error("a file was not analyzed: %s", describe(error))
        found.put(AnalysisOutcome(task, result, "" if result is not None else reason, cause))

    def analyze(
        self, engine: CodeEngine, language: str, text: str, turn: str = TURN
    ) -> AnalysisResult:
        """Return the engine's result for one text.

        :param turn: the name under which the work waits for a turn.
        """
        context = LoggedContext(
            _Unread(turn),
            turn,
            text,
            self._pool,
            tuple(self._registry.analyzers.values()),
            keeps=False,
        )
        result, _ = engine.analyze(AnalysisTask(text, language, "", MODEL), context)
        context.check(result)
        # A report on many files has no room for the summary of one file.
        short = msgspec.structs.replace(
            result, summary="", findings=result.findings[:MOST_FINDINGS]
        )
        # In the form in which it will be read from the database, because a plugin's result may have
        # wrong types.
        return _decode(msgspec.json.encode(short))


def unfinished(result: AnalysisResult) -> tuple[Cause, str] | None:
    """Return the worst cause of unfinished analyzers, with their names in words, or None."""
    for statuses, cause, how in _ENDINGS:
        names = [each.name for each in result.analyzers if each.status in statuses]
        if names:
            return cause, f"not checked {how.format(', '.join(names))}"[:200]
    return None


def _is_able(engine: CodeEngine) -> bool:
    try:
        return engine.repeatable and engine.available(RunKind.ANALYSIS, MODEL)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
        log.error("engine %r cannot be asked: %s", engine.name, describe(error))
        return False
