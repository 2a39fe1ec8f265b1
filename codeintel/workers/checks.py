"""What plugins say is checked before it is believed: shapes were, but not what they mean."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import UNSET

from codeintel.contracts import Detection, Finding, Metric, Range
from codeintel.contracts.analysis import MAX_LANGUAGE_CHARACTERS
from codeintel.languages import canonical_language, is_a_name
from codeintel.positions import LineTable


def check_finding(finding: Finding, lines: LineTable) -> None:
    """Refuse what cannot be pointed at: one plugin's mistake must not become its readers'.

    :raises ValueError: if a place of the finding lies outside the code.
    """
    suppression = finding.suppression
    line = 1 if suppression is UNSET else suppression.line
    if not (all(map(lines.contains, _places(finding))) and 1 <= line <= len(lines)):
        raise ValueError(f"{finding.engine} {finding.rule_id} lies outside the code")


def _places(finding: Finding) -> Iterator[Range]:
    yield finding.range
    if finding.fix is not UNSET:
        yield from (edit.range for edit in finding.fix.edits)
    if finding.flow is not UNSET:
        yield from (step.range for step in finding.flow)


def check_metric(metric: Metric) -> None:
    """:raises ValueError: for what JSON has no number for."""
    if not math.isfinite(metric.value):
        raise ValueError("not a number")


def checked_detection(detection: Detection) -> Detection:
    """With canonical names, each once, best first.

    :raises ValueError: for names that no reader could make use of.
    """
    names = [detection.language or None, *detection.alternatives]
    for name in names:
        if name is not None and (len(name) > MAX_LANGUAGE_CHARACTERS or not is_a_name(name)):
            raise ValueError("not a detection")
    language, *others = (canonical_language(name) if name else None for name in names)
    unique = dict.fromkeys(other for other in others if other and other != language)
    return Detection(language=language, confidence=detection.confidence, alternatives=tuple(unique))
