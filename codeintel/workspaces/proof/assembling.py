"""Assemble a report from the results of files: languages, hot spots, findings, notes and the
verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from msgspec import UNSET, structs

from codeintel.base.wording import counted
from codeintel.contracts import AnalysisResult, Confidence, Finding, Severity
from codeintel.contracts.languages import language_of_path, language_title
from codeintel.contracts.scans.records import Cause, CrossFileResult
from codeintel.contracts.workspaces.records import ProofState, SkippedFile
from codeintel.runs.scans.analysis import unfinished
from codeintel.workspaces.proof.analysis import MOST_FINDINGS
from codeintel.workspaces.proof.comparison import compared, reported
from codeintel.workspaces.proof.cross_file import crossing_findings, is_unknown, once
from codeintel.workspaces.proof.imitations import imitations
from codeintel.workspaces.proof.reading import Before
from codeintel.workspaces.proof.shapes import (
    BaselineState,
    HotSpot,
    LanguageShare,
    Manifest,
    Report,
    ReportedFinding,
    ReportSummary,
    UncheckedFile,
)
from codeintel.workspaces.proof.withheld import secret_findings
from codeintel.workspaces.reading import Texts

_BAD = frozenset({Severity.CRITICAL, Severity.HIGH})
_SURE = frozenset({Confidence.HIGH, Confidence.MEDIUM})
_WHY = {
    Cause.SECRET: "with secrets",
    Cause.SIZE: "too large",
    Cause.TIME: "timed out",
    Cause.CRASH: "whose analysis failed",
    Cause.BUDGET: "cut short",
    Cause.UNREADABLE: "unreadable",
    Cause.NAME: "with a name that cannot be stored",
}
NOTHING = "No file of the revision could be analyzed."
UNKNOWN = "Unknown"
MOST = 20
SIMPLE = 5
"""Complexity of the most complex function up to which a file is not a hot spot."""
SCORE = "complexityMax"
"""The metric of a file's most complex function, by the analyzers `complexity` and `metrics`."""
MOST_REPORTED = 20_000
"""Maximum number of findings in one report. The worst are kept."""
MOST_NOTES = 50
NOT_LINKED = "Values were not followed through {} with secrets, because their code is not stored."


