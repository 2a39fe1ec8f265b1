"""Workspaces in words. Pure."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from codeintel.base.text.quantities import counted, size
from codeintel.contracts.workspaces.records import ProofState, ProofStatus
from codeintel.workspaces.records import Origin, RevisionRecord

PROOF = {
    ProofState.QUEUED: "Waiting for analysis",
    ProofState.RUNNING: "Being analysed",
    ProofState.PASSED: "Passed",
    ProofState.FAILED: "Failed",
    ProofState.INCOMPLETE: "Incomplete",
    ProofState.SKIPPED: "Not analysed",
}
"""Each state of the proof loop."""
_ORIGINS = {Origin.PUSH: "Pushed", Origin.EDIT: "Edited", Origin.RESTORE: "Restored"}


def proof_words(status: ProofStatus) -> str:
    """How the proof loop stands, in a sentence."""
    if status.status is ProofState.RUNNING and status.total is not UNSET:
        done = 0 if status.done is UNSET else status.done
        return f"{done:,} of {counted(status.total, 'file')} analysed so far."
    return "" if status.reason is UNSET else status.reason


def origin_words(revision: RevisionRecord) -> str:
    """How a revision came about."""
    if revision.restored_from is not None:
        return f"{_ORIGINS[revision.origin]} from revision {revision.restored_from:,}"
    return _ORIGINS[revision.origin]


class StorageView(NamedTuple):
    """What is stored of what may be: bytes, and in words."""

    used: int
    limit: int
    told: str


def storage_view(used: int, limit: int) -> StorageView:
    """The storage of an account."""
    return StorageView(used, limit, f"{size(used)} of {size(limit)}")
