"""What became of a run, gathered from its events, and what `--fail-on` makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codeintel.base.wording import printable
from codeintel.client.answers import TERMINAL
from codeintel.contracts import AnalyzerStatus, Severity

_SEVERITIES = frozenset(Severity)
MAX_NAMED = 5


class Outcome:
    """Takes a run's events one by one; the attributes are null or empty until an event sets them.

    Events come from another machine, maybe from a later version: what has not the expected shape is
    left out rather than believed.
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
        """Note what the event says."""
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
        """How many findings came by themselves, before duplicates were merged."""
        return len(self._seen)

    @property
    def cached(self) -> bool:
        """Whether the result is that of an equal run."""
        return (self.usage or {}).get("cached") is True

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The result's findings; without a result, those that came by themselves."""
        if self.result is None:
            return self._seen
        return as_objects(self.result.get("findings"))

    @property
    def checked_all(self) -> bool:
        """Whether every analyzer of the result got to its end and could check all."""
        reports = as_objects((self.result or {}).get("analyzers"))
        is_whole = not (self.result or {}).get("unchecked")
        return is_whole and all(
            report.get("status") == AnalyzerStatus.COMPLETED for report in reports
        )

    def reaching(self, threshold: Severity) -> list[dict[str, Any]]:
        """The findings that are as bad as `threshold`, or worse. One of an unknown severity is: a
        gate must not open for what it does not know."""
        return [finding for finding in self.findings if _rank(finding) <= threshold.rank]

    def reaches(self, threshold: Severity, *, honour_suppressions: bool = False) -> bool:
        """Whether a finding is as bad as `threshold`, or worse.

        :param honour_suppressions: leave out findings that a comment in the code asks to ignore.
        """
        return any(
            not (honour_suppressions and suppressed_by(finding))
            for finding in self.reaching(threshold)
        )

    def document(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "runId": self.run_id,
            "status": self.status,
            "result": self.result,
            "usage": self.usage,
            "creditsCharged": self.charged,
            "creditsRefunded": self.refunded,
        }


def suppressed_by(finding: Mapping[str, Any]) -> str:
    """The comment that asks for the finding to be ignored, such as `nosec on line 3`; nothing if
    there is none."""
    suppression = as_object(finding.get("suppression"))
    comment, line = as_text(suppression.get("comment")), as_count(suppression.get("line"))
    return f"{comment} on line {line}" if comment and line else ""


def _rank(finding: Mapping[str, Any]) -> int:
    severity = finding.get("severity")
    return Severity(severity).rank if severity in _SEVERITIES else 0


def as_text(value: Any) -> str:
    """The value if it is text, else nothing."""
    return value if isinstance(value, str) else ""


def as_count(value: Any) -> int:
    """The value if it is a whole number from 0, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def as_object(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[dict[str, Any]]:
    """The objects in the value, if it is an array."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def verdict(outcome: Outcome, fail_on: Severity, *, honour_suppressions: bool) -> Iterator[str]:
    """Why the gate opens or does not, line by line, for a run that has completed."""
    reaching = outcome.reaching(fail_on)
    passed = [each for each in reaching if honour_suppressions and suppressed_by(each)]
    decided = [each for each in reaching if each not in passed]
    if decided:
        verb = "reaches" if len(decided) == 1 else "reach"
        yield f"{_count(decided)} {verb} --fail-on {fail_on.value}: {_named(decided)}."
    elif outcome.checked_all:
        yield f"No finding reaches --fail-on {fail_on.value}."
    else:
        yield f"No finding reaches --fail-on {fail_on.value}, but not all could be checked."
    if passed:
        was = "was" if len(passed) == 1 else "were"
        yield f"{_count(passed)} {was} passed over because of comments: {_named(passed)}."


def _count(findings: Sequence[Mapping[str, Any]]) -> str:
    return f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"


def _named(findings: Sequence[Mapping[str, Any]]) -> str:
    names = [_name(finding) for finding in findings[:MAX_NAMED]]
    if len(findings) > MAX_NAMED:
        names.append(f"{len(findings) - MAX_NAMED} more")
    return ", ".join(names)


def _name(finding: Mapping[str, Any]) -> str:
    line = as_count(as_object(finding.get("range")).get("startLine"))
    return f"{printable(as_text(finding.get('ruleId')))} on line {line}"