def counts(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Return the number of findings by severity, without suppressed ones."""
    found = dict.fromkeys(Severity, 0)
    for finding in findings:
        if finding.suppression is UNSET:
            found[finding.severity] += 1
    return found


def verdict(
    findings: Iterable[Finding], analyzed: int, left_out: Mapping[Cause, int]
) -> tuple[ProofState, str]:
    """Return the state, and a sentence with the reason.

    A revision fails because of an unsuppressed finding of high or critical severity, unless its
    confidence is low. If it does not fail and files were not analyzed, it is incomplete, because
    their content is unknown.

    :param analyzed: number of analyzed files.
    :param left_out: numbers of excluded or partly analyzed files, by cause.
    """
    shown = [each for each in findings if each.suppression is UNSET]
    bad = sum(each.severity in _BAD and each.confidence in _SURE for each in shown)
    looked = f"{counted(analyzed, 'file')} analyzed"
    total = sum(left_out.values())
    if total:
        why = ", ".join(
            f"{left_out[cause]:,} {_WHY[cause]}" for cause in Cause if left_out.get(cause)
        )
        looked += f", {total:,} skipped or only partly checked ({why})"
    if bad:
        which = f"{bad:,} of {counted(len(shown), 'finding')}"
        verb = "has" if bad == 1 else "have"
        return ProofState.FAILED, f"{looked}. {which} {verb} high or critical severity."
    if total:
        return ProofState.INCOMPLETE, f"Not everything was checked: {looked}."
    if not analyzed:
        return ProofState.SKIPPED, NOTHING
    if shown:
        among = f"{counted(len(shown), 'finding')}, none of high or critical severity"
        return ProofState.PASSED, f"{looked}. {among} with at least medium confidence."
    return ProofState.PASSED, f"{looked}. No findings."


@dataclass
class _Sum:
    files: int = 0
    lines: int = 0
    bytes: int = 0


def shares(files: Iterable[tuple[str, str]]) -> tuple[LanguageShare, ...]:
    """Return the share of each language, judged by file names, with the most bytes first.

    :param files: paths and texts.
    """
    found: dict[str | None, _Sum] = {}
    for path, text in files:
        sums = found.setdefault(language_of_path(path), _Sum())
        sums.files += 1
        sums.lines += count_lines(text)
        sums.bytes += len(text.encode("utf-8", "surrogatepass"))
    made = (
        LanguageShare(
            language=language,
            title=UNKNOWN if language is None else language_title(language),
            files=sums.files,
            lines=sums.lines,
            bytes=sums.bytes,
        )
        for language, sums in found.items()
    )
    return tuple(sorted(made, key=lambda each: (-each.bytes, each.title)))


def count_lines(text: str) -> int:
    """Return the number of lines. A line end at the end of the text starts no line."""
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    return ends + (not text.endswith(("\n", "\r"))) if text else 0


def hot_spots(results: Mapping[str, AnalysisResult]) -> tuple[HotSpot, ...]:
    """Return the files with the most complex functions, the worst first, at most 20.

    :param results: by path.
    """
    found = [
        HotSpot(path=path, score=float(result.metrics[SCORE]), metrics=dict(result.metrics))
        for path, result in results.items()
        if result.metrics.get(SCORE, 0) > SIMPLE
    ]
    return tuple(sorted(found, key=lambda each: (-each.score, each.path))[:MOST])


class Dependencies(NamedTuple):
    """The manifests of a revision, and whether the trust network was queried about them."""

    manifests: tuple[Manifest, ...] = ()
    trust_asked: bool = False


class Facts(NamedTuple):
    """The subject of a report."""

    report_id: str
    session_id: str
    revision: int
    started_at: datetime
    engine: str


def assemble(
    facts: Facts,
    results: Mapping[str, AnalysisResult],
    texts: Texts,
    unchecked: Iterable[UncheckedFile],
    secrets: tuple[SkippedFile, ...],
    dependencies: Dependencies,
    crossed: CrossFileResult | None,
    before: Before | None,
    now: Callable[[], datetime],
) -> Report:
    """Return the report, not charged yet.

    :param results: of the analyzed files, by path.
    :param unchecked: the files that were not analyzed.
    :param crossed: the values that cross files, or None if there are no files to link.
    """
    left_out = tuple(sorted([*unchecked, *_in_part(results)], key=lambda each: each.path))
    worst, notes = _worst(results)
    found = (
        reported(worst, texts)
        + crossing_findings(crossed, results, texts)
        + secret_findings(secrets)
        + imitations(dependencies.manifests, texts)
    )
    unseen = [each for each in secrets if each.path not in results]
    not_whole = {each.path for each in (*left_out, *unseen)}
    not_stored = {each.path for each in secrets}
    marked, fixed = compared(
        found,
        before.findings if before else None,
        lambda each: is_unknown(each, crossed, not_whole, not_stored),
    )
    marked = once(marked, before.findings if before else None)
    languages = shares(texts.all())
    causes = _causes(left_out, unseen, dependencies, crossed)
    state, reason = verdict((each.finding for each in marked), len(results), causes)
    summary = ReportSummary(
        id=facts.report_id,
        session_id=facts.session_id,
        revision=facts.revision,
        status=state,
        reason=reason,
        started_at=facts.started_at,
        finished_at=now(),
        credits_charged=0,
        counts=counts(each.finding for each in marked),
        files_analyzed=len(results),
        left_out=causes,
    )
    if before is not None:
        summary = structs.replace(
            summary,
            new=_count(marked, BaselineState.NEW),
            same=_count(marked, BaselineState.SAME),
            fixed=len(fixed),
            against=before.summary.revision,
        )
    return Report(
        summary=summary,
        engine=facts.engine,
        findings=marked,
        fixed=fixed,
        languages=languages,
        hot_spots=hot_spots(results),
        secrets=secrets,
        unchecked=left_out,
        manifests=dependencies.manifests,
        trust_asked=dependencies.trust_asked,
        notes=(*notes, *_notes_on_links(crossed, secrets), *_notes(results)),
    )


def _in_part(results: Mapping[str, AnalysisResult]) -> Iterator[UncheckedFile]:
    for path, result in results.items():
        if found := unfinished(result):
            cause, reason = found
            yield UncheckedFile(path, reason, cause=cause)


def _causes(
    left_out: Iterable[UncheckedFile],
    secrets: Iterable[SkippedFile],
    dependencies: Dependencies,
    crossed: CrossFileResult | None,
) -> dict[Cause, int]:
    """Return the numbers of excluded or partly analyzed files, by cause.

    Each file counts once, and so do values that were not followed through all files.
    """
    causes = {each.path: Cause.UNREADABLE for each in dependencies.manifests if each.problem}
    causes |= {each.path: each.cause for each in left_out if each.cause is not UNSET}
    causes |= {each.path: Cause.SECRET for each in secrets}
    found = Counter(causes.values())
    if crossed is not None and crossed.cause is not UNSET:
        found[crossed.cause] += 1
    return dict(found)


def _worst(
    results: Mapping[str, AnalysisResult],
) -> tuple[Mapping[str, AnalysisResult], tuple[str, ...]]:
    """Return the results, cut to the maximum number of findings, with notes about omitted
    findings.
    """
    notes = []
    cut = sum(len(each.findings) >= MOST_FINDINGS for each in results.values())
    if cut:
        notes.append(
            f"This report has at most the {MOST_FINDINGS} worst findings of each file: "
            f"{counted(cut, 'file')} may have more."
        )
    ranks = Counter(each.severity.rank for result in results.values() for each in result.findings)
    total = sum(ranks.values())
    if total <= MOST_REPORTED:
        return results, tuple(notes)
    notes.append(f"This report has only the {MOST_REPORTED:,} worst of {total:,} findings.")
    return dict(_fitting(results, ranks)), tuple(notes)


def _fitting(
    results: Mapping[str, AnalysisResult], ranks: Counter[int]
) -> Iterator[tuple[str, AnalysisResult]]:
    room, left = MOST_REPORTED, {}
    for rank in sorted(ranks):
        left[rank] = min(room, ranks[rank])
        room -= left[rank]
    for path in sorted(results):
        taken = []
        for finding in results[path].findings:
            if left[finding.severity.rank]:
                left[finding.severity.rank] -= 1
                taken.append(finding)
        yield path, structs.replace(results[path], findings=tuple(taken))


def _notes_on_links(
    crossed: CrossFileResult | None, secrets: Sequence[SkippedFile]
) -> tuple[str, ...]:
    """Return through which files values were not followed."""
    if crossed is None:
        return ()
    unread = (NOT_LINKED.format(counted(len(secrets), "file")),) if secrets else ()
    return (*unread, *crossed.notes)


def _notes(results: Mapping[str, AnalysisResult]) -> tuple[str, ...]:
    """Return the engine's notes on unchecked files, each once, with the number of files."""
    said = Counter(note for result in results.values() for note in result.unchecked)
    return tuple(
        note if number == 1 else f"{note} ({number:,} files)"
        for note, number in said.most_common(MOST_NOTES)
    )


def _count(findings: Iterable[ReportedFinding], comparison: BaselineState) -> int:
    return sum(
        each.comparison is comparison and each.finding.suppression is UNSET for each in findings
    )
