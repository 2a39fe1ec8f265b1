"""The interface of the two ways to analyze the files of a scan, and the collected results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import UNSET

from codeintel.client.repository.discovery import Discovery, ReadText
from codeintel.contracts import Model, RuleInfo, Severity
from codeintel.contracts.scans.records import (
    Cause,
    CrossFileResult,
    ExcludedFile,
    FileResult,
    FoundFile,
    ScanSummary,
)

NO_RESULT = "the scan ended without its result"


class Progressed(NamedTuple):
    """A sentence about the progress, other than the number of results."""

    text: str


class Ended(NamedTuple):
    """The reason for which a scan ended early. It makes the verdict incomplete."""

    reason: str


Item = FileResult | CrossFileResult | Progressed | Ended


class ScannedBy(NamedTuple):
    """The engine of a scan."""

    engine: str
    version: str


class Runner(Protocol):
    """Analyzes files."""

    def about(self, model: Model) -> ScannedBy:
        """Return the engine that analyzes with a model."""

    def scan(
        self,
        files: Sequence[FoundFile],
        read: ReadText,
        model: Model,
        left_out: Sequence[ExcludedFile] = (),
    ) -> Iterator[Item]:
        """Yield the result of each file, in any order, and then the values that cross files.

        :param read: returns the text of a file. It is called only for files that need it.
        :param left_out: the files that are left out, for the records of a service.
        """

    def rules(self) -> Mapping[str, Sequence[RuleInfo]]:
        """Return the rules by analyzer, for descriptions."""

    def notes(self) -> Iterator[str]:
        """Yield sentences about the scan, after its end."""


class Collected:
    """The results of a scan, and the counts for its summary."""

    def __init__(self) -> None:
        self.files: list[FileResult] = []
        self.cross: CrossFileResult | None = None
        self.errors: list[str] = []
        self.findings = 0

    def add(self, item: Item) -> None:
        """Add a result."""
        if isinstance(item, CrossFileResult):
            self.cross = item
            self.findings += len(item.findings)
        elif isinstance(item, FileResult):
            self.files.append(item)
            self.findings += len(item.findings)
        elif isinstance(item, Ended):
            self.errors.append(item.reason)

    def counts(self) -> Counter[Severity]:
        """Return the number of defects by severity."""
        crossing = () if self.cross is None else self.cross.findings
        counts = Counter(
            found.finding.severity
            for findings in (*(each.findings for each in self.files), crossing)
            for found in findings
        )
        counts.subtract({} if self.cross is None else self.cross.repeated)
        return counts

    def summary(
        self, discovery: Discovery, by: ScannedBy, model: Model, notes: Sequence[str] = ()
    ) -> ScanSummary:
        """Return the summary of the scan of a discovery.

        Files without a result count as left out, so that an interrupted scan is incomplete.
        """
        self.files.sort(key=lambda each: each.path)
        known = {each.path for each in self.files}
        missing = [
            ExcludedFile(path=each.path, reason=NO_RESULT, cause=Cause.CRASH)
            for each in discovery.files
            if each.path not in known
        ]
        cross = self.cross or CrossFileResult(findings=())
        counts = self.counts()
        left_out = sorted((*missing, *discovery.left_out), key=_path)
        causes = Counter(each.cause for each in left_out)
        causes.update(each.cause for each in self.files)
        causes.update([cross.cause])
        skipped = sum(each.cause is UNSET for each in left_out)
        return ScanSummary(
            files=len(discovery.files),
            analyzed=sum(each.lines > 0 for each in self.files),
            cached=sum(each.cached for each in self.files),
            lines=sum(each.lines for each in self.files),
            counts={severity: counts[severity] for severity in Severity},
            left_out=tuple(left_out),
            engine=by.engine,
            version=by.version,
            model=model,
            resolved_calls=cross.resolved,
            unresolved_calls=cross.unresolved,
            notes=tuple(notes),
            causes={cause: number for cause, number in causes.items() if cause is not UNSET},
            skipped=skipped,
            cross_cause=cross.cause,
        )


def _path(each: ExcludedFile) -> str:
    return each.path
