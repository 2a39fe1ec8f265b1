"""The sandbox as the rest of the service sees it: proved shut before its first use."""

from __future__ import annotations

import base64
import platform
import sys
from typing import Any

import msgspec
from gevent.lock import RLock

from codeintel.fair import FairSlots
from codeintel.verification.execution import bubblewrap, filters, process, reports

MEGABYTE = 1024 * 1024
MEMORY_BYTES = 512 * MEGABYTE
_LIMITS = {
    "memory": MEMORY_BYTES,
    "cpu": 5,
    "file": MEGABYTE,
    "descriptors": 256,
    "processes": 1,
    "core": 0,
    "queues": 0,
    "locked": 0,
}


class SandboxUnavailableError(Exception):
    """There is no sandbox here that could be trusted; the text says why."""


class Sandbox:
    """Runs jobs of :mod:`inside`, so many at a time, in turns between accounts.

    Whether it can be trusted is found out before the first job, once.
    """

    def __init__(self, slots: int) -> None:
        self._slots = FairSlots(slots)
        self._lock = RLock()
        self._reason: str | None = None
        self._is_proved = False

    def prove(self) -> None:
        """See whether it holds.

        :raises SandboxUnavailableError: if it does not, or there is none.
        """
        from codeintel.verification.execution.probes import weakness

        with self._lock:
            if not self._is_proved:
                self._reason = weakness()
                self._is_proved = True
        if self._reason is not None:
            raise SandboxUnavailableError(self._reason)

    def run(
        self, account_id: str, job: dict[str, Any], seconds: float, *, hash_seed: int = 0
    ) -> process.Ended:
        """Do a job in a sandbox of its own, when it is the account's turn.

        :param seconds: after which it is killed.
        :raises SandboxUnavailableError: as :meth:`prove`.
        """
        self.prove()
        with self._slots.taken(account_id):
            return start(job, seconds, hash_seed)


def start(job: dict[str, Any], seconds: float, hash_seed: int = 0) -> process.Ended:
    """Do a job in a sandbox that nobody has looked at: for the probes.

    :raises SandboxUnavailableError: if there is none.
    """
    program = bubblewrap.found() if sys.platform == "linux" else None
    if program is None:
        raise SandboxUnavailableError("bubblewrap is not installed")
    machine = platform.machine()
    try:
        first = filters.compiled(machine, at_the_start=True)
        second = base64.b64encode(filters.compiled(machine)).decode()
        given = msgspec.json.encode({**job, "filter": second, "limits": _LIMITS})
        with process.sealed(first) as descriptor:
            command = bubblewrap.command(program, descriptor, hash_seed)
            return process.run(command, descriptor, given, seconds)
    except filters.UnknownMachineError as error:
        raise SandboxUnavailableError(str(error)) from None
    except OSError as error:
        raise SandboxUnavailableError(f"it cannot be started: {error.strerror}") from None


def said(ended: process.Ended) -> list[reports.Line]:
    """What was said in it.

    :raises reports.InterferenceError: as :func:`reports.lines`.
    """
    if ended.said_too_much:
        raise reports.InterferenceError
    return reports.lines(ended.output)
