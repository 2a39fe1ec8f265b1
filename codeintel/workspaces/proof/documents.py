"""Reports as they are stored: compressed JSON, of up to twenty thousand findings.

To write or read a large one in one go takes a fifth of a second. Where others wait meanwhile it is
done with pauses.
"""

from __future__ import annotations

import zlib

import msgspec

from codeintel.base.concurrency.pace import Pace, letting_others_run
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.workspaces.proof.shapes import (
    HotSpot,
    LanguageShare,
    Manifest,
    Report,
    ReportedFinding,
    ReportSummary,
)

_STEP_BYTES = 256 * 1024
_encode = msgspec.json.Encoder().encode
_finding = msgspec.json.Decoder(ReportedFinding).decode
Findings = tuple[ReportedFinding, ...]


class Before(msgspec.Struct, frozen=True):
    """What a report is compared with: the part of a document that is needed for it."""

    summary: ReportSummary
    findings: Findings


class _Outline(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A report whose findings are not decoded yet: its fields are those of :class:`Report`."""

    summary: ReportSummary
    engine: str
    findings: tuple[msgspec.Raw, ...]
    fixed: tuple[msgspec.Raw, ...]
    languages: tuple[LanguageShare, ...]
    hot_spots: tuple[HotSpot, ...]
    secrets: tuple[SkippedFile, ...]
    unchecked: tuple[SkippedFile, ...]
    manifests: tuple[Manifest, ...]
    trust_asked: bool
    notes: tuple[str, ...] = ()


class _BeforeOutline(msgspec.Struct, frozen=True):
    summary: ReportSummary
    findings: tuple[msgspec.Raw, ...]


def encoded(report: Report) -> bytes:
    """A report as JSON, with pauses."""
    parts = {
        name: tuple(msgspec.Raw(_encode(each)) for each in letting_others_run(found))
        for name, found in (("findings", report.findings), ("fixed", report.fixed))
    }
    fields = {name: getattr(report, name) for name in _Outline.__struct_fields__}
    return _encode(_Outline(**{**fields, **parts}))


def packed(report: Report) -> bytes:
    """A report as it is stored, made with pauses."""
    data, packer, pace = memoryview(encoded(report)), zlib.compressobj(), Pace()
    pieces = []
    for start in range(0, len(data), _STEP_BYTES):
        pieces.append(packer.compress(data[start : start + _STEP_BYTES]))
        pace.pause()
    pieces.append(packer.flush())
    return b"".join(pieces)


def unpacked(document: bytes) -> Report:
    """The inverse of :func:`packed`, with pauses."""
    outline = msgspec.json.decode(_inflated(document), type=_Outline)
    fields = {name: getattr(outline, name) for name in _Outline.__struct_fields__}
    parts = {"findings": _findings(outline.findings), "fixed": _findings(outline.fixed)}
    return Report(**{**fields, **parts})


def unpacked_before(document: bytes) -> Before:
    """The part of a document that the next report is compared with, read with pauses."""
    outline = msgspec.json.decode(_inflated(document), type=_BeforeOutline)
    return Before(outline.summary, _findings(outline.findings))


def _findings(raw: tuple[msgspec.Raw, ...]) -> Findings:
    return tuple(_finding(each) for each in letting_others_run(raw))


def _inflated(document: bytes) -> bytes:
    inflater, pace, pieces = zlib.decompressobj(), Pace(), []
    rest = document
    while rest:
        pieces.append(inflater.decompress(rest, _STEP_BYTES))
        rest = inflater.unconsumed_tail
        pace.pause()
    return b"".join([*pieces, inflater.flush()])
