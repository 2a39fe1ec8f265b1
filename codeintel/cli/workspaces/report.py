"""The proof loop in a terminal: waiting for it, and its report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from codeintel.base.wording import printable
from codeintel.cli.common import terminal_width, wants_colour, write, write_line
from codeintel.cli.outcome import as_text, suppressed_by
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
    """The report behind a verdict; none where nothing was analyzed, and where it cannot be had,
    which is said: the verdict stands without it."""
    if status.status not in {ProofState.PASSED, ProofState.FAILED, ProofState.INCOMPLETE}:
        return None
    try:
        with told():
            return client.report(session_id, status.revision)
    except Failure as error:
        write_line(f"The report cannot be had: {error.message}", err=True)
        return None


def show_report(report: ProofReport, address: str) -> None:
    """Write the worst findings, the new ones first, and how many came and went."""
    found = sorted(
        (each for each in report.findings if not suppressed_by(each.finding)),
        key=lambda each: (each.comparison != _NEW, _rank(each), each.path),
    )
    colour = wants_colour(sys.stdout)
    for each in found[:MOST]:
        text = FindingText(printable(each.path.lstrip("/")), colour=colour, width=terminal_width())
        write(text.lines(each.finding))
    if len(found) > MOST:
        write_line(f"{len(found) - MOST:,} findings more: GET {address}")
    for line in _changes(report):
        write_line(line)


def report_address(client: WorkspaceClient, session_id: str, status: ProofStatus) -> str:
    """Where a key gets the whole report, also as SARIF, CSV and HTML."""
    return f"{client.url}{report_path(session_id, status.revision)}"


def _changes(report: ProofReport) -> Iterator[str]:
    summary = report.summary
    if summary.against is not None:
        yield (
            f"{summary.new or 0:,} new, {summary.fixed or 0:,} fixed, {summary.same or 0:,} the "
            f"same as in revision {summary.against}."
        )


def _rank(each: ReportedFinding) -> int:
    severity: Any = as_text(each.finding.get("severity"))
    return _WORST_FIRST.index(severity) if severity in _WORST_FIRST else len(_WORST_FIRST)


class NoVerdict(Failure):
    """Ends the command when what was pushed has no verdict."""

    exit_code = EXIT_NOT_COMPLETED


def wait_for_proof(client: WorkspaceClient, session_id: str, status: ProofStatus) -> ProofStatus:
    """Show how the proof loop goes on, up to its end, which is returned. What waits for its turn is
    done at once.

    :raises NoVerdict: if the service cannot be asked any more.
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
    """The command's exit status for an ended proof loop."""
    if status.status is ProofState.PASSED:
        return 0
    return EXIT_FAILED if status.status is ProofState.FAILED else EXIT_NOT_COMPLETED
