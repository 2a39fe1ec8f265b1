"""The events of a run."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts.analysis import AnalysisResult, Model
from codeintel.contracts.engines import RunKind, Usage
from codeintel.contracts.findings import Finding
from codeintel.contracts.scans.records import CrossFileResult, FileResult, ScanResult
from codeintel.contracts.transformations import Check, TransformationResult, VerdictOutcome

Count = Annotated[int, Meta(ge=0)]


class _Event(msgspec.Struct, kw_only=True, rename="camel", tag_field="type"):
    """`sequence` counts a run's events from 1 without gaps and is the id of the SSE frame."""

    sequence: Annotated[
        int, Meta(ge=1, description="Counts the run's events; id of the frame.")
    ] = 0
    run_id: Annotated[str, Meta(description="The run of the event.")] = ""


class RunCreated(_Event, tag="run.created"):
    """Always the first event, sent before work begins."""

    kind: RunKind
    engine: str
    model: Model
    credits_reserved: Count
    ignored_fields: tuple[str, ...]
    fallback: Annotated[
        str | UnsetType,
        Meta(description="Engine that answers instead if this one cannot; see `result.engine`."),
    ] = UNSET


class Progress(_Event, tag="progress"):
    """A step of the work, or a check that could not be done and why. A scan counts its files with
    `done` and `total`.
    """

    message: str
    analyzer: str | UnsetType = UNSET
    done: Count | UnsetType = UNSET
    total: Count | UnsetType = UNSET


class OutputDelta(_Event, tag="output.delta"):
    """The next piece of the text answer. All pieces joined are the text."""

    text: str


class FindingEvent(_Event, tag="finding"):
    """A finding in its final form. `result` has all findings, worst first."""

    finding: Finding


class FilesEvent(_Event, tag="files"):
    """Results of files of a scan. Each file has one result. `done` counts the files up to here."""

    files: tuple[FileResult, ...]
    done: Count
    total: Count


class CrossFileEvent(_Event, tag="cross_file"):
    """The values that a scan followed across files."""

    cross_file: CrossFileResult


class ResultEvent(_Event, tag="result"):
    """The whole result. Its `kind` is that of the run. That of a scan has no findings here, because
    earlier events have them.
    """

    result: AnalysisResult | TransformationResult | ScanResult


class VerificationEvent(_Event, tag="verification"):
    """The checks of the new code with their outcome, and the checks that were not done. `verdict`
    grades the evidence. `verified` is true only for `proven`.
    """

    checks: tuple[Check, ...]
    unchecked: tuple[str, ...]
    verdict: VerdictOutcome
    verified: bool


class UsageEvent(_Event, tag="usage"):
    """The resources that the run used."""

    usage: Usage


class _Terminal(_Event, kw_only=True):
    usage: Usage
    credits_charged: Count
    credits_refunded: Count


class RunCompleted(_Terminal, tag="run.completed"):
    """The run succeeded. The price is charged."""


class RunIncomplete(_Terminal, tag="run.incomplete"):
    """The run reached a limit (time, length, shutdown). At most the lowest price is charged."""

    reason: str
    message: str


class RunFailed(_Terminal, tag="run.failed"):
    """The service or an upstream failed. Nothing is charged."""

    reason: str
    message: str


class RunCancelled(_Terminal, tag="run.cancelled"):
    """The run was cancelled, or its reader left. The lowest price is charged if anything was
    sent.
    """

    reason: str
    message: str


Terminal = RunCompleted | RunIncomplete | RunFailed | RunCancelled
RunEvent = (
    RunCreated
    | Progress
    | OutputDelta
    | FindingEvent
    | FilesEvent
    | CrossFileEvent
    | VerificationEvent
    | ResultEvent
    | UsageEvent
    | Terminal
)
