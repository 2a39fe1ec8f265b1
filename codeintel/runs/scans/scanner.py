"""Scan the files of a repository: several at a time, and no content twice."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing

import gevent
from gevent.queue import Queue

from codeintel.base.logging import describe
from codeintel.contracts import Engine, Model
from codeintel.contracts.scans.records import Cause, CrossFileResult, FileResult, FoundFile
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.gathering import GatheredPool
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.scans.analysis import ContentAnalysis
from codeintel.runs.scans.contents import FileAnalysis
from codeintel.runs.scans.cross_file import (
    NOT_FOLLOWED,
    Known,
    ProjectAnalysis,
    can_link,
    should_link,
    summary_key,
)
from codeintel.runs.scans.results import ResultKey, ResultStore, ScanFile
from codeintel.runs.scans.work import LOOKED_UP_AT_ONCE, Done, FileWork

log = logging.getLogger(__name__)

PLACES = (
    "codeintel.runs.scans.secrets:SCAN_SECRETS",
    "codeintel.runs.scans.linking:SUMMARIES",
    "codeintel.runs.scans.linking:LINKS",
)
"""The functions of worker processes that a scanner needs."""
FOLLOWING = (Model.PRO,)
"""The models that follow values, also across files."""
NO_ENGINE = "No engine can analyze a repository."


class NoEngineError(RuntimeError):
    """Raised when no engine can analyze a repository."""


class Scanner:
    """Scans files with the analyzers of a registry. It needs no database and no network.

    :param results: the results of earlier scans, to which this adds.
    :param seconds: time limit for one file of up to 100,000 characters.
    :param excerpts: whether findings have excerpts of the code.
    """

    def __init__(
        self,
        registry: Registry,
        pool: AnalyzerPool,
        results: ResultStore,
        *,
        seconds: float = 120.0,
        excerpts: bool = True,
    ) -> None:
        self._analysis = ContentAnalysis(registry, GatheredPool(pool))
        self._pool = pool
        self._results = results
        self._seconds = seconds
        self._excerpts = excerpts

    def scan(
        self, files: Iterable[ScanFile], model: Model, turn: str
    ) -> Generator[FileResult | CrossFileResult]:
        """Yield the result of each file, as soon as it is known, and then what crosses files.

        Closing the iterator ends the work. Finished results are stored.

        :param turn: the name under which the work waits for worker processes. Files under one name
            share processes, so give each owner of files its own.
        :raises NoEngineError: if no engine can analyze a repository.
        :raises Exception: what `files` raised. If a store fails, its results are computed again.
        """
        following = model in FOLLOWING
        linkable: dict[str, ScanFile] = {}
        known = Known(excerpts=self._excerpts)
        noted = _noted(files, linkable) if following else files
        with closing(self._scan(noted, model, turn)) as results:
            for result in results:
                if result.path in linkable:
                    for each in result.findings:
                        known.add(each.path, each.finding)
                yield result
        if following:
            crossed = self._crossed(list(linkable.values()), known, turn)
            if crossed is not None:
                yield crossed

    def _crossed(self, files: list[ScanFile], known: Known, turn: str) -> CrossFileResult | None:
        """Return what crosses files. If that fails, return a result that says so."""
        project = ProjectAnalysis(self._pool, self._results, turn, excerpts=self._excerpts)
        try:
            return project.result(files, known)
        except Exception as error:  # noqa: BLE001 - the results of the files count
            log.error("the files of a scan were not linked: %s", describe(error))
            note = NOT_FOLLOWED.format("linking the files failed")
            return CrossFileResult(findings=(), notes=(note,), cause=Cause.CRASH)

    def _scan(self, files: Iterable[ScanFile], model: Model, turn: str) -> Generator[FileResult]:
        done: Queue[Done] = Queue(LOOKED_UP_AT_ONCE)
        analysis = self._file_analysis(model, turn)
        work = FileWork(analysis, self._results, done, excerpts=self._excerpts)
        feeder = gevent.spawn(work.run, files)
        try:
            while (each := done.get()) is not None:
                if isinstance(each, Exception):
                    raise each
                yield each
        finally:
            feeder.kill()
            work.stop()

    def keys(self, files: Iterable[FoundFile], model: Model) -> list[tuple[ResultKey, ...]]:
        """Return the identities of what is stored about each file, in their order.

        :raises NoEngineError: if no engine can analyze a repository.
        """
        analysis = self._file_analysis(model, "")
        following = model in FOLLOWING
        return [
            (analysis.key(file), summary_key(file))
            if following and can_link(file)
            else (analysis.key(file),)
            for file in files
        ]

    def engine(self, model: Model) -> Engine:
        """Return the engine that analyzes.

        :raises NoEngineError: if no engine can analyze a repository.
        """
        engine = self._analysis.engine(model)
        if engine is None:
            raise NoEngineError(NO_ENGINE)
        return engine

    def _file_analysis(self, model: Model, turn: str) -> FileAnalysis:
        return FileAnalysis(
            self._analysis, self._pool, self.engine(model), model, turn, self._seconds
        )


def _noted(files: Iterable[ScanFile], linkable: dict[str, ScanFile]) -> Iterator[ScanFile]:
    """Yield the files, and note those through which values should be followed."""
    for each in files:
        if should_link(each[0]):
            linkable[each[0].path] = each
        yield each
