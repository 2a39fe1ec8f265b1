"""The outcome of a run, collected from its events: the findings to show, and the verdict of
`--fail-on`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from codeintel.base.wording import counted, printable
from codeintel.client.answers import TERMINAL
from codeintel.contracts import AnalyzerStatus, Confidence, Severity

Finding = dict[str, Any]
_SEVERITIES = frozenset(Severity)
_CONFIDENCES = frozenset(Confidence)
MAX_NAMED = 5


class ReceivedRun:
    """Collects the events of a run. The attributes are None or empty until an event sets them.

    Events come from another machine, which may run a later version. Values of an unexpected type
    are ignored.
    """

    def __init__(self) -> None:
        self.run_id: str | None = None
        self.status: str | None = None
        self.reason = ""
        self.message = ""
        self.result: dict[str, Any] | None = None
        self.usage: dict[str, Any] | None = None
        self.charged = 0
        self.refunded = 0
        self._seen: list[dict[str, Any]] = []

    def add(self, event: Mapping[str, Any]) -> None:
        """Add an event."""
        kind = event["type"]
        self.run_id = as_text(event.get("runId")) or self.run_id
        if kind == "finding":
            self._seen.append(as_object(event.get("finding")))
        elif kind == "result":
            self.result = as_object(event.get("result"))
        elif kind == "usage":
            self.usage = as_object(event.get("usage"))
        elif kind in TERMINAL:
            self.status = kind.removeprefix("run.")
            self.reason, self.message = as_text(event.get("reason")), as_text(event.get("message"))
            self.usage = as_object(event.get("usage")) or self.usage
            self.charged = as_count(event.get("creditsCharged"))
            self.refunded = as_count(event.get("creditsRefunded"))

    @property
    def sent(self) -> int:
        """Return the number of streamed findings. Duplicates are not merged yet."""
        return len(self._seen)

    @property
    def cached(self) -> bool:
        """Return whether the result comes from the cache."""
        return (self.usage or {}).get("cached") is True

    @property
    def findings(self) -> list[dict[str, Any]]:
        """Return the findings of the result. Without a result, return the streamed findings."""
        if self.result is None:
            return self._seen
        return as_objects(self.result.get("findings"))

    @findings.setter
    def findings(self, findings: Sequence[dict[str, Any]]) -> None:
        if self.result is None:
            self._seen = list(findings)
        else:
            self.result = {**self.result, "findings": list(findings)}

    @property
    def checked_all(self) -> bool:
        """Return whether all analyzers completed, and checked everything they have rules for."""
        result = self.result or {}
        reports = as_objects(result.get("analyzers"))
        unchecked = result.get("unchecked") or []
        is_whole = not unchecked or (bool(reports) and unchecked == self.no_rules)
        return is_whole and all(
            report.get("status") == AnalyzerStatus.COMPLETED for report in reports
        )

    @property
    def no_rules(self) -> list[str]:
        """Return sentences about data without rules, which no check is missing for."""
        return as_texts((self.result or {}).get("noRules"))

    def reaching(self, threshold: Severity) -> list[dict[str, Any]]:
        """Return the findings of this severity or worse. An unknown severity counts as critical, so
        that a gate never passes because of it."""
        return [each for each in self.findings if severity_rank(each) <= threshold.rank]

    def reaches(self, threshold: Severity, *, honour_suppressions: bool = False) -> bool:
        """Return whether a finding has this severity or a worse one.

        :param honour_suppressions: ignore findings with a suppression comment.
        """
        return any(
            not (honour_suppressions and suppressed_by(finding))
            for finding in self.reaching(threshold)
        )

    def document(self) -> dict[str, Any]:
        """Return the document that `--format json` prints."""
        return {
            "runId": self.run_id,
            "status": self.status,
            "result": self.result,
            "usage": self.usage,
            "creditsCharged": self.charged,
            "creditsRefunded": self.refunded,
        }


def suppressed_by(finding: Mapping[str, Any]) -> str:
    """Return the suppression comment of a finding, such as `nosec on line 3`, or nothing."""
    suppression = as_object(finding.get("suppression"))
    comment, line = as_text(suppression.get("comment")), as_count(suppression.get("line"))
    return f"{comment} on line {line}" if comment and line else ""


def severity_rank(finding: Mapping[str, Any]) -> int:
    """Return the rank of a finding's severity. Critical and unknown severities have 0."""
    severity = as_text(finding.get("severity"))
    return Severity(severity).rank if severity in _SEVERITIES else 0


def as_text(value: Any) -> str:
    """Return the value if it is text, otherwise an empty string."""
    return value if isinstance(value, str) else ""


