"""The report of a scan after its policy: what was found, what counts, and what was not checked.

All output formats render this report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from codeintel.contracts import Finding, RuleInfo, Severity
from codeintel.contracts.scans.records import (
    Cause,
    ExcludedFile,
    ScanFinding,
    ScanSummary,
    ScanVerdict,
)

EXIT_FAILED = 1
EXIT_INCOMPLETE = 3

Source = Callable[[str], str | None]
"""Return the text of a scanned file by its path, or None if it cannot be read.

That of a report masks secrets: its lines are those of the file, apart from their secrets.
"""


class State(StrEnum):
    """The state of a finding: only a `new` one counts.

    A `known` finding is in the baseline or in the base commit. A `suppressed` one has an entry in
    the project's file, or a comment that the project honors.
    """

    NEW = "new"
    KNOWN = "known"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, kw_only=True)
class JudgedFinding:
    """A finding with its state.

    `reason` comes from the baseline or the suppression. `fails` marks a finding that makes the
    verdict `failed`.
    """

    found: ScanFinding
    state: State = State.NEW
    reason: str = ""
    fails: bool = False

    @property
    def path(self) -> str:
        """Return the path of the file."""
        return self.found.path

    @property
    def finding(self) -> Finding:
        """Return the finding itself."""
        return self.found.finding


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A check that did not run. `path` is empty if no single file is concerned."""

    reason: str
    path: str = ""
    cause: Cause | None = None


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """The numbers of findings that the policy leaves out of the report."""

    rules: int = 0
    severity: int = 0
    confidence: int = 0

    @property
    def total(self) -> int:
        """Return the number of all hidden findings."""
        return self.rules + self.severity + self.confidence


@dataclass(frozen=True, kw_only=True)
class PolicyReport:
    """The report.

    `findings` are sorted by path and position. `gaps` say what was not checked although it should
    be; one is enough for the verdict `incomplete`. `left_out` are files without anything to check.
    `compared_with` names the baseline or the base commit; it is empty without a comparison.
    `fixed` counts known findings that are gone. `source` and `rules` are for code frames and for
    descriptions of rules, by analyzer.
    """

    verdict: ScanVerdict
    findings: tuple[JudgedFinding, ...]
    summary: ScanSummary
    fail_on: Severity | None
    gaps: tuple[Gap, ...] = ()
    left_out: tuple[ExcludedFile, ...] = ()
    hidden: Hidden = Hidden()
    notes: tuple[str, ...] = ()
    compared_with: str = ""
    fixed: int = 0
    source: Source = field(default=lambda _path: None, compare=False)
    rules: Mapping[str, Sequence[RuleInfo]] = field(default_factory=dict, compare=False)

    @property
    def exit_status(self) -> int:
        """Return the exit status of the command: 0, 1 or 3."""
        if self.verdict is ScanVerdict.FAILED:
            return EXIT_FAILED
        return EXIT_INCOMPLETE if self.verdict is ScanVerdict.INCOMPLETE else 0

    @property
    def new(self) -> tuple[JudgedFinding, ...]:
        """Return the findings that are neither known nor suppressed."""
        return tuple(each for each in self.findings if each.state is State.NEW)

    @property
    def states(self) -> Counter[State]:
        """Return the number of findings by state."""
        return Counter(each.state for each in self.findings)

    @property
    def severities(self) -> Counter[Severity]:
        """Return the number of new findings by severity."""
        return Counter(each.finding.severity for each in self.new)
