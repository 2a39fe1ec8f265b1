"""Reading the JSON of an analysis, and writing the SARIF log: one run with its tool, its results,
and what could not be done."""

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
from codeintel.engine.sarif.artifacts import Artifact
from codeintel.engine.sarif.notifications import analyzer_notifications, descriptors, invocation
from codeintel.engine.sarif.results import results
from codeintel.engine.sarif.rules import Components, Rules

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
    """An analysis from its JSON document, which may be of a later version: what does not fit is
    left out, or taken for the worst."""
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


VERSION = "2.1.0"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

CONVENTIONS: Mapping[str, Any] = {
    "columnKind": "unicodeCodePoints",
    "defaultEncoding": "UTF-8",
    "newlineSequences": ["\r\n", "\n", "\r"],
}
"""How our ranges count, in every run."""
NO_RULES: Rules = {}


def sarif_log(
    analysis: AnalysisResult | Mapping[str, Any],
    artifact: Artifact,
    rules: Rules = NO_RULES,
    *,
    unfinished: str = "",
    service: str = "",
) -> dict[str, Any]:
    """An analysis as a SARIF log, ready for a JSON encoder.

    :param analysis: the result, or its JSON document, which need not be whole.
    :param artifact: what was analysed.
    :param rules: what is known about rules; of others their findings tell.
    :param service: the address of the service, whose pages of rules are referred to.
    :param unfinished: a sentence, if the analysis did not come to its end.
    """
    result, misread = read(analysis)
    notifications = list(analyzer_notifications(result.analyzers, misread, unfinished))
    components = Components(result, rules, service)
    run: dict[str, Any] = {
        "tool": components.tool(descriptors(notifications)),
        "invocations": [invocation(notifications)],
        "originalUriBaseIds": artifact.bases(),
        "artifacts": [artifact.entry(result.language)],
        "results": results(result.findings, artifact, components),
        "taxonomies": components.taxonomies(),
        **CONVENTIONS,
        "properties": {"engine": result.engine, "metrics": result.metrics},
    }
    return log_of(run)


def log_of(run: Mapping[str, Any]) -> dict[str, Any]:
    """A log with one run. An empty list of results says that nothing was found; other empty members
    say nothing, and are left out."""
    kept = {key: value for key, value in run.items() if value or key == "results"}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [kept]}
