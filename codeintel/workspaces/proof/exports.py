"""Reports as files: CSV, SARIF and JSON, written by worker processes. Pure."""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import UNSET

from codeintel.contracts import RuleInfo
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.workspaces.records import ProofState
from codeintel.engine.sarif import Artifact, FileFindings, Tree, path_uri, tree_log
from codeintel.engine.sarif.findings import Rules
from codeintel.platform.workers.text_functions import TextFunction
from codeintel.workspaces.proof.shapes import BaselineState, Report, ReportedFinding
from codeintel.workspaces.records import WorkspaceRecord

COLUMNS = (
    "path",
    "startLine",
    "startColumn",
    "endLine",
    "endColumn",
    "severity",
    "confidence",
    "category",
    "cwe",
    "engine",
    "rule",
    "message",
    "remedy",
    "excerpt",
    "comparison",
    "fingerprint",
)
# What spreadsheets take for the beginning of a formula, also in the width of East Asian letters.
_FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
# A cell that begins so; with blanks or quotes before, which some leave out.
_BEGINS = re.compile(rf"[ \u00a0\"]*[{_FORMULA}\t\r\n]")
# Within a cell, behind what another setting of the spreadsheet takes for the end of a cell or row.
_WITHIN = re.compile(rf"([;\t\r\n][ \u00a0\"]*)(?=[{_FORMULA}])")
_BASELINES = {
    BaselineState.NEW: "new",
    BaselineState.SAME: "unchanged",
    BaselineState.FIXED: "absent",
}
_UNFINISHED = frozenset({ProofState.INCOMPLETE, ProofState.SKIPPED})
_REPOSITORY = re.compile(r"https://[\w.:\[\]-]+(?:/[!-~]*)?", re.ASCII)
PIECE_BYTES = 1024 * 1024
MOST_BYTES = 128 * 1024 * 1024


def csv_text(report: Report) -> str:
    """One line for each finding, those that are fixed behind the others; lines end at CR LF.

    A text that a spreadsheet would take for a formula begins with an apostrophe, and so does what
    follows a semicolon, tab or line end in it, where other spreadsheets begin a cell.
    """
    written = io.StringIO(newline="")
    rows = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    rows.writerows(_row(each) for each in (*report.findings, *report.fixed))
    return written.getvalue()


def safe_cell(text: str) -> str:
    """The text as no spreadsheet computes it."""
    text = _WITHIN.sub(r"\1'", text)
    return f"'{text}" if _BEGINS.match(text) else text


def _row(reported: ReportedFinding) -> Sequence[str | int]:
    finding, place = reported.finding, reported.finding.range
    return (
        safe_cell(reported.path),
        place.start_line,
        place.start_column,
        place.end_line,
        place.end_column,
        finding.severity.value,
        finding.confidence.value,
        finding.category.value,
        safe_cell(finding.cwe or ""),
        safe_cell(finding.engine),
        safe_cell(finding.rule_id),
        safe_cell(finding.message),
        safe_cell("" if finding.remedy is UNSET else finding.remedy),
        safe_cell(reported.excerpt),
        "" if reported.comparison is UNSET else reported.comparison.value,
        reported.fingerprint,
    )


def sarif(report: Report, session: WorkspaceRecord, rules: Rules, service: str) -> dict[str, Any]:
    """The findings as a SARIF 2.1.0 log, ready for a JSON encoder. Against a report before, each
    tells by `baselineState` whether it is `new` or `unchanged`, and those that are fixed are there
    as `absent`.

    :param rules: what is known about rules, by analyzer; of others their findings tell.
    :param service: the address of the service, whose pages of rules are referred to.
    """
    summary = report.summary
    left_out = (*report.secrets, *report.unchecked)
    unfinished = summary.reason if summary.status in _UNFINISHED else ""
    tree = Tree(
        files=_files(report),
        engine=report.engine,
        unchecked=[(path_uri(each.path), f"Not analyzed: {each.reason}") for each in left_out],
        unfinished=unfinished,
        about=_about(report, session),
    )
    return tree_log(tree, rules, service=service)


def _files(report: Report) -> list[FileFindings]:
    """By path: those with findings, then those of which all are fixed, whether they are there or
    not."""
    of_file: dict[str, list[ReportedFinding]] = {}
    for each in (*report.findings, *report.fixed):
        of_file.setdefault(each.path, []).append(each)
    present = {each.path for each in report.findings}
    return [
        FileFindings(
            artifact=Artifact(
                path_uri(path),
                fingerprints=[each.fingerprint for each in found],
                is_analyzed=path in present,
            ),
            findings=[each.finding for each in found],
            language=language_of_path(path),
            baselines=_baselines(found, report),
        )
        for path, found in sorted(of_file.items())
    ]


def _baselines(found: Sequence[ReportedFinding], report: Report) -> list[str]:
    """All of a log tell it, or none."""
    if report.summary.against is None:
        return []
    return [
        _BASELINES[BaselineState.NEW if each.comparison is UNSET else each.comparison]
        for each in found
    ]


def _about(report: Report, session: WorkspaceRecord) -> dict[str, Any]:
    """Which run of which workspace it is, and the repository if its address can be told."""
    summary = report.summary
    about: dict[str, Any] = {
        "automationDetails": {"id": f"codeintel/workspace/{session.id}/{summary.revision}"}
    }
    if _REPOSITORY.fullmatch(session.remote_url):
        provenance = {"repositoryUri": session.remote_url}
        if session.branch_name:
            provenance["branch"] = session.branch_name
        about["versionControlProvenance"] = [provenance]
    return about


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
        return csv_text(report).encode("utf-8", "replace")
    return msgspec.json.encode(sarif(report, part.session, part.rules, part.origin))


EXPORT = TextFunction(
    "export",
    exported,
    ExportPart,
    bytes,
    seconds=30.0,
    most_seconds=45.0,
    most_bytes=MOST_BYTES,
)
