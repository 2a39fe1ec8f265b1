"""Analysing files: several at once, each by the same engine as a run would use."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import gevent
import msgspec
from gevent.pool import Pool
from gevent.queue import SimpleQueue

from codeintel.base.logging.setup import describe
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    AnalyzerStatus,
    Engine,
    Incomplete,
    Model,
    RunKind,
)
from codeintel.contracts.events import RunEvent
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.platform.config import Settings
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.context import LoggedContext
from codeintel.runs.events.log import RunLog
from codeintel.workspaces.proof.results import Task, made_by
from codeintel.workspaces.proof.shapes import Cause
from codeintel.workspaces.proof.texts import Texts

log = logging.getLogger(__name__)

MODEL = Model.PRO
"""It takes a sixth longer than `flash` over a repository, and finds what is worth most."""
TURN = "the proof loop"
"""Worker processes are given out in turns: background work of all accounts together is one of those
who wait, so that it delays nobody's editor by more than a file."""
MOST_FINDINGS = 500
"""Of one file: the worst."""
FAILED = "the analysis failed"
_ENDINGS = (
    ((AnalyzerStatus.FAILED,), Cause.CRASH, "by {}, which failed"),
    ((AnalyzerStatus.TIMED_OUT,), Cause.TIME, "by {}, which took too long"),
    ((AnalyzerStatus.TRUNCATED,), Cause.BUDGET, "wholly by {}: see the notes"),
)
"""What a file lacks to be checked wholly, the worst first."""


_decode = msgspec.json.Decoder(AnalysisResult).decode


class Outcome(NamedTuple):
    """What came of one content: a result, or the reason why there is none."""

    task: Task
    result: AnalysisResult | None
    reason: str = ""
    cause: Cause = Cause.CRASH


class _Unread(RunLog):
    """A log for what nobody reads: findings are in the result, too."""

    def append(self, event: RunEvent) -> None:
        """Forget it."""


class FileAnalysis:
    """Analyses contents with the preferred engine that always says the same of the same."""

    def __init__(self, settings: Settings, registry: Registry, pool: AnalyzerPool) -> None:
        self._settings = settings
        self._registry = registry
        self._pool = pool

    def engine(self) -> Engine | None:
        """The engine that is to be used; None where there is none."""
        able = [each for each in self._registry.engines.values() if _is_able(each)]
        return max(able, key=lambda engine: engine.preference, default=None)

    def made_by(self, engine: Engine, language: str) -> str:
        """As :func:`codeintel.workspaces.proof.results.made_by`."""
        return made_by(engine, self._registry, language, MODEL)

    @contextmanager
    def outcomes(
        self, engine: Engine, work: Sequence[tuple[Task, FileEntry]], texts: Texts
    ) -> Iterator[SimpleQueue[Outcome]]:
        """A queue into which the outcome of each task comes. What is under way at the end of the
        block is stopped."""
        found: SimpleQueue[Outcome] = SimpleQueue()
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
        engine: Engine,
        work: Sequence[tuple[Task, FileEntry]],
        texts: Texts,
        found: SimpleQueue[Outcome],
    ) -> None:
        """Start one after the other as soon as there is room."""
        tasks = {entry.path: task for task, entry in work}
        try:
            for path, text in texts.of([entry for _, entry in work]):
                pool.spawn(self._one, engine, tasks.pop(path), text, found)
        except Exception as error:  # noqa: BLE001 - who waits for the outcomes must get them
            log.error("files cannot be read: %s", describe(error))
        for task in tasks.values():
            found.put(Outcome(task, None, FAILED))

    def _one(self, engine: Engine, task: Task, text: str, found: SimpleQueue[Outcome]) -> None:
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
            log.error("a file was not analysed: %s", describe(error))
        found.put(Outcome(task, result, "" if result is not None else reason, cause))

    def analyze(self, engine: Engine, language: str, text: str, turn: str = TURN) -> AnalysisResult:
        """What the engine says of one text.

        :param turn: who waits for it.
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
        # The summary in words of one file has no place in a report on many.
        short = msgspec.structs.replace(
            result, summary="", findings=result.findings[:MOST_FINDINGS]
        )
        # As it will be read from the database: a plugin's may have text where a type is declared.
        return _decode(msgspec.json.encode(short))


def unfinished(result: AnalysisResult) -> tuple[Cause, str] | None:
    """Which analysers did not come to their end, in words, and the worst cause; None if all did."""
    for statuses, cause, how in _ENDINGS:
        names = [each.name for each in result.analyzers if each.status in statuses]
        if names:
            return cause, f"not checked {how.format(', '.join(names))}"[:200]
    return None


def _is_able(engine: Engine) -> bool:
    try:
        return engine.repeatable and engine.available(RunKind.ANALYSIS, MODEL)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
        log.error("engine %r cannot be asked: %s", engine.name, describe(error))
        return False
