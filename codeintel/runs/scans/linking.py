"""Summaries of files and their links as functions of worker processes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from codeintel.contracts import Finding
from codeintel.engine.dataflow.project import (
    CrossFinding,
    FileSummary,
    finding_of,
    link,
    summarize,
)
from codeintel.platform.workers.text_functions import TextFunction

Source = tuple[str, str, str]
"""The path, text and language of a file."""
_MOST_ANSWERS = 64 * 1024 * 1024
_MOST_CHARACTERS = 100
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FileSummary).decode


class Summarized(msgspec.Struct, frozen=True, array_like=True):
    """The encoded summary of a file, or an empty one if the file is nested too deeply."""

    summary: bytes


class LinkAnswer(msgspec.Struct, frozen=True, array_like=True):
    """A value that crosses files, or at the end the counts without a finding.

    `path` is the file of the sink. `fingerprint` depends on the rule and the code of source and
    sink, not on lines and paths. `ends` are the limits that were reached.
    """

    path: str = ""
    finding: Finding | None = None
    fingerprint: str = ""
    resolved: int = 0
    unresolved: int = 0
    ends: tuple[str, ...] = ()


def summarized(sources: Iterable[Source]) -> Iterator[Summarized]:
    """Yield the summary of each file."""
    for path, text, language in sources:
        try:
            yield Summarized(_encode(summarize(path, text, language)))
        except RecursionError:
            yield Summarized(b"")


SUMMARIES = TextFunction(
    "scan_summaries",
    summarized,
    Source,
    Summarized,
    seconds=20.0,
    most_seconds=600.0,
    most_bytes=_MOST_ANSWERS,
)
"""Runs in worker processes. Its place must be among the functions of the pool."""


def linked(summaries: Iterable[tuple[str, bytes]]) -> Iterator[LinkAnswer]:
    """Yield what crosses the files with these paths and summaries, then the counts."""
    files = {path: _decode(data) for path, data in summaries}
    found = link(files)
    seen: dict[str, int] = {}
    for each in found.findings:
        mark = _mark(each)
        seen[mark] = seen.get(mark, 0) + 1
        fingerprint = hashlib.sha256(f"{mark}\0{seen[mark]}".encode()).hexdigest()
        yield LinkAnswer(each.path, finding_of(each), fingerprint)
    counts = found.counts
    yield LinkAnswer(resolved=counts.resolved, unresolved=counts.unresolved, ends=found.ends)


LINKS = TextFunction(
    "scan_links",
    linked,
    tuple[str, bytes],
    LinkAnswer,
    seconds=180.0,
    most_seconds=240.0,
    most_bytes=_MOST_ANSWERS,
)
"""Runs in worker processes. Its place must be among the functions of the pool."""


def _mark(found: CrossFinding) -> str:
    """Return a text that stays the same while the code around a path moves."""
    return "\0".join(("cross", found.sink, found.source[:_MOST_CHARACTERS], found.digest))
