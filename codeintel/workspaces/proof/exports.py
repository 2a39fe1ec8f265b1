"""Reports as files: CSV, SARIF and JSON, written by worker processes. Pure functions."""

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
# Characters that spreadsheets read as the start of a formula, also in the width of East Asian
# letters.
_FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
# A cell that starts so. Blanks or quotes may come first, because some spreadsheets drop them.
_BEGINS = re.compile(rf"[ \u00a0\"]*[{_FORMULA}\t\r\n]")
# Within a cell, after what another spreadsheet setting reads as the end of a cell or row.
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
    """Return one line for each finding, fixed ones last. Lines end with CR LF.

    A text that a spreadsheet would read as a formula starts with an apostrophe. So does the text
    after a semicolon, tab or line end, where other spreadsheets start a cell.
    """
    written = io.StringIO(newline="")
    rows = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    rows.writerows(_row(each) for each in (*report.findings, *report.fixed))
    return written.getvalue()


def safe_cell(text: str) -> str:
    """Return the text in a form that no spreadsheet computes."""
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
    """Return the findings as a SARIF 2.1.0 log, ready for a JSON encoder.

    Compared with a previous report, each finding has a `baselineState` of `new` or `unchanged`, and
    fixed findings are included as `absent`.

    :param rules: known rules, by analyzer; other rules are described by their findings.
    :param service: the address of the service, whose pages of rules are linked.
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
    """Return the findings by path: first files with current findings, then files with only
    fixed ones.
    """
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
    """Return the baseline states of all findings, or an empty list without a previous report."""
    if report.summary.against is None:
        return []
    return [
        _BASELINES[BaselineState.NEW if each.comparison is UNSET else each.comparison]
        for each in found
    ]


def _about(report: Report, session: WorkspaceRecord) -> dict[str, Any]:
    """Return the workspace and revision, and the repository if its address may be published."""
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
    """A stored report with the other data of its file. `origin` is the address of the service."""

    format: ExportFormat
    document: bytes
    session: WorkspaceRecord
    rules: dict[str, list[RuleInfo]]
    origin: str


def exported(parts: Iterable[ExportPart]) -> Iterator[bytes]:
    """Yield the files in pieces."""
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
