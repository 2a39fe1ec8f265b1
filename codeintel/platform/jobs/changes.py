"""What changes in the row of a job when it leaves its holder."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement

from codeintel.contracts.states import JobState
from codeintel.platform.db.clock import database_now_ms
from codeintel.platform.db.models import now_ms

Epoch = int | ColumnElement[int]
"""The one that a job has now: a number, or the column where many jobs change at once."""


def queued(epoch: Epoch, pause_ms: int = 0) -> dict[str, Any]:
    """The values of a job that nobody holds any more."""
    return {
        "state": JobState.QUEUED,
        "epoch": epoch + 1,
        "owner": None,
        "lease_ms": None,
        "sent_ms": None,
        "run_after_ms": database_now_ms() + pause_ms,
    }


def cancelled(epoch: Epoch) -> dict[str, Any]:
    """The values of a job that ran and was cancelled."""
    return {
        "state": JobState.CANCELLED,
        "epoch": epoch + 1,
        "lease_ms": None,
        "finished_ms": now_ms(),
    }


def failed(epoch: Epoch, error: str) -> dict[str, Any]:
    """The values of a job that ran and is not tried again.

    :param error: for operators.
    """
    return {**cancelled(epoch), "state": JobState.FAILED, "error": error}
