"""Results of runs ready for a template, made with pauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
from msgspec import UNSET, UnsetType

from codeintel.base.concurrency.pace import letting_others_run
from codeintel.contracts import AnalysisResult, RunKind, TransformationResult, VerdictOutcome
from codeintel.contracts.findings import Finding, Range
from codeintel.contracts.languages import language_title
from codeintel.runs.store import RunRecord
from codeintel.web.runs.words import check_outcome, check_title

_VERDICTS: dict[VerdictOutcome | UnsetType, str] = {
    VerdictOutcome.PROVEN: "Proven: the new code behaves as the original does.",
    VerdictOutcome.CHECKED: "Checked, not proven: no check failed, but none has shown that the new "
    "code behaves as the original does. Review it before you use it.",
    VerdictOutcome.UNPROVEN: "Unproven: the checks refused the new code.",
}
"""Results kept by earlier versions have none."""


@dataclass(frozen=True)
class FindingView:
    """A finding. `steps` are the places of its flow; `fix` says what would remove it."""

    finding: Finding
    place: str
    remedy: str
    fix: str
    steps: tuple[str, ...]
    also: str
    is_unverified: bool
    suppressed: str


@dataclass(frozen=True)
class CheckView:
    """A check of new code."""

    title: str
    level: str
    status: str
    outcome: str
    evidence: str


@dataclass(frozen=True)
class ResultView:
    """A result: of an analysis the findings, of a transformation the diff and its checks."""

    languages: str
    engine: str
    summary: str = ""
    findings: tuple[FindingView, ...] = ()
    analyzers: tuple[str, ...] = ()
    diff: tuple[tuple[str, str], ...] = ()
    verdict: str = ""
    checks: tuple[CheckView, ...] = ()
    changes: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    code: str = ""
    unchecked: tuple[str, ...] = ()


def result_view(record: RunRecord) -> ResultView | None:
    """The result of a run; None where there is none."""
    if record.result is None:
        return None
    if record.kind == RunKind.ANALYSIS:
        return _analysis(msgspec.json.decode(record.result, type=AnalysisResult))
    return _transformation(msgspec.json.decode(record.result, type=TransformationResult))


def _analysis(result: AnalysisResult) -> ResultView:
    return ResultView(
        languages=language_title(result.language) if result.language else "not known",
        engine=result.engine,
        summary=result.summary,
        findings=tuple(_finding(each) for each in letting_others_run(result.findings)),
        analyzers=tuple(
            f"{each.name} {each.version}: {each.status.replace('_', ' ')}"
            for each in result.analyzers
        ),
        unchecked=result.unchecked,
    )


def _finding(finding: Finding) -> FindingView:
    also = () if finding.also is UNSET else finding.also
    suppression = finding.suppression
    return FindingView(
        finding=finding,
        place=_place(finding.range),
        remedy="" if finding.remedy is UNSET else finding.remedy,
        fix="" if finding.fix is UNSET else finding.fix.message,
        steps=tuple(_steps(finding)),
        also=", ".join(f"{each.engine} {each.rule_id}" for each in also),
        is_unverified=finding.unverified is True,
        suppressed=""
        if suppression is UNSET
        else f"{suppression.comment} on line {suppression.line:,}",
    )


def _steps(finding: Finding) -> Iterator[str]:
    for step in () if finding.flow is UNSET else finding.flow:
        yield f"{_place(step.range)}: {step.message}"


def _place(range_: Range) -> str:
    return f"line {range_.start_line:,}, column {range_.start_column:,}"


def _transformation(result: TransformationResult) -> ResultView:
    before, after = language_title(result.source_language), language_title(result.language)
    return ResultView(
        languages=before if before == after else f"{before} to {after}",
        engine=result.engine,
        diff=tuple((_kind_of(line), line) for line in result.diff.splitlines()),
        verdict=_verdict(result),
        checks=tuple(
            CheckView(
                check_title(each), each.level, each.status, check_outcome(each), each.evidence
            )
            for each in result.checks
        ),
        changes=tuple(each.message for each in result.changes),
        losses=result.losses,
        code=result.code if result.changed else "",
        unchecked=result.unchecked,
    )


def _verdict(result: TransformationResult) -> str:
    if not result.changed:
        return "Nothing was changed: there was nothing to do, or no change passed its checks."
    return _VERDICTS.get(result.verdict, "The code has changed: the checks say how much is shown.")


def _kind_of(line: str) -> str:
    """What a line of a unified diff is: for a class."""
    if line.startswith(("+++", "---", "@@")):
        return "place"
    return {"+": "added", "-": "removed"}.get(line[:1], "kept")
