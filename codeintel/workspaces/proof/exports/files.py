"""Reports as files, written by worker processes: thousands of findings take seconds. Pure."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec

from codeintel.contracts import RuleInfo
from codeintel.platform.workers.text_functions import TextFunction
from codeintel.workspaces.proof.exports import documents as exports
from codeintel.workspaces.proof.shapes import Report
from codeintel.workspaces.records import WorkspaceRecord

PIECE_BYTES = 1024 * 1024
MOST_BYTES = 128 * 1024 * 1024


class ExportFormat(StrEnum):
    """Files that a worker process writes."""

    SARIF = "sarif"
    CSV = "csv"


class ExportPart(msgspec.Struct, frozen=True, kw_only=True):
    """A report as it is stored, and what else its file tells. `origin` is the address of the
    service."""

    format: ExportFormat
    document: bytes
    session: WorkspaceRecord
    rules: dict[str, list[RuleInfo]]
    origin: str


def exported(parts: Iterable[ExportPart]) -> Iterator[bytes]:
    """The files, in pieces."""
    for part in parts:
        report = msgspec.json.decode(zlib.decompress(part.document), type=Report)
        data = _file(part, report)
        for start in range(0, len(data), PIECE_BYTES):
            yield data[start : start + PIECE_BYTES]


def _file(part: ExportPart, report: Report) -> bytes:
    if part.format is ExportFormat.CSV:
        return exports.csv(report).encode("utf-8", "replace")
    return msgspec.json.encode(exports.sarif(report, part.session, part.rules, part.origin))


EXPORT = TextFunction(
    "export",
    exported,
    ExportPart,
    bytes,
    seconds=30.0,
    most_seconds=45.0,
    most_bytes=MOST_BYTES,
)
