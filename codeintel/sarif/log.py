"""The log: one run with its tool, its results, and what could not be done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from codeintel.contracts import AnalysisResult, AnalyzerReport, AnalyzerStatus
from codeintel.sarif.artifacts import Artifact
from codeintel.sarif.messages import message
from codeintel.sarif.reading import read
from codeintel.sarif.results import results
from codeintel.sarif.rules import Components, Rules

VERSION = "2.1.0"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_NO_RULES: Rules = {}


class _Notification(NamedTuple):
    """Something that could not be done. An `error` means that the run has failed."""

    id: str
    level: str
    text: str
    analyzer: str | None = None


_ENDINGS = {
    AnalyzerStatus.TRUNCATED: ("warning", "found more than it could report"),
    AnalyzerStatus.TIMED_OUT: ("error", "did not end in time"),
    AnalyzerStatus.FAILED: ("error", "failed"),
}
_DESCRIPTIONS = {
    "analyzer-truncated": "An analyser found more than it could report.",
    "analyzer-timed-out": "An analyser did not end in time.",
    "analyzer-failed": "An analyser failed.",
    "run-unfinished": "The analysis did not come to its end.",
    "findings-misread": "Findings have parts that this version does not know.",
}


def sarif_log(
    analysis: AnalysisResult | Mapping[str, Any],
    artifact: Artifact,
    rules: Rules = _NO_RULES,
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
    notifications = list(_notifications(result.analyzers, misread, unfinished))
    ids = list(dict.fromkeys(each.id for each in notifications))
    components = Components(result, rules, service)
    run: dict[str, Any] = {
        "tool": components.tool([_described(each) for each in ids]),
        "invocations": [_invocation(notifications, ids)],
        "originalUriBaseIds": artifact.bases(),
        "artifacts": [artifact.entry(result.language)],
        "results": results(result.findings, artifact, components),
        "taxonomies": components.taxonomies(),
        "columnKind": "unicodeCodePoints",
        "defaultEncoding": "UTF-8",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "properties": {"engine": result.engine, "metrics": result.metrics},
    }
    # An empty list of results says that nothing was found; other empty members say nothing.
    kept = {key: value for key, value in run.items() if value or key == "results"}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [kept]}


def _notifications(
    reports: tuple[AnalyzerReport, ...], misread: int, unfinished: str
) -> Iterator[_Notification]:
    if unfinished:
        yield _Notification("run-unfinished", "error", unfinished)
    for report in reports:
        if report.status is not AnalyzerStatus.COMPLETED:
            level, what = _ENDINGS[report.status]
            id_ = f"analyzer-{report.status.replace('_', '-')}"
            yield _Notification(
                id_, level, f"Not all was checked: {report.name} {what}.", report.name
            )
    if misread:
        text = f"{misread} of the findings have parts that this version does not know."
        yield _Notification("findings-misread", "warning", text)


def _described(id_: str) -> dict[str, Any]:
    return {"id": id_, "shortDescription": {"text": _DESCRIPTIONS[id_]}}


def _invocation(notifications: list[_Notification], ids: list[str]) -> dict[str, Any]:
    invocation: dict[str, Any] = {
        "executionSuccessful": all(each.level != "error" for each in notifications)
    }
    if notifications:
        invocation["toolExecutionNotifications"] = [
            {
                "descriptor": {"id": each.id, "index": ids.index(each.id)},
                "level": each.level,
                "message": message(each.text),
                **({"properties": {"analyzer": each.analyzer}} if each.analyzer else {}),
            }
            for each in notifications
        ]
    return invocation
