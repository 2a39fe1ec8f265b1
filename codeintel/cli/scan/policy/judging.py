"""Judge a scan: apply the project's rules, floors, suppressions and known findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Protocol

import msgspec
from msgspec import UNSET

from codeintel.base.wording import counted
from codeintel.cli.scan.policy.masking import MaskedSource
from codeintel.cli.scan.policy.settings import (
    LanguageSettings,
    Override,
    ProjectConfig,
    Switch,
    as_severity,
    switch_of,
)
from codeintel.cli.scan.policy.suppressions import Suppressions
from codeintel.cli.scan.policy.unused_comments import sentences, unused_comments
from codeintel.cli.scan.report import Gap, Hidden, JudgedFinding, PolicyReport, Source, State
from codeintel.contracts import Confidence, RuleInfo, Severity
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.scans.defects import Repeated, crosses_files
from codeintel.contracts.scans.records import (
    CrossFileResult,
    ExcludedFile,
    FileResult,
    ScanFinding,
    ScanSummary,
    ScanVerdict,
)


class Known(Protocol):
    """Known findings: a baseline or the findings of a base commit."""

    @property
    def name(self) -> str:
        """Return the name to show, such as `commit 1a2b3c4`."""

    def reasons(self, findings: Sequence[ScanFinding]) -> Mapping[int, str]:
        """Return the indexes of the known findings, with the reason of each."""

    def fixed(self, counts: Callable[[ScanFinding], bool]) -> int:
        """Return the number of known findings that the last call of `reasons` did not match.

        :param counts: returns whether the policy reports a finding.
        """

    def notes(self) -> Iterable[str]:
        """Return sentences for the reader, such as about expired entries."""


def _nothing(_path: str) -> str | None:
    return None


def judge(
    results: Iterable[FileResult],
    cross: CrossFileResult | None,
    summary: ScanSummary,
    config: ProjectConfig,
    known: Sequence[Known] = (),
    *,
    source: Source = _nothing,
    rules: Mapping[str, Sequence[RuleInfo]] | None = None,
    languages: Mapping[str, str | None] | None = None,
    today: date | None = None,
    errors: Sequence[str] = (),
    is_part: bool = False,
) -> PolicyReport:
    """Return the report of a scan.

    :param known: known findings. A finding that one of them has does not fail the scan.
    :param source: returns the text of a file, for suppression comments and code frames.
    :param languages: the languages of files by path, if results do not tell.
    :param today: the day for expiry dates. By default, today in UTC.
    :param errors: sentences about what ended the scan early. Each makes it incomplete.
    :param is_part: whether only a part of the repository was scanned.
    """
    results = list(results)
    day = today or datetime.now(UTC).date()
    of_path = {each.path: each.language for each in results} | dict(languages or {})
    found = [each for result in results for each in result.findings]
    found += cross.findings if cross is not None else ()
    found.sort(key=_position)
    policy = _Policy(config, lambda path: of_path.get(path, language_of_path(path)))
    reasons: dict[int, str] = {}
    for base in known:
        reasons = {**base.reasons(found), **reasons}
    suppressions = Suppressions(config, source, day)
    judged = _without_repeated(
        [
            _judged(each, suppressions.reason(each), reasons.get(at), policy)
            for at, each in policy.shown(found)
        ]
    )
    gaps = (
        *(Gap(reason=each) for each in errors),
        *_gaps(results, summary.left_out),
        *_cross_gaps(cross),
    )
    notes = list(summary.notes)
    if cross is not None and cross.cause is UNSET:
        notes += cross.notes
    notes += [note for each in known for note in each.notes()]
    notes += suppressions.notes(is_whole=not is_part and not gaps)
    if config.file.honor_suppressions:
        notes += sentences(unused_comments(results, found, rules or {}, source))
    notes += _unresolved(summary, cross)
    return PolicyReport(
        verdict=_verdict(judged, gaps),
        findings=judged,
        summary=summary,
        fail_on=config.fail_on,
        gaps=gaps,
        left_out=tuple(each for each in summary.left_out if each.cause is UNSET),
        hidden=policy.hidden(),
        notes=tuple(dict.fromkeys(notes)),
        compared_with=" and ".join(each.name for each in known),
        fixed=sum(each.fixed(policy.reports) for each in known),
        source=MaskedSource(source, found),
        rules=rules or {},
    )


def _position(each: ScanFinding) -> tuple[object, ...]:
    place = each.finding.range
    return each.path, place.start_line, place.start_column, each.finding.rule_id, each.fingerprint


class _Policy:
    """Rules and floors of a project. Counts what they hide.

    :param language_of: returns the language of a path.
    """

    def __init__(self, config: ProjectConfig, language_of: Callable[[str], str | None]) -> None:
        self._config = config
        self._language_of = language_of
        self._overrides: dict[str, list[LanguageSettings | Override]] = {}
        self._hidden: Counter[str] = Counter()

    def shown(self, findings: Iterable[ScanFinding]) -> Iterator[tuple[int, ScanFinding]]:
        """Yield the findings to report, with their positions and the project's severities."""
        for at, each in enumerate(findings):
            changed = self._applied(each)
            if isinstance(changed, str):
                self._hidden[changed] += 1
            else:
                yield at, changed

    def reports(self, each: ScanFinding) -> bool:
        """Return whether a finding is reported."""
        return not isinstance(self._applied(each), str)

    def _applied(self, each: ScanFinding) -> ScanFinding | str:
        """Return the finding as it is reported, or the field of :class:`Hidden` that counts it."""
        changed = self._with_switch(each)
        if changed is None:
            return "rules"
        if changed.finding.severity.rank > self._severity(each.path).rank:
            return "severity"
        if changed.finding.confidence.rank > self._confidence(each.path).rank:
            return "confidence"
        return changed

    def fails(self, each: ScanFinding) -> bool:
        """Return whether a finding that counts makes the scan fail."""
        threshold = self._config.fail_on
        for settings in self._special(each.path):
            if settings.fail_on is not UNSET:
                threshold = as_severity(settings.fail_on)
        return threshold is not None and each.finding.severity.rank <= threshold.rank

    def hidden(self) -> Hidden:
        """Return the numbers of hidden findings."""
        return Hidden(**self._hidden)

    def _with_switch(self, each: ScanFinding) -> ScanFinding | None:
        special = self._special(each.path)
        switch = switch_of(
            each.finding, self._config.file.rules, *(settings.rules for settings in special)
        )
        if switch is Switch.OFF:
            return None
        if switch is Switch.ON:
            return each
        finding = msgspec.structs.replace(each.finding, severity=Severity(switch.value))
        return msgspec.structs.replace(each, finding=finding)

    def _special(self, path: str) -> list[LanguageSettings | Override]:
        """Return the settings for a file. Findings of a file share them."""
        if path not in self._overrides:
            self._overrides[path] = self._config.overrides(path, self._language_of(path))
        return self._overrides[path]

    def _severity(self, path: str) -> Severity:
        least = self._config.file.severity
        for settings in self._special(path):
            least = least if settings.severity is UNSET else settings.severity
        return least

    def _confidence(self, path: str) -> Confidence:
        least = self._config.file.confidence
        for settings in self._special(path):
            least = least if settings.confidence is UNSET else settings.confidence
        return least


