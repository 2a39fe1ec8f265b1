"""Findings of runs as SARIF logs, written by worker processes because a run may have thousands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import AnalysisResult
from codeintel.contracts.scans.records import ScanResult
from codeintel.engine.sarif import Artifact, sarif_log
from codeintel.platform.workers.text_functions import TextFunction, TextWorkError
from codeintel.runs.scans.sarif import scan_log

if TYPE_CHECKING:
    from codeintel.platform.workers.text_pool import TextPool

PIECE_BYTES = 1024 * 1024


class RunPart(msgspec.Struct, frozen=True):
    """A piece of the stored result of a run.

    The last piece has the fingerprints, as JSON, and the address of the file.
    """

    result: bytes
    fingerprints: str = "[]"
    uri: str = ""


def logs(parts: Iterable[RunPart]) -> Iterator[bytes]:
    """Yield the log in pieces."""
    pieces = list(parts)
    document = b"".join(each.result for each in pieces)
    result = msgspec.json.decode(document, type=AnalysisResult | ScanResult)
    if isinstance(result, ScanResult):
        made = scan_log(result)
    else:
        marks = msgspec.json.decode(pieces[-1].fingerprints, type=list[str])
        made = sarif_log(result, Artifact(pieces[-1].uri, fingerprints=marks))
    log = msgspec.json.encode(made)
    for start in range(0, len(log), PIECE_BYTES):
        yield log[start : start + PIECE_BYTES]


RUN_SARIF = TextFunction(
    "run_sarif", logs, RunPart, bytes, seconds=20.0, most_bytes=128 * 1024 * 1024
)


def relative_uri(path: str) -> str:
    """Return a path within a repository as a relative URI reference (RFC 3986), or nothing for any
    other path."""
    parts = path.replace("\\", "/").split("/")
    if parts[0] == "" or ".." in parts or ":" in parts[0]:
        return ""
    return quote("/".join(parts), safe="/", errors="replace")


def run_sarif(
    texts: TextPool, account_id: str, result: str, fingerprints: str | None, uri: str
) -> bytes:
    """Return the SARIF log of a stored analysis or scan.

    :raises ServiceError: `overloaded`, if it could not be written in time.
    """
    data = result.encode()
    starts = range(0, len(data), PIECE_BYTES)
    parts = [RunPart(data[start : start + PIECE_BYTES]) for start in starts]
    parts.append(RunPart(b"", fingerprints or "[]", uri))
    try:
        pieces = list(texts.run(account_id, RUN_SARIF, parts, len(data)))
    except TextWorkError:
        raise ServiceError(
            ErrorCode.OVERLOADED,
            "The SARIF log could not be written in time. Try again, or read the run as JSON.",
            retry_after=5,
        ) from None
    return b"".join(pieces)
