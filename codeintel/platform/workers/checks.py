"""What plugins say is checked before it is believed: shapes were, but not what they mean."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import UNSET

from codeintel.contracts import Detection, Finding, Metric, Range
from codeintel.contracts.analysis import MAX_LANGUAGE_CHARACTERS
from codeintel.contracts.languages import canonical_language, is_a_name
from codeintel.contracts.positions import LineTable


class MisstatementError(ValueError):
    """What a plugin said cannot be. The text is ours and quotes no code: it may be logged."""


def check_finding(finding: Finding, lines: LineTable) -> None:
    """Refuse what cannot be pointed at: one plugin's mistake must not become its readers'.

    :raises MisstatementError: if a place of the finding lies outside the code.
    """
    for what, place in _places(finding):
        if not lines.contains(place):
            start = f"{place.start_line}:{place.start_column}"
            end = f"{place.end_line}:{place.end_column}"
            raise MisstatementError(
                f"{what} of a finding, {start} to {end}, lies outside the code, whose last "
                f"line is {len(lines)}; columns count from 1, ends are exclusive"
            )
    suppression = finding.suppression
    if suppression is not UNSET and not 1 <= suppression.line <= len(lines):
        raise MisstatementError(
            f"the suppression of a finding, on line {suppression.line}, lies outside the code, "
            f"whose last line is {len(lines)}"
        )


def _places(finding: Finding) -> Iterator[tuple[str, Range]]:
    yield "the range", finding.range
    if finding.fix is not UNSET:
        yield from (("an edit", edit.range) for edit in finding.fix.edits)
    if finding.flow is not UNSET:
        yield from (("a step", step.range) for step in finding.flow)


def check_metric(metric: Metric) -> None:
    """:raises MisstatementError: for what JSON has no number for."""
    if not math.isfinite(metric.value):
        raise MisstatementError("the value of a metric is no number")


def checked_detection(detection: Detection) -> Detection:
    """With canonical names, each once, best first.

    :raises MisstatementError: for names that no reader could make use of.
    """
    names = [detection.language or None, *detection.alternatives]
    for name in names:
        if name is not None and (len(name) > MAX_LANGUAGE_CHARACTERS or not is_a_name(name)):
            raise MisstatementError("a language has no usable name")
    language, *others = (canonical_language(name) if name else None for name in names)
    unique = dict.fromkeys(other for other in others if other and other != language)
    return Detection(language=language, confidence=detection.confidence, alternatives=tuple(unique))
