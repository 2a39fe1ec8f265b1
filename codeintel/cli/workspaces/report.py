"""The proof loop on a terminal: wait for the verdict, and show the report."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from codeintel.base.wording import counted
from codeintel.cli.outcome import as_text, suppressed_by
from codeintel.cli.output import terminal_width, wants_colour, write, write_line
from codeintel.cli.remote import EXIT_NOT_COMPLETED
from codeintel.cli.render import FindingText
from codeintel.cli.workspaces.folder import proof_line, told
from codeintel.client import StreamBroken
from codeintel.client.workspaces.api import (
    PROOF_ENDED,
    ProofReport,
    ReportedFinding,
    WorkspaceClient,
    report_path,
)
from codeintel.contracts import Severity
from codeintel.contracts.workspaces.records import ProofState, ProofStatus
from codeintel.server.opening import Failure

MOST = 20
_WORST_FIRST = tuple(Severity)
_NEW = "new"
EXIT_FAILED = 1


def report_on(client: WorkspaceClient, session_id: str, status: ProofStatus) -> ProofReport | None:
    """Return the report of a verdict, or None if nothing was analyzed. If the report cannot be
    fetched, warn and return None."""
    if status.status not in {ProofState.PASSED, ProofState.FAILED, ProofState.INCOMPLETE}:
        return None
    try:
        with told():
            return client.report(session_id, status.revision)
    except Failure as error:
        write_line(f"The report could not be fetched: {error.message}", err=True)
        return None


def show_report(report: ProofReport, address: str, texts: Mapping[str, str]) -> None:
    """Write the worst findings, new ones first, and the changes since the last report.

    :param texts: the pushed files, for code frames on a terminal.
    """
    found = sorted(
        (each for each in report.findings if not suppressed_by(each.finding)),
        key=lambda each: (each.comparison != _NEW, _rank(each), each.path),
    )
    colour, width = wants_colour(sys.stdout), terminal_width()
    for each in found[:MOST]:
        code = texts.get(each.path) if sys.stdout.isatty() else None
        text = FindingText(each.path.lstrip("/"), code=code, colour=colour, width=width)
        write(text.lines(each.finding))
    if len(found) > MOST:
        write_line(f"{counted(len(found) - MOST, 'more finding')}: GET {address}")
    for line in _changes(report):
        write_line(line)


def report_address(client: WorkspaceClient, session_id: str, status: ProofStatus) -> str:
    """Return the address of the full report for API clients, also as SARIF, CSV and HTML."""
    return f"{client.url}{report_path(session_id, status.revision)}"


def _changes(report: ProofReport) -> Iterator[str]:
    summary = report.summary
    if summary.against is not None:
        yield (
            f"Compared with revision {summary.against}: {summary.new or 0:,} new, "
            f"{summary.fixed or 0:,} fixed, {summary.same or 0:,} unchanged."
        )


def _rank(each: ReportedFinding) -> int:
    severity: Any = as_text(each.finding.get("severity"))
    return _WORST_FIRST.index(severity) if severity in _WORST_FIRST else len(_WORST_FIRST)


class NoVerdict(Failure):
    """Ends the command if the proof loop gave no verdict."""

    exit_code = EXIT_NOT_COMPLETED


def wait_for_proof(client: WorkspaceClient, session_id: str, status: ProofStatus) -> ProofStatus:
    """Show the progress of the proof loop and return its final status. A queued proof starts
    immediately.

    :raises NoVerdict: if the connection to the service is lost.
    """
    try:
        with told():
            if status.status is ProofState.QUEUED:
                status = client.request_proof(session_id)
            shown = ""
            if status.status not in PROOF_ENDED:
                for status in client.follow_proof(session_id):
                    line = proof_line(status)
                    if line != shown and status.status not in PROOF_ENDED:
                        write_line(line, err=True)
                    shown = line
    except StreamBroken as error:
        raise NoVerdict(str(error)) from None
    except Failure as error:
        raise NoVerdict(error.message) from None
    return status


def verdict(status: ProofStatus) -> int:
    """Return the exit status for the final status of the proof loop."""
    if status.status is ProofState.PASSED:
        return 0
    return EXIT_FAILED if status.status is ProofState.FAILED else EXIT_NOT_COMPLETED
