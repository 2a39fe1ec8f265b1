"""The results of contents, which a scan reuses, and the results of files, which it yields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from codeintel.contracts import Finding
from codeintel.contracts.scans.records import (
    Cause,
    CrossFileResult,
    FileResult,
    FoundFile,
    ScanFinding,
)
from codeintel.engine.sarif.excerpts import Excerpts
from codeintel.engine.sarif.fingerprints import place

Read = Callable[[], str]
"""Returns the content of a file.

It is called only if needed. It raises OSError or ValueError if the content cannot be read or has
changed. The message of a ValueError becomes the reason.
"""
ScanFile = tuple[FoundFile, Read]


class ResultKey(NamedTuple):
    """The identity of a result.

    `sha256` is the digest of the content. `made_by` is a digest of everything else that the result
    depends on: the rules, the engine, the model and the language.
    """

    sha256: str
    made_by: str


class ResultStore(Protocol):
    """Stores results between scans. It may forget any of them at any time."""

    def get(self, keys: Sequence[ResultKey]) -> Mapping[ResultKey, bytes]:
        """Return the stored results. At most 1,000 keys are requested at a time."""

    def put(self, results: Mapping[ResultKey, bytes]) -> None:
        """Store results. An existing one may stay, because an equal key means an equal result."""


class MemoryResults:
    """A store for one process, without a limit."""

    def __init__(self) -> None:
        self._kept: dict[ResultKey, bytes] = {}

    def get(self, keys: Sequence[ResultKey]) -> Mapping[ResultKey, bytes]:
        """Return the stored results."""
        return {key: self._kept[key] for key in keys if key in self._kept}

    def put(self, results: Mapping[ResultKey, bytes]) -> None:
        """Store results."""
        self._kept.update(results)


class ContentResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one content, for any path.

    It has no part of the content but what findings quote: names and short expressions in messages,
    and code in fixes.

    `fingerprints` belong to `findings`, in their order.
    """

    lines: int
    findings: tuple[Finding, ...] = ()
    fingerprints: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    cause: Cause | UnsetType = UNSET


encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(ContentResult)


def decode(data: bytes) -> ContentResult | None:
    """Return a stored result, or None if its format is unknown."""
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def file_result(
    file: FoundFile, content: ContentResult, text: str | None, *, cached: bool
) -> FileResult:
    """Return the result of a file.

    :param text: the content, for excerpts. Without it, excerpts are empty.
    """
    excerpts = excerpts_of(content.findings, text) if text is not None else None
    return FileResult(
        path=file.path,
        sha256=file.sha256,
        language=file.language,
        lines=content.lines,
        findings=tuple(
            ScanFinding(
                path=file.path,
                finding=finding,
                fingerprint=fingerprint,
                excerpt=excerpts[number] if excerpts is not None else "",
            )
            for number, (finding, fingerprint) in enumerate(
                zip(content.findings, content.fingerprints, strict=True)
            )
        ),
        unchecked=content.unchecked,
        cause=content.cause,
        cached=cached,
    )


def not_analyzed(file: FoundFile, cause: Cause, reason: str) -> FileResult:
    """Return the result of a file that was not analyzed."""
    content = ContentResult(lines=0, unchecked=(reason,), cause=cause)
    return file_result(file, content, None, cached=False)


def with_excerpts(result: FileResult, text: str) -> FileResult:
    """Return a result with excerpts from the content of its file.

    Services send none, because they delete contents.
    """
    if not result.findings:
        return result
    excerpts = excerpts_of([each.finding for each in result.findings], text)
    found = tuple(
        msgspec.structs.replace(each, excerpt=excerpt)
        for each, excerpt in zip(result.findings, excerpts, strict=True)
    )
    return msgspec.structs.replace(result, findings=found)


def crossing_with_excerpts(
    result: CrossFileResult, read: Callable[[str], str], known: Mapping[str, Sequence[Finding]]
) -> CrossFileResult:
    """Return what crosses files with excerpts from the files of the sinks.

    :param read: returns the content of a file by its path. If it raises KeyError, OSError or
        ValueError, the finding has no excerpt.
    :param known: the findings of the files by path, for the secrets in the excerpts.
    """
    found = []
    for each in result.findings:
        try:
            excerpt = crossing_excerpt(each.finding, read(each.path), known.get(each.path, ()))
        except (KeyError, OSError, ValueError):
            excerpt = ""
        found.append(msgspec.structs.replace(each, excerpt=excerpt))
    return msgspec.structs.replace(result, findings=tuple(found))


def crossing_excerpt(finding: Finding, text: str, known: Sequence[Finding]) -> str:
    """Return the excerpt of a finding that crosses files.

    :param known: the findings of its file, for the secrets in it.
    """
    return Excerpts(text, (*known, finding)).of(finding)


def by_position(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings as file results have them."""
    return sorted(findings, key=lambda each: (place(each), each.engine, each.lasting_id))


def excerpts_of(findings: Sequence[Finding], text: str) -> list[str]:
    """Return the excerpt of each finding of a file.

    :param findings: all of the file, for the secrets in it.
    """
    excerpts = Excerpts(text, findings)
    return [excerpts.of(finding) for finding in findings]
