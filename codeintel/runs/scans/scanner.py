"""Scan the files of a repository: several at a time, and no content twice."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice

import gevent
from gevent.pool import Pool
from gevent.queue import Queue
from msgspec import UNSET

from codeintel.base.greenlets import Pace
from codeintel.base.logging import describe
from codeintel.contracts import Engine, Model
from codeintel.contracts.scans.records import Cause, CrossFileResult, FileResult, FoundFile
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.gathering import GATHERED, GatheredPool
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.scans.analysis import FAILED, ContentAnalysis
from codeintel.runs.scans.contents import FileAnalysis
from codeintel.runs.scans.cross_file import (
    Known,
    ProjectAnalysis,
    can_link,
    defect_of,
    summary_key,
)
from codeintel.runs.scans.results import (
    ContentResult,
    Read,
    ResultKey,
    ResultStore,
    ScanFile,
    decode,
    encode,
    file_result,
    not_analyzed,
)

log = logging.getLogger(__name__)

LOOKED_UP_AT_ONCE = 200
STORED_AT_ONCE = 50
STORED_EVERY_SECONDS = 1.0
PLACES = (
    "codeintel.runs.scans.secrets:SCAN_SECRETS",
    "codeintel.runs.scans.linking:SUMMARIES",
    "codeintel.runs.scans.linking:LINKS",
)
"""The functions of worker processes that a scanner needs."""
FOLLOWING = (Model.PRO,)
"""The models that follow values, also across files."""
NO_ENGINE = "No engine can analyze a repository."
UNREADABLE = "the file could not be read"
_LASTING = (UNSET, Cause.BUDGET)
"""The causes of results that another try does not improve."""
Done = FileResult | Exception | None
"""A result, the error that ended the work, or None at its end."""


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
        :raises Exception: what `files` or the store of results raised.
        """
        following = model in FOLLOWING
        linkable: list[ScanFile] = []
        known: Known = {}
        with closing(self._scan(_noted(files, linkable), model, turn)) as results:
            for result in results:
                for each in result.findings:
                    known.setdefault(defect_of(each.path, each.finding), []).append(each.finding)
                yield result
        if following:
            project = ProjectAnalysis(self._pool, self._results, turn, excerpts=self._excerpts)
            crossed = project.result(linkable, known)
            if crossed is not None:
                yield crossed

    def _scan(self, files: Iterable[ScanFile], model: Model, turn: str) -> Generator[FileResult]:
        done: Queue[Done] = Queue(LOOKED_UP_AT_ONCE)
        analysis = self._file_analysis(model, turn)
        work = _Work(analysis, self._results, done, self._excerpts)
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


def _noted(files: Iterable[ScanFile], linkable: list[ScanFile]) -> Iterator[ScanFile]:
    """Yield the files, and note those through which values are followed."""
    for each in files:
        if can_link(each[0]):
            linkable.append(each)
        yield each


class _Work:
    """The work of one scan.

    One greenlet looks up results and starts an analysis for each missing one.
    """

    def __init__(
        self,
        analysis: FileAnalysis,
        results: ResultStore,
        done: Queue[Done],
        excerpts: bool,
    ) -> None:
        self._analysis = analysis
        self._results = results
        self._done = done
        self._excerpts = excerpts
        self._pool = Pool(GATHERED)
        self._waiting: dict[ResultKey, list[ScanFile]] = {}
        """The files of contents that are being analyzed."""
        self._unstored: dict[ResultKey, bytes] = {}
        self._stored_at = time.monotonic()

    def run(self, files: Iterable[ScanFile]) -> None:
        """Send all results, then None, or the error that ended the work."""
        try:
            remaining = iter(files)
            while group := list(islice(remaining, LOOKED_UP_AT_ONCE)):
                self._start(group)
            self._pool.join()
            self._store()
            self._done.put(None)
        except Exception as error:  # noqa: BLE001 - raised by whoever waits for the results
            self._done.put(error)

    def stop(self) -> None:
        """End the work, and store the results that it has."""
        self._pool.kill()
        try:
            self._store()
        except Exception as error:  # noqa: BLE001 - they are only computed again
            log.error("results of a scan were not stored: %s", describe(error))

    def _start(self, group: Sequence[ScanFile]) -> None:
        keys = [self._analysis.key(file) for file, _ in group]
        known = self._known(keys)
        pace = Pace()
        for key, (file, read) in zip(keys, group, strict=True):
            content = known.get(key)
            if content is not None:
                self._send_known(file, content, read)
            elif key in self._waiting:
                self._waiting[key].append((file, read))
            else:
                self._waiting[key] = [(file, read)]
                self._pool.spawn(self._one, key)
            pace.pause()

    def _known(self, keys: Sequence[ResultKey]) -> dict[ResultKey, ContentResult]:
        """Return the stored results, and those of this scan that are still to be stored."""
        found = dict(self._results.get(list(dict.fromkeys(keys))))
        found.update((key, self._unstored[key]) for key in keys if key in self._unstored)
        decoded = ((key, decode(data)) for key, data in found.items())
        return {key: content for key, content in decoded if content is not None}

    def _one(self, key: ResultKey) -> None:
        """Analyze a content, and send the results of all files that have it."""
        waiting = self._waiting[key]
        content, text = None, ""
        while content is None and waiting:
            file, read = waiting.pop(0)
            try:
                text = read()
            except (OSError, ValueError) as error:
                self._done.put(not_analyzed(file, Cause.UNREADABLE, _reason(error)))
                continue
            content = self._content(key, file, text)
            self._done.put(file_result(file, content, self._shown(text), cached=False))
        del self._waiting[key]
        if content is not None:
            for file, _ in waiting:
                self._done.put(file_result(file, content, self._shown(text), cached=False))

    def _content(self, key: ResultKey, file: FoundFile, text: str) -> ContentResult:
        try:
            content = self._analysis.content(file, text)
        except Exception as error:  # noqa: BLE001 - every file gets a result
            log.error("a file was not analyzed: %s", describe(error))
            return ContentResult(lines=0, unchecked=(FAILED,), cause=Cause.CRASH)
        if content.cause in _LASTING:
            self._unstored[key] = encode(content)
            passed = time.monotonic() - self._stored_at
            if len(self._unstored) >= STORED_AT_ONCE or passed >= STORED_EVERY_SECONDS:
                self._store()
        return content

    def _send_known(self, file: FoundFile, content: ContentResult, read: Read) -> None:
        """Send a result of an earlier scan."""
        text = None
        if content.findings and self._excerpts:
            try:
                text = read()
            except (OSError, ValueError) as error:
                self._done.put(not_analyzed(file, Cause.UNREADABLE, _reason(error)))
                return
        self._done.put(file_result(file, content, text, cached=True))

    def _shown(self, text: str) -> str | None:
        return text if self._excerpts else None

    def _store(self) -> None:
        self._stored_at = time.monotonic()
        stored = dict(self._unstored)
        if stored:
            self._results.put(stored)
            for key in stored:
                self._unstored.pop(key, None)


def _reason(error: Exception) -> str:
    return (str(error) if isinstance(error, ValueError) else "") or UNREADABLE
