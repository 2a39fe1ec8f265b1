"""Render analyses as SARIF logs: one run with its tool, its results, and what could not be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
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
from codeintel.engine.sarif.findings import Components, Rules, has_suppressed, message, results

VERSION = "2.1.0"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

CONVENTIONS: Mapping[str, Any] = {
    "columnKind": "unicodeCodePoints",
    "defaultEncoding": "UTF-8",
    "newlineSequences": ["\r\n", "\n", "\r"],
}
"""The conventions of our ranges, in every run."""
NO_RULES: Rules = {}


def sarif_log(
    analysis: AnalysisResult | Mapping[str, Any],
    artifact: Artifact,
    rules: Rules = NO_RULES,
    *,
    unfinished: str = "",
    service: str = "",
) -> dict[str, Any]:
    """Return an analysis as a SARIF log, ready for a JSON encoder.

    :param analysis: the result, or its JSON document, which may be incomplete.
    :param artifact: the analyzed file.
    :param rules: the known rules. Other rules are described by their findings.
    :param service: the address of the service, to link to its pages of rules.
    :param unfinished: a sentence if the analysis did not finish.
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
    """Return a log with one run.

    An empty list of results means that nothing was found. Other empty members mean nothing and are
    left out.
    """
    kept = {key: value for key, value in run.items() if value or key == "results"}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [kept]}


@dataclass(frozen=True)
class FileFindings:
    """The findings in one file.

    :param artifact: the file, with the fingerprints of the findings. Its position in the log is set
        later.
    :param baselines: SARIF's `baselineState` of each finding: `new`, `unchanged` or `absent`. Empty
        without an earlier run, because SARIF requires it for all results of a run or for none.
    """

    artifact: Artifact
    findings: Sequence[Finding]
    language: str | None = None
    baselines: Sequence[str] = ()


@dataclass(frozen=True)
class Tree:
    """An analysis of many files.

    :param unchecked: files that were not analyzed: their addresses, with sentences that say why.
    :param unfinished: a sentence if the analysis did not finish.
    :param about: additional members of the run, such as `automationDetails`.
    """

    files: Sequence[FileFindings]
    engine: str
    unchecked: Sequence[tuple[str, str]] = ()
    unfinished: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)


def tree_log(tree: Tree, rules: Rules = NO_RULES, *, service: str = "") -> dict[str, Any]:
    """Return an analysis of many files as a SARIF log, ready for a JSON encoder.

    :param rules: the known rules. Other rules are described by their findings.
    :param service: the address of the service, to link to its pages of rules.
    """
    files = _indexed(tree.files)
    findings = tuple(chain.from_iterable(each.findings for each in files))
    whole = AnalysisResult(
        language=None, engine=tree.engine, summary="", findings=findings, metrics={}, analyzers=()
    )
    components = Components(whole, rules, service)
    told = list(_notifications(tree))
    run: dict[str, Any] = {
        "tool": components.tool(descriptors(told)),
        "invocations": [invocation(told)],
        "originalUriBaseIds": Artifact("").bases(),
        "artifacts": [each.artifact.entry(each.language) for each in files],
        "results": _results(files, components, has_suppressed(findings)),
        "taxonomies": components.taxonomies(),
        **CONVENTIONS,
        "properties": {"engine": tree.engine},
        **tree.about,
    }
    return log_of(run)


def _indexed(files: Iterable[FileFindings]) -> list[FileFindings]:
    return [
        replace(each, artifact=replace(each.artifact, index=index))
        for index, each in enumerate(files)
    ]


def _results(
    files: Iterable[FileFindings], components: Components, tell_suppressed: bool
) -> list[dict[str, Any]]:
    found = []
    for file in files:
        made = results(file.findings, file.artifact, components, tell_suppressed)
        for result, state in zip(made, file.baselines, strict=False):
            result["baselineState"] = state
        found += made
    return found


