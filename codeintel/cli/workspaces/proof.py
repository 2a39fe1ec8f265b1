"""Waiting for the proof loop."""

from __future__ import annotations

from codeintel.cli.common import write_line
from codeintel.cli.output.following import EXIT_NOT_COMPLETED
from codeintel.cli.workspaces.folder import proof_line, told
from codeintel.client import StreamBroken
from codeintel.client.workspaces.api import PROOF_ENDED, WorkspaceClient
from codeintel.contracts.workspaces.records import ProofState, ProofStatus
from codeintel.server.opening import Failure

EXIT_FAILED = 1


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
