"""What could not be done, as SARIF tells it of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from codeintel.contracts import AnalyzerReport, AnalyzerStatus
from codeintel.engine.sarif.messages import message

_ENDINGS = {
    AnalyzerStatus.TRUNCATED: ("warning", "did not come to its end, or left findings out"),
    AnalyzerStatus.TIMED_OUT: ("error", "did not end in time"),
    AnalyzerStatus.FAILED: ("error", "failed"),
}
_DESCRIPTIONS = {
    "analyzer-truncated": "An analyser did not come to its end, or left findings out.",
    "analyzer-timed-out": "An analyser did not end in time.",
    "analyzer-failed": "An analyser failed.",
    "run-unfinished": "The analysis did not come to its end.",
    "findings-misread": "Findings have parts that this version does not know.",
    "file-unchecked": "A file was not analysed.",
}


class Notification(NamedTuple):
    """Something that could not be done. An `error` means that the run has failed.

    `address` is that of the file that it is about, as an `artifactLocation`."""

    id: str
    level: str
    text: str
    analyzer: str | None = None
    address: Mapping[str, Any] | None = None


def analyzer_notifications(
    reports: Sequence[AnalyzerReport], misread: int, unfinished: str
) -> Iterator[Notification]:
    """Of one analysis.

    :param misread: how many of its findings could not be read as they are.
    :param unfinished: a sentence, if it did not come to its end.
    """
    if unfinished:
        yield Notification("run-unfinished", "error", unfinished)
    for report in reports:
        if report.status is not AnalyzerStatus.COMPLETED:
            level, what = _ENDINGS[report.status]
            id_ = f"analyzer-{report.status.replace('_', '-')}"
            yield Notification(
                id_, level, f"Not all was checked: {report.name} {what}.", report.name
            )
    if misread:
        text = f"{misread} of the findings have parts that this version does not know."
        yield Notification("findings-misread", "warning", text)


def descriptors(notifications: Sequence[Notification]) -> list[dict[str, Any]]:
    """What kinds of them there are, for the run's tool."""
    return [
        {"id": each, "shortDescription": {"text": _DESCRIPTIONS[each]}}
        for each in _ids(notifications)
    ]


def invocation(notifications: Sequence[Notification]) -> dict[str, Any]:
    """The entry of `run.invocations`."""
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
