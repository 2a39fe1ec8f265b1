"""Present what linking found as findings of the taint analyzer, in the file of the sink."""

from __future__ import annotations

from msgspec import UNSET

from codeintel.contracts import Category, Confidence, Finding, FlowStep, Range, StepKind
from codeintel.engine.dataflow.project.linking import CrossFinding
from codeintel.engine.dataflow.project.records import AtomKind, Place
from codeintel.engine.dataflow.table import sink_classes

ENGINE = "taint"


def finding_of(found: CrossFinding) -> Finding:
    """Return the finding that the taint analyzer reports. Its path names the files of its steps.

    The message quotes names only, because the redaction of secrets sees one file.
    """
    kind = sink_classes()[found.sink]
    last = len(found.steps) - 1
    steps = []
    for number, step in enumerate(found.steps):
        role = StepKind.SINK if number == last else StepKind.STEP if number else StepKind.SOURCE
        path = UNSET if step.path == found.path else step.path
        steps.append(FlowStep(role, range_of(step.place), step.text, path))
    return Finding(
        rule_id=f"taint-{found.sink}",
        engine=ENGINE,
        severity=kind.severity,
        confidence=kind.confidence if found.kind == AtomKind.REMOTE else Confidence.MEDIUM,
        cwe=kind.cwe,
        category=Category.SECURITY,
        message=_message(found, kind.title),
        remedy=kind.remedy,
        range=range_of(found.place),
        flow=tuple(steps),
    )


def range_of(place: Place) -> Range:
    """Return a place as the range of a finding."""
    return Range(place.line, place.column, place.end_line, place.end_column)


def _message(found: CrossFinding, title: str) -> str:
    value = f"`{found.value}`" if found.value else "a value"
    reached = f"`{found.function}()`" if found.function else found.what
    first = found.steps[0]
    where = "" if first.path == found.path else f" in {first.path}"
    return f"{title}: {value} from {found.source}{where} reaches {reached}."
