"""The sandbox as the rest of the service sees it, and the probes that prove it shut before its
first use."""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from gevent import socket
from gevent.lock import RLock

from codeintel.base.concurrency.fair import FairSlots
from codeintel.engine.sandbox.host import Ended, SandboxUnavailableError, said
from codeintel.engine.sandbox.reports import InterferenceError, Line
from codeintel.platform.sandbox.starting import start

_SECONDS = 10.0
_SPIN_SECONDS = 1.0
_VARIABLE = "CODEINTEL_CANARY"
_ATTEMPTS = 25


def weakness() -> str | None:
    """Why the sandbox is not to be trusted; None if nothing was found that gets out of it."""
    try:
        return _escape() or _endless()
    except SandboxUnavailableError as error:
        return str(error)
    except (InterferenceError, OSError):
        return "its probes could not be run"


def _escape() -> str | None:
    """The first attempt that succeeds, with something there outside for each to succeed with."""
    with tempfile.TemporaryDirectory(prefix="codeintel-canary-") as folder, socket.socket() as door:
        canary = Path(folder) / "canary"
        canary.write_text(secrets.token_hex())
        Path(folder).chmod(0o755)
        door.bind(("127.0.0.1", 0))
        door.listen()
        os.environ[_VARIABLE] = "1"
        try:
            ended = start(
                {
                    "do": "probe",
                    "attempt": "escape",
                    "canary": str(canary),
                    "port": door.getsockname()[1],
                    "process": os.getpid(),
                    "variable": _VARIABLE,
                },
                _SECONDS,
            )
        finally:
            os.environ.pop(_VARIABLE, None)
        lines = said(ended)
        if not any(line.what == "finished" for line in lines):
            return _not_started(lines, ended.complaint)
        for line in lines:
            if line.what == "attempt" and line.succeeded:
                return f"in it one can {line.name}"
        if sum(line.what == "attempt" for line in lines) != _ATTEMPTS:
            return "its probes are not complete"
        if os.listdir(folder) != ["canary"]:  # noqa: PTH208
            return "in it one can write to files outside"
        door.settimeout(0)
        with suppress(BlockingIOError, TimeoutError):
            door.accept()
            return "in it one can connect to the loopback"
    return None


def _not_started(lines: list[Line], complaint: str) -> str:
    if lines:
        return "a probe ended it"
    first = (complaint.strip().splitlines() or ["it did not start"])[0]
    return " ".join("".join(each if each.isprintable() else " " for each in first).split())


def _endless() -> str | None:
    """Whether what does not end is ended."""
    begun = time.monotonic()
    ended = start({"do": "probe", "attempt": "spin"}, _SPIN_SECONDS)
    if ended.status is not None or time.monotonic() - begun > 5 * _SPIN_SECONDS:
        return "in it one can go on for ever"
    if [line.what for line in said(ended)] != ["spinning"]:
        return "it is slow to start"
    return None


class Sandbox:
    """Runs jobs of :mod:`codeintel.engine.sandbox.inside`, so many at a time, in turns between
    accounts.

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
        with self._lock:
            if not self._is_proved:
                self._reason = weakness()
                self._is_proved = True
        if self._reason is not None:
            raise SandboxUnavailableError(self._reason)

    def run(
        self, account_id: str, job: dict[str, Any], seconds: float, *, hash_seed: int = 0
    ) -> Ended:
        """Do a job in a sandbox of its own, when it is the account's turn.

        :param seconds: after which it is killed.
        :raises SandboxUnavailableError: as :meth:`prove`.
        """
        self.prove()
        with self._slots.taken(account_id):
            return start(job, seconds, hash_seed)