def _notifications(tree: Tree) -> Iterable[Notification]:
    if tree.unfinished:
        yield Notification("run-unfinished", "error", tree.unfinished)
    for uri, why in tree.unchecked:
        address = Artifact(uri).address()
        yield Notification("file-unchecked", "warning", why, address=address)


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
    """An analysis, and the number of its findings that could not be read completely."""

    analysis: AnalysisResult
    misread: int


def read(document: AnalysisResult | Mapping[str, Any]) -> Reading:
    """Read an analysis from its JSON document, which may come from a later version.

    Parts that do not fit are left out or replaced by the worst case.
    """
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
    """Convert an object to `type_`, field by field. Return it, and whether all fields fitted."""
    fields, fits = {}, True
    for each in msgspec.structs.fields(type_):
        try:
            fields[each.name] = msgspec.convert(given[each.encode_name], each.type)
        except KeyError:
            fits = fits and not each.required
        except msgspec.ValidationError:
            fits = False
    return type_(**{**_FALLBACKS[type_], **fields}), fits


_ENDINGS = {
    AnalyzerStatus.TRUNCATED: ("warning", "did not finish or omitted findings"),
    AnalyzerStatus.TIMED_OUT: ("error", "timed out"),
    AnalyzerStatus.FAILED: ("error", "failed"),
}
_DESCRIPTIONS = {
    "analyzer-truncated": "An analyzer did not finish or omitted findings.",
    "analyzer-timed-out": "An analyzer timed out.",
    "analyzer-failed": "An analyzer failed.",
    "run-unfinished": "The analysis did not finish.",
    "findings-misread": "Findings have parts that this version does not know.",
    "file-unchecked": "A file was not analyzed.",
}


class Notification(NamedTuple):
    """A task that could not be done.

    An `error` means that the run has failed. `address` is the `artifactLocation` of the file
    concerned.
    """

    id: str
    level: str
    text: str
    analyzer: str | None = None
    address: Mapping[str, Any] | None = None


def analyzer_notifications(
    reports: Sequence[AnalyzerReport], misread: int, unfinished: str
) -> Iterator[Notification]:
    """Yield the notifications of one analysis.

    :param misread: the number of findings that could not be read completely.
    :param unfinished: a sentence if the analysis did not finish.
    """
    if unfinished:
        yield Notification("run-unfinished", "error", unfinished)
    for report in reports:
        if report.status is not AnalyzerStatus.COMPLETED:
            level, what = _ENDINGS[report.status]
            id_ = f"analyzer-{report.status.replace('_', '-')}"
            yield Notification(
                id_,
                level,
                f"{report.name} {what}, so not all of its rules were checked.",
                report.name,
            )
    if misread:
        text = f"{misread} of the findings have parts that this version does not know."
        yield Notification("findings-misread", "warning", text)


def descriptors(notifications: Sequence[Notification]) -> list[dict[str, Any]]:
    """Return the descriptors of these notifications, for the run's tool.

    GitHub requires all three texts.
    """
    texts = ("shortDescription", "fullDescription", "help")
    return [
        {"id": each, **{name: {"text": _DESCRIPTIONS[each]} for name in texts}}
        for each in _ids(notifications)
    ]


def invocation(notifications: Sequence[Notification]) -> dict[str, Any]:
    """Return the entry of `run.invocations`."""
    told: dict[str, Any] = {
        "executionSuccessful": all(each.level != "error" for each in notifications)
    }
    if notifications:
        places = {id_: place for place, id_ in enumerate(_ids(notifications))}
        told["toolExecutionNotifications"] = [
            _notification(each, places[each.id]) for each in notifications
        ]
    return told


def _notification(each: Notification, place: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "descriptor": {"id": each.id, "index": place},
        "level": each.level,
        "message": message(each.text),
    }
    if each.address is not None:
        told["locations"] = [{"physicalLocation": {"artifactLocation": dict(each.address)}}]
    if each.analyzer:
        told["properties"] = {"analyzer": each.analyzer}
    return told


def _ids(notifications: Sequence[Notification]) -> list[str]:
    return list(dict.fromkeys(each.id for each in notifications))
