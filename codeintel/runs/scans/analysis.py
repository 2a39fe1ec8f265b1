"""Analyze one content with the engine that a scan and the proof loop use."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from contextlib import nullcontext
from typing import NamedTuple

import gevent
import msgspec
from gevent.lock import BoundedSemaphore

from codeintel.base.logging import describe
from codeintel.base.version import __version__
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
from codeintel.contracts.scans.records import Cause
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.gathering import GATHERED, SMALL_CHARACTERS, GatheredPool
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.context import LoggedContext
from codeintel.runs.events.log import RunLog

log = logging.getLogger(__name__)

FAILED = "the analysis failed"
_ENDINGS: Mapping[AnalyzerStatus, tuple[Cause, str]] = {
    AnalyzerStatus.FAILED: (Cause.CRASH, "by {}, because it failed"),
    AnalyzerStatus.TIMED_OUT: (Cause.TIME, "by {}, because it took too long"),
    AnalyzerStatus.TRUNCATED: (Cause.BUDGET, "completely by {}: see the notes"),
}
"""Why a file is not completely checked, the worst reason first."""
_decode = msgspec.json.Decoder(AnalysisResult).decode


class Outcome(NamedTuple):
    """The outcome for one content: a result, or the reason why it is missing."""

    result: AnalysisResult | None
    reason: str = ""
    cause: Cause = Cause.CRASH


class _Unread(RunLog):
    """A log without readers, because findings are also in the result."""

    def append(self, event: RunEvent) -> None:
        """Discard the event."""


class ContentAnalysis:
    """Analyzes contents with the preferred engine that always returns the same for the same
    content.

    With a :class:`GatheredPool`, ask for :data:`GATHERED` results in parallel. It analyzes
    small contents in batches. Of large ones, and for an engine that does not wait for worker
    processes, as many run in parallel as it has slots.
    """

    def __init__(self, registry: Registry, pool: AnalyzerPool) -> None:
        self._registry = registry
        self._pool = pool
        self._gathers = isinstance(pool, GatheredPool)
        self._slots = BoundedSemaphore(pool.slots.count) if self._gathers else nullcontext()

    def engine(self, model: Model) -> Engine | None:
        """Return the engine to use, or None."""
        able = [each for each in self._registry.engines.values() if _is_able(each, model)]
        return max(able, key=lambda engine: engine.preference, default=None)

    def made_by(self, engine: Engine, language: str | None, model: Model) -> str:
        """Return a digest of what a result depends on, except the content: all versions, the
        language and the model.
        """
        versions = [(each.name, each.version) for each in self._registry.analyzers.values()]
        facts = (__version__, engine.name, engine.version, versions, language, model)
        return hashlib.sha256(msgspec.msgpack.encode(facts)).hexdigest()

    def outcome(self, engine: Engine, task: AnalysisTask, turn: str, seconds: float) -> Outcome:
        """Return the result of a content within a number of seconds, or why it has none.

        A content in a batch may have to wait for all others that are analyzed at the same time.

        :param turn: the name under which the work waits for worker processes.
        """
        is_short = len(task.code) <= SMALL_CHARACTERS
        is_small = self._gathers and engine.waits_for_workers and is_short
        try:
            with (
                nullcontext() if is_small else self._slots,
                gevent.Timeout(seconds * (GATHERED if is_small else 1)),
            ):
                return Outcome(self.analyze(engine, task, turn))
        except gevent.Timeout:
            return Outcome(None, f"the analysis took longer than {seconds:g} s", Cause.TIME)
        except Incomplete as incomplete:
            return Outcome(None, incomplete.message[:200])
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin's: other files go on
            log.error("a file was not analyzed: %s", describe(error))
            return Outcome(None, FAILED)

    def analyze(self, engine: Engine, task: AnalysisTask, turn: str) -> AnalysisResult:
        """Return the engine's result without its summary, for which lists of files have no room."""
        context = LoggedContext(
            _Unread(turn),
            turn,
            task.code,
            self._pool,
            tuple(self._registry.analyzers.values()),
            tuple(self._registry.detectors.values()),
            keeps=False,
        )
        result, _ = engine.analyze(task, context)
        context.check(result)
        short = msgspec.structs.replace(result, summary="")
        # In the form in which it will be read from a store, because a plugin's result may have
        # wrong types.
        return _decode(msgspec.json.encode(short))


def unfinished(result: AnalysisResult) -> tuple[Cause, str] | None:
    """Return the worst cause of unfinished analyzers, with their names in words, or None."""
    for status, (cause, how) in _ENDINGS.items():
        names = [each.name for each in result.analyzers if each.status is status]
        if names:
            return cause, f"not checked {how.format(', '.join(names))}"[:200]
    return None


def _is_able(engine: Engine, model: Model) -> bool:
    try:
        return engine.repeatable and engine.available(RunKind.ANALYSIS, model)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
        log.error("engine %r cannot be asked: %s", engine.name, describe(error))
        return False
