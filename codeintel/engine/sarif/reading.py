"""Reading the JSON of an analysis, which may be of a later version: what does not fit is left out,
or taken for the worst."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from codeintel.contracts import (
    AnalysisResult,
    AnalyzerReport,
    AnalyzerStatus,
    Confidence,
    Finding,
    Range,
    Severity,
)

T = TypeVar("T", bound=msgspec.Struct)

_NOWHERE = Range(1, 1, 1, 1)
_FALLBACKS: dict[type[msgspec.Struct], dict[str, Any]] = {
    AnalysisResult: {
        "language": None,
        "engine": "unknown",
        "summary": "",
        "findings": (),
        "metrics": {},
        "analyzers": (),
    },
    Finding: {
        "rule_id": "unknown",
        "engine": "unknown",
        "severity": Severity.CRITICAL,
        "confidence": Confidence.LOW,
        "cwe": None,
        "message": "",
        "range": _NOWHERE,
    },
    AnalyzerReport: {
        "name": "unknown",
        "version": "",
        "status": AnalyzerStatus.FAILED,
        "findings": 0,
        "milliseconds": 0,
    },
}


class Reading(NamedTuple):
    """An analysis, and how many of its findings could not be read as they were."""

    analysis: AnalysisResult
    misread: int


def read(document: AnalysisResult | Mapping[str, Any]) -> Reading:
    """An analysis from its JSON document, whatever that holds."""
    if isinstance(document, AnalysisResult):
        return Reading(document, 0)
    try:
        return Reading(msgspec.convert(document, AnalysisResult), 0)
    except msgspec.ValidationError:
        pass
    findings = _objects(document.get("findings"))
    read_ = [_lenient(each, Finding) for each in findings]
    reports = [_lenient(each, AnalyzerReport)[0] for each in _objects(document.get("analyzers"))]
    analysis, _ = _lenient({**document, "findings": [], "analyzers": []}, AnalysisResult)
    return Reading(
        msgspec.structs.replace(
            analysis, findings=tuple(each for each, _ in read_), analyzers=tuple(reports)
        ),
        sum(not fits for _, fits in read_),
    )


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _lenient(given: Mapping[str, Any], type_: type[T]) -> tuple[T, bool]:
    """The object as `type_`, field by field, and whether all of it fitted."""
    fields, fits = {}, True
    for field in msgspec.structs.fields(type_):
        try:
            fields[field.name] = msgspec.convert(given[field.encode_name], field.type)
        except KeyError:
            fits = fits and not field.required
        except msgspec.ValidationError:
            fits = False
    return type_(**{**_FALLBACKS[type_], **fields}), fits
