"""Sorting and filtering the findings of an analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from codeintel.base.wording import counted
from codeintel.cli.outcome import as_count, as_object, as_text, severity_rank
from codeintel.contracts import Confidence, Severity

Finding = dict[str, Any]
_CONFIDENCES = frozenset(Confidence)


def worst_first(finding: Mapping[str, Any]) -> tuple[int, int, int, str]:
    """Return a key that sorts findings by severity, then by place."""
    place = as_object(finding.get("range"))
    start = as_count(place.get("startLine")), as_count(place.get("startColumn"))
    return severity_rank(finding), *start, as_text(finding.get("ruleId"))


class Filter(NamedTuple):
    """The least severity and confidence of the findings to keep. Unknown values are kept."""

    severity: Severity | None = None
    confidence: Confidence | None = None

    def split(self, findings: Iterable[Finding]) -> Selection:
        """Return the findings that pass, in their order, and the others."""
        kept, milder, unsure = [], [], []
        for finding in findings:
            if self.severity is not None and severity_rank(finding) > self.severity.rank:
                milder.append(finding)
            elif self.confidence is not None and _is_below(finding, self.confidence):
                unsure.append(finding)
            else:
                kept.append(finding)
        return Selection(kept, milder, unsure)


class Selection(NamedTuple):
    """Findings that pass a filter, and those below its severity or confidence."""

    kept: Sequence[Finding]
    milder: Sequence[Finding] = ()
    unsure: Sequence[Finding] = ()

    def notes(self, wanted: Filter) -> Iterator[str]:
        """Return a sentence for each group of findings that are left out."""
        if self.milder and wanted.severity is not None:
            yield f"{counted(len(self.milder), 'finding')} below severity {wanted.severity} hidden."
        if self.unsure and wanted.confidence is not None:
            yield (
                f"{counted(len(self.unsure), 'finding')} below confidence {wanted.confidence} "
                "hidden. To show all, add --min-confidence low."
            )


def _is_below(finding: Mapping[str, Any], least: Confidence) -> bool:
    given = as_text(finding.get("confidence"))
    return given in _CONFIDENCES and Confidence(given).rank > least.rank
