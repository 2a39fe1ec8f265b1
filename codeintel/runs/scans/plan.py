"""The run of a scan: its events, its result and its cost."""

from __future__ import annotations

import heapq
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

import gevent
import msgspec
from msgspec import UNSET

from codeintel.base.logging import describe, spawn
from codeintel.base.version import __version__
from codeintel.contracts import Incomplete, Model, RunKind, Usage
from codeintel.contracts.events import (
    CrossFileEvent,
    FilesEvent,
    Progress,
    ResultEvent,
    RunEvent,
)
from codeintel.contracts.findings import Severity
from codeintel.contracts.scans.defects import Repeated
from codeintel.contracts.scans.records import (
    Cause,
    CrossFileResult,
    ExcludedFile,
    FileResult,
    ScanFinding,
    ScanResult,
    ScanSummary,
    by_importance,
)
from codeintel.contracts.scans.requests import MAX_LEFT_OUT
from codeintel.runs.context import LoggedContext
from codeintel.runs.events.log import RunLog
from codeintel.runs.planning import Result, RunPlan
from codeintel.runs.scans.results import ScanFile
from codeintel.runs.scans.scanner import FOLLOWING, Scanner
from codeintel.runs.scans.storage import Listing

log = logging.getLogger(__name__)

KEPT_FINDINGS = 2_000
"""Findings in the stored result of a scan, the worst ones."""
SENT_SECONDS = 0.25
SENT_FILES = 50
SENT_FINDINGS = 100
"""Limits for one event. It is sent as soon as one of them is reached."""
READER_SECONDS = 30.0
"""How long a scan waits for a reader that gets nothing."""
READERS_SECONDS = 300.0
"""How long a scan waits for readers in total."""
READER_POLL_SECONDS = 0.05
ANALYZING = "Analyzing files"
LINKING = "Following values across files"
TIME_LIMIT = "time_limit"
NO_RESULT = "its analysis ended without a result"
OUT_OF_TIME = "the scan reached its time limit before"


class ScanTask(msgspec.Struct, frozen=True):
    """A scan to do.

    `code` is empty, because the contents are not in memory.
    """

    model: Model
    listing: Listing
    code: str = ""
    language: str | None = None