def as_count(value: Any) -> int:
    """Return the value if it is a positive integer, otherwise 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def as_object(value: Any) -> dict[str, Any]:
    """Return the value if it is an object, otherwise an empty object."""
    return value if isinstance(value, dict) else {}


def as_texts(value: Any) -> list[str]:
    """Return the texts in the value if it is an array, otherwise an empty list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def as_objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects in the value if it is an array, otherwise an empty list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def verdict(outcome: ReceivedRun, fail_on: Severity, *, honour_suppressions: bool) -> Iterator[str]:
    """Return lines that explain the decision of `--fail-on` for a completed run."""
    reaching = outcome.reaching(fail_on)
    passed = [each for each in reaching if honour_suppressions and suppressed_by(each)]
    decided = [each for each in reaching if each not in passed]
    if decided:
        verb = "reaches" if len(decided) == 1 else "reach"
        yield f"{_count(decided)} {verb} --fail-on {fail_on.value}: {_named(decided)}."
    elif outcome.checked_all and outcome.no_rules:
        reasons = " ".join(map(printable, outcome.no_rules))
        yield f"No finding reaches --fail-on {fail_on.value}. Nothing else to check: {reasons}"
    elif outcome.checked_all:
        yield f"No finding reaches --fail-on {fail_on.value}."
    else:
        yield f"No finding reaches --fail-on {fail_on.value}, but some checks could not run."
    if passed:
        yield f"{_count(passed)} ignored because of suppression comments: {_named(passed)}."


def _count(findings: Sequence[Mapping[str, Any]]) -> str:
    return counted(len(findings), "finding")


def _named(findings: Sequence[Mapping[str, Any]]) -> str:
    names = [_name(finding) for finding in findings[:MAX_NAMED]]
    if len(findings) > MAX_NAMED:
        names.append(f"{len(findings) - MAX_NAMED} more")
    return ", ".join(names)


def _name(finding: Mapping[str, Any]) -> str:
    line = as_count(as_object(finding.get("range")).get("startLine"))
    return f"{printable(as_text(finding.get('ruleId')))} on line {line}"


def worst_first(finding: Mapping[str, Any]) -> tuple[int, int, int, str]:
    """Return a key that sorts findings by severity, then by place."""
    place = as_object(finding.get("range"))
    start = as_count(place.get("startLine")), as_count(place.get("startColumn"))
    return severity_rank(finding), *start, as_text(finding.get("ruleId"))


class Filter(NamedTuple):
    """The least severity and confidence of the findings to keep, and the IDs of their rules.
    Unknown severities and confidences are kept. Without IDs, findings of all rules are kept."""

    severity: Severity | None = None
    confidence: Confidence | None = None
    rules: frozenset[str] = frozenset()

    def split(self, findings: Iterable[Finding]) -> Selection:
        """Return the findings that pass, in their order, and the others."""
        kept, milder, unsure, others = [], [], [], []
        for finding in findings:
            if self.rules and self.rules.isdisjoint(_rule_ids(finding)):
                others.append(finding)
            elif self.severity is not None and severity_rank(finding) > self.severity.rank:
                milder.append(finding)
            elif self.confidence is not None and _is_below(finding, self.confidence):
                unsure.append(finding)
            else:
                kept.append(finding)
        return Selection(kept, milder, unsure, others)


class Selection(NamedTuple):
    """Findings that pass a filter, those below its severity or confidence, and those of other
    rules."""

    kept: Sequence[Finding]
    milder: Sequence[Finding] = ()
    unsure: Sequence[Finding] = ()
    others: Sequence[Finding] = ()

    def notes(self, wanted: Filter) -> Iterator[str]:
        """Return a sentence for each group of findings that are left out."""
        if self.others:
            yield f"{counted(len(self.others), 'finding')} of other rules hidden."
        if self.milder and wanted.severity is not None:
            yield f"{counted(len(self.milder), 'finding')} below severity {wanted.severity} hidden."
        if self.unsure and wanted.confidence is not None:
            yield (
                f"{counted(len(self.unsure), 'finding')} below confidence {wanted.confidence} "
                "hidden. To show all, add --min-confidence low."
            )


def _rule_ids(finding: Mapping[str, Any]) -> Iterator[str]:
    """Return the current and former IDs of the rule, and those of rules that found the same."""
    yield as_text(finding.get("ruleId"))
    yield from as_texts(finding.get("formerly"))
    yield from (as_text(each.get("ruleId")) for each in as_objects(finding.get("also")))


def _is_below(finding: Mapping[str, Any], least: Confidence) -> bool:
    given = as_text(finding.get("confidence"))
    return given in _CONFIDENCES and Confidence(given).rank > least.rank