def _judged(
    each: ScanFinding, suppressed: str | None, known: str | None, policy: _Policy
) -> JudgedFinding:
    if suppressed is not None:
        return JudgedFinding(found=each, state=State.SUPPRESSED, reason=suppressed)
    if known is not None:
        return JudgedFinding(found=each, state=State.KNOWN, reason=known)
    return JudgedFinding(found=each, fails=policy.fails(each))


def _without_repeated(judged: Sequence[JudgedFinding]) -> tuple[JudgedFinding, ...]:
    """Leave out findings of single files that repeat one that crosses files.

    One that counts more than the other, for example because the other is known, stays.
    """
    crossing = {id(each.found): each for each in judged if crosses_files(each.finding)}
    repeated = Repeated(each.found for each in crossing.values())

    def stays(each: JudgedFinding) -> bool:
        other = repeated.by(each.found)
        if other is None:
            return True
        by = crossing[id(other)]
        is_as_grave = by.finding.severity.rank <= each.finding.severity.rank
        return not (is_as_grave and by.state in {State.NEW, each.state} and by.fails >= each.fails)

    return tuple(each for each in judged if stays(each))


def _gaps(results: Iterable[FileResult], left_out: Iterable[ExcludedFile]) -> Iterator[Gap]:
    """Yield what should have been checked and was not."""
    told = set()
    for file in left_out:
        if file.cause is not UNSET:
            told.add(file.path)
            yield Gap(path=file.path, reason=file.reason, cause=file.cause)
    for result in results:
        if result.cause is not UNSET and result.path not in told:
            reason = " ".join(result.unchecked) or "It was only partly analyzed."
            yield Gap(path=result.path, reason=reason, cause=result.cause)


def _cross_gaps(cross: CrossFileResult | None) -> Iterator[Gap]:
    """Yield why values were not followed through all files."""
    if cross is not None and cross.cause is not UNSET:
        for note in cross.notes or ("Values were not followed across all files.",):
            yield Gap(reason=note, cause=cross.cause)


def _unresolved(summary: ScanSummary, cross: CrossFileResult | None) -> Iterator[str]:
    resolved = cross.resolved if cross is not None else summary.resolved_calls
    unresolved = cross.unresolved if cross is not None else summary.unresolved_calls
    if unresolved:
        yield (
            f"{counted(unresolved, 'call')} of imported functions could not be followed into "
            f"another file; {resolved:,} could."
        )


def _verdict(judged: Iterable[JudgedFinding], gaps: Sequence[Gap]) -> ScanVerdict:
    if any(each.fails for each in judged):
        return ScanVerdict.FAILED
    return ScanVerdict.INCOMPLETE if gaps else ScanVerdict.PASSED