class ScanContext(LoggedContext):
    """Sends the events of a scan, several files in one event.

    It waits for slow readers, because a full log drops its oldest events. A reader that gets
    nothing for some time loses events, and learns that when it continues.

    :param is_read_elsewhere: returns whether another process has a reader.
    """

    def __init__(
        self,
        run_log: RunLog,
        total: int,
        *args: object,
        is_read_elsewhere: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(run_log, *args, keeps=False)  # type: ignore[arg-type]
        self._total = total
        self._is_read_elsewhere = is_read_elsewhere
        self._done = 0
        self._files: list[FileResult] = []
        self._findings = 0
        self._sent_at = 0.0
        self._patience = READERS_SECONDS

    def step(self, message: str) -> None:
        """Say what the scan does now."""
        self.flush()
        self._send(Progress(message=message, done=self._done, total=self._total))

    def file(self, result: FileResult) -> None:
        """Send a result with the next event."""
        self._note_output()
        self._files.append(result)
        self._findings += len(result.findings)
        if (
            len(self._files) >= SENT_FILES
            or self._findings >= SENT_FINDINGS
            or time.monotonic() - self._sent_at >= SENT_SECONDS
        ):
            self.flush()

    @property
    def is_complete(self) -> bool:
        """Whether all files have a result."""
        return self._done + len(self._files) >= self._total

    @property
    def is_mostly_sent(self) -> bool:
        """Whether half of the files have a result that was sent."""
        return self._done * 2 >= self._total

    def flush(self, *, waits: bool = True) -> None:
        """Send the results that were not sent yet.

        :param waits: wait for slow readers.
        """
        if not self._files:
            return
        done = self._done + len(self._files)
        event = FilesEvent(files=tuple(self._files), done=done, total=self._total)
        if waits:
            self.make_room(event)
        self._done, self._files, self._findings = done, [], 0
        self._sent_at = time.monotonic()
        self._log.append(event)

    def cross_file(self, result: CrossFileResult) -> None:
        """Send what crosses files."""
        self.flush()
        self._send(CrossFileEvent(cross_file=result))

    def _send(self, event: RunEvent) -> None:
        self.make_room(event)
        self._log.append(event)

    def make_room(self, event: RunEvent, seconds: float = READERS_SECONDS) -> None:
        """Wait until the event replaces none that a reader at this process still needs.

        Without readers here, this does not wait if another process has some, because their
        positions are unknown.

        :param seconds: the most to wait.
        """
        size = len(msgspec.json.encode(event))
        begin = time.monotonic()
        until = begin + min(seconds, self._patience)
        while self._log.is_held_up(size, READER_SECONDS) and time.monotonic() < until:
            if not self._log.readers and self._is_read_elsewhere():
                break
            gevent.sleep(READER_POLL_SECONDS)
        self._patience -= time.monotonic() - begin


class Totals:
    """Adds up the results of a scan."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._analyzed = 0
        self._cached = 0
        self._lines = 0
        self._counts: Counter[Severity] = Counter()
        self._left_out = list(listing.left_out)
        self._pending = dict.fromkeys(file.path for file in listing.files)
        """The files without a result, in their order."""
        self._cross = CrossFileResult(findings=())
        self._worst: list[tuple[tuple[int, int], int, ScanFinding]] = []
        self._seen = 0

    def add(self, result: FileResult) -> None:
        """Count the result of a file."""
        self._pending.pop(result.path, None)
        if result.cause is not UNSET:
            reason = " ".join(result.unchecked)[:500]
            self._left_out.append(ExcludedFile(path=result.path, reason=reason, cause=result.cause))
        self._analyzed += bool(result.lines or not result.cause)
        self._cached += result.cached
        self._lines += result.lines
        self._count(result.findings)

    def cross(self, result: CrossFileResult) -> None:
        """Count what crosses files, and no longer the findings of single files that repeat it."""
        self._cross = result
        repeated = Repeated(result.findings)
        self._worst = [each for each in self._worst if repeated.by(each[2]) is None]
        heapq.heapify(self._worst)
        self._counts.subtract(result.repeated)
        self._count(result.findings)

    def result(self, engine: str, model: Model, ended: Cause = Cause.CRASH) -> ScanResult:
        """Return the result of everything that was added.

        :param ended: why files have no result. Each of them counts as not analyzed.
        """
        reason = OUT_OF_TIME if ended is Cause.TIME else NO_RESULT
        pending = [ExcludedFile(path=path, reason=reason, cause=ended) for path in self._pending]
        left_out = by_importance([*pending, *self._left_out])
        causes = Counter(self._listing.more_causes)
        causes.update(each.cause for each in left_out if each.cause is not UNSET)
        if self._cross.cause is not UNSET:
            causes[self._cross.cause] += 1
        skipped = sum(each.cause is UNSET for each in left_out) + self._listing.more_skipped
        worst = [each for _, _, each in sorted(self._worst, reverse=True)]
        return ScanResult(
            summary=ScanSummary(
                files=len(self._listing.files),
                analyzed=self._analyzed,
                cached=self._cached,
                lines=self._lines,
                counts=dict(self._counts),
                left_out=tuple(left_out[:MAX_LEFT_OUT]),
                engine=engine,
                version=__version__,
                model=model,
                resolved_calls=self._cross.resolved,
                unresolved_calls=self._cross.unresolved,
                notes=self._cross.notes,
                causes=dict(causes),
                skipped=skipped,
                cross_cause=self._cross.cause,
            ),
            findings=tuple(worst),
            omitted=self._counts.total() - len(worst),
        )

    def _count(self, findings: Iterable[ScanFinding]) -> None:
        for each in findings:
            self._counts[each.finding.severity] += 1
            self._seen += 1
            # The heap's first entry is the least grave, and the latest of equal ones.
            rank = -each.finding.severity.rank, -each.finding.confidence.rank
            entry = rank, -self._seen, each
            if len(self._worst) < KEPT_FINDINGS:
                heapq.heappush(self._worst, entry)
            else:
                heapq.heappushpop(self._worst, entry)


@dataclass(frozen=True, kw_only=True)
class ScanPlan(RunPlan):
    """A scan of files whose contents were sent, or whose results are stored.

    :param read: returns a content that was sent, by its digest.
    :param discard: deletes the files and contents of the scan.
    :param limit: the maximum duration in seconds.
    :param is_read_elsewhere: returns whether another process has a reader.
    """

    kind = RunKind.SCAN
    task: ScanTask = field(repr=False)
    scanner: Scanner = field(repr=False)
    read: Callable[[str], str] = field(repr=False)
    discard: Callable[[], None] = field(repr=False)
    limit: float
    is_read_elsewhere: Callable[[], bool] = field(repr=False)

    @property
    def description(self) -> str:
        files = len(self.task.listing.files)
        return f"scan of {files:,} {'file' if files == 1 else 'files'}"

    @property
    def characters(self) -> int:
        """The number of bytes of all files."""
        return sum(file.size for file in self.task.listing.files)

    @property
    def seconds(self) -> float:
        """More than the limit, so that a scan ends with the results that it has."""
        return self.limit * 1.1 + 10

    def context(self, run_log: RunLog) -> ScanContext:
        total = len(self.task.listing.files)
        return ScanContext(
            run_log,
            total,
            self.caller.account_id,
            "",
            *self.tools,
            is_read_elsewhere=self.is_read_elsewhere,
        )

    def sent(self, result: Result) -> Result:
        if not isinstance(result, ScanResult):
            raise TypeError("a scan has the result of a scan")
        return msgspec.structs.replace(result, findings=(), omitted=0)

    def work(self, context: ScanContext) -> tuple[ScanResult, Usage]:
        totals = Totals(self.task.listing)
        usage = Usage(input_characters=self.characters)
        context.used(usage)
        limit = gevent.Timeout(self.limit)  # no Exception, because code that links catches those
        try:
            with limit:
                self._scan(context, totals)
        except gevent.Timeout as reached:
            if reached is not limit:
                raise
            context.flush(waits=False)
            result = totals.result(self.engine.name, self.task.model, Cause.TIME)
            raise Incomplete(
                TIME_LIMIT,
                f"The scan took longer than {self.limit:g} s. Results of its files are reused, so "
                "scan again.",
                result,
            ) from None
        finally:
            spawn(_quietly, self.discard)
        result = totals.result(self.engine.name, self.task.model)
        # The time limit does not apply to this, but the limit of the run does.
        context.make_room(ResultEvent(result=self.sent(result)), self.limit / 10)
        return result, usage

    def _scan(self, context: ScanContext, totals: Totals) -> None:
        context.step(ANALYZING)
        scan = self.scanner.scan(self._files(), self.task.model, self.caller.account_id)
        with closing(scan):
            for result in scan:
                if isinstance(result, CrossFileResult):
                    totals.cross(result)
                    context.cross_file(result)
                else:
                    totals.add(result)
                    context.file(result)
                    if context.is_complete and self.task.model in FOLLOWING:
                        context.step(LINKING)
        context.flush()

    def _files(self) -> Iterator[ScanFile]:
        for file in self.task.listing.files:
            yield file, lambda digest=file.sha256: self.read(digest)  # type: ignore[misc]


def _quietly(work: Callable[[], None]) -> None:
    try:
        work()
    except Exception as error:  # noqa: BLE001 - a chore does it later
        log.error("the contents of a scan were not deleted: %s", describe(error))
