"""What the engine needs of the program that starts sandboxes for it."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from codeintel.engine.sandbox.records import InterferenceError, Line, lines


class Ended(NamedTuple):
    """How a process ended.

    :param output: what it said, as far as there was room.
    :param complaint: the beginning of its standard error.
    :param status: its exit status; None if it was killed for taking too long or saying too much.
    :param seconds: how long it took.
    :param said_too_much: whether it was killed for that.
    """

    output: bytes
    complaint: str
    status: int | None
    seconds: float
    said_too_much: bool


class SandboxUnavailableError(Exception):
    """There is no sandbox here that could be trusted; the text says why."""


class SandboxHost(Protocol):
    """Runs jobs of :mod:`codeintel.engine.sandbox.inside`, each in a separate sandbox."""

    def run(
        self, account_id: str, job: dict[str, Any], seconds: float, *, hash_seed: int = 0
    ) -> Ended:
        """Do a job when it is the account's turn.

        :param seconds: after which it is killed.
        :raises SandboxUnavailableError: if no sandbox can be trusted.
        """


def said(ended: Ended) -> list[Line]:
    """What was said in a sandbox.

    :raises InterferenceError: if the program that ran there may have written some of it.
    """
    if ended.said_too_much:
        raise InterferenceError
    return lines(ended.output)
