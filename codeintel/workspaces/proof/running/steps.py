"""The steps of a pass of the proof loop: analysing files, and the rest, with the lease renewed."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import gevent
from gevent.queue import Empty, SimpleQueue

from codeintel.base.concurrency.pace import give_way
from codeintel.contracts import AnalysisResult, Engine
from codeintel.platform.jobs.context import JobContext
from codeintel.workspaces.proof.analysis import FileAnalysis, Outcome
from codeintel.workspaces.proof.planning import Chosen
from codeintel.workspaces.proof.results import FileResults, Task, packed
from codeintel.workspaces.proof.running import pipeline
from codeintel.workspaces.proof.running.pipeline import Pass
from codeintel.workspaces.proof.shapes import UncheckedFile
from codeintel.workspaces.proof.texts import Texts

T = TypeVar("T")
CHECKPOINT_SECONDS = 1.0
STORED_AT_ONCE = 50
ANALYSING = "Analysing files"


class SessionDeleted(Exception):  # noqa: N818 - says what happened
    """The session was deleted while it was analysed: the credits are given back."""


class Steps:
    """The checkpoints of a pass.

    :param total: how many files there are to analyse.
    """

    def __init__(self, context: JobContext, this: Pass, hold_id: str | None, total: int) -> None:
        self.total = total
        self.done = 0
        self._context = context
        self._this = this
        self._hold_id = hold_id

    def keep(self, rows: Sequence[dict[str, object]], note: str) -> None:
        """Keep results and say how far the pass is.

        :raises SessionDeleted: then.
        """
        # Never back: an attempt that begins at the first file must not count as progress, or a
        # pass that fails at one place would be tried for ever.
        cursor = max(self._context.cursor or 0, self.done)
        work = partial(pipeline.go_on, this=self._this, hold_id=self._hold_id, rows=rows)
        is_there = self._context.checkpoint(work, cursor, self.done, self.total, note)
        if not is_there:
            raise SessionDeleted

    def beside(self, work: Callable[[], T], note: str) -> T:
        """What `work` returns, which may take long and lets others run."""
        done: list[T] = []
        errors: list[Exception] = []

        def guarded() -> None:
            try:
                done.append(work())
            except Exception as error:  # noqa: BLE001 - raised below
                errors.append(error)

        greenlet = gevent.spawn(guarded)
        try:
            while not greenlet.ready():
                self.keep((), note)
                greenlet.join(CHECKPOINT_SECONDS)
        finally:
            greenlet.kill()
        if errors:
            raise errors[0]
        return done[0]


class FilesWork:
    """Analyses the files of a revision, those whose results are not kept."""

    def __init__(
        self, analysis: FileAnalysis, results: FileResults, engine: Engine, account_id: str
    ) -> None:
        self._analysis = analysis
        self._results = results
        self._engine = engine
        self._account_id = account_id

    def analyze(
        self, steps: Steps, chosen: Sequence[Chosen], texts: Texts
    ) -> tuple[dict[str, AnalysisResult], list[UncheckedFile]]:
        """The results by path, and the files without one.

        :raises SessionDeleted: when there is nothing to report on any more.
        """
        by = {
            language: self._analysis.made_by(self._engine, language)
            for language in {each.language for each in chosen}
        }
        places: defaultdict[Task, list[Chosen]] = defaultdict(list)
        for each in chosen:
            places[Task(each.entry.sha256, each.language, by[each.language])].append(each)
        found: dict[str, AnalysisResult] = {}
        failed: list[UncheckedFile] = []

        def take(outcome: Outcome) -> None:
            for each in places.pop(outcome.task):
                steps.done += 1
                if outcome.result is not None:
                    found[each.entry.path] = outcome.result
                else:
                    failed.append(
                        UncheckedFile(each.entry.path, outcome.reason, cause=outcome.cause)
                    )

        for some in self._results.kept(self._account_id, list(places)):
            for task, result in some:
                take(Outcome(task, result))
            give_way()
        steps.keep((), ANALYSING)
        missing = [(task, same[0].entry) for task, same in places.items()]
        with self._analysis.outcomes(self._engine, missing, texts) as outcomes:
            while places:
                batch = _gathered(outcomes, len(places))
                for outcome in batch:
                    take(outcome)
                steps.keep(self._rows(batch), ANALYSING)
        return found, failed

    def _rows(self, outcomes: Sequence[Outcome]) -> list[dict[str, object]]:
        made = (
            packed(self._account_id, each.task, each.result)
            for each in outcomes
            if each.result is not None
        )
        return [row for row in made if row is not None]


def _gathered(outcomes: SimpleQueue[Outcome], missing: int) -> list[Outcome]:
    """What comes within a second."""
    batch: list[Outcome] = []
    until = time.monotonic() + CHECKPOINT_SECONDS
    while len(batch) < min(missing, STORED_AT_ONCE) and (left := until - time.monotonic()) > 0:
        try:
            batch.append(outcomes.get(timeout=left))
        except Empty:
            break
    return batch
