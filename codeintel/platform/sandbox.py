"""Start sandboxes, read their output within limits, and prove them tight before their first use."""

from __future__ import annotations

import base64
import fcntl
import os
import platform
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from gevent import socket, subprocess
from gevent.lock import RLock

from codeintel.base.bounded_child import listen
from codeintel.base.confinement import filters
from codeintel.base.greenlets import FairSlots
from codeintel.engine.sandbox import bubblewrap
from codeintel.engine.sandbox.records import (
    Ended,
    InterferenceError,
    Line,
    SandboxUnavailableError,
    said,
)

MAX_OUTPUT_BYTES = 2 * 1024 * 1024
_COMPLAINT_BYTES = 300
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
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
_SECONDS = 10.0
_SPIN_SECONDS = 1.0
_VARIABLE = "CODEINTEL_CANARY"
_CANARY = "canary"
_ATTEMPTS = 25


class Sandbox:
    """Runs jobs of :mod:`codeintel.engine.sandbox.inside`, a limited number at a time.

    Accounts take turns. Whether the sandbox is safe is checked once, before the first job.
    """

    def __init__(self, slots: int) -> None:
        self._slots = FairSlots(slots)
        self._lock = RLock()
        self._reason: str | None = None
        self._is_proved = False

    def prove(self) -> None:
        """Check that the sandbox holds.

        :raises SandboxUnavailableError: if it does not hold, or no sandbox exists.
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
        """Do a job in its own sandbox, when it is the account's turn.

        :param seconds: time after which the job is killed.
        :raises SandboxUnavailableError: as :meth:`prove`.
        """
        self.prove()
        with self._slots.taken(account_id):
            return start(job, seconds, hash_seed)


def weakness() -> str | None:
    """Return why the sandbox cannot be trusted, or None if no probe escaped from it."""
    try:
        return _escape() or _endless()
    except SandboxUnavailableError as error:
        return str(error)
    except (InterferenceError, OSError):
        return "its probes could not run"


def _escape() -> str | None:
    """Return the first escape that succeeds, or None. Each has a target outside to succeed with."""
    with canary() as (targets, folder, door):
        ended = start({"do": "probe", "attempt": "escape", **targets}, _SECONDS)
        lines = said(ended)
        if not any(line.what == "finished" for line in lines):
            return _not_started(lines, ended.complaint)
        for line in lines:
            if line.what == "attempt" and line.succeeded:
                return f"code in it can {line.name}"
        if sum(line.what == "attempt" for line in lines) != _ATTEMPTS:
            return "its probes are incomplete"
        if was_written(folder):
            return "code in it can write files outside"
        if was_reached(door):
            return "code in it can connect to the loopback address"
    return None


@contextmanager
def canary() -> Iterator[tuple[dict[str, Any], Path, socket.socket]]:
    """Yield targets outside a sandbox, for a probe that tries to reach them.

    The targets are the file, the port, the process and the environment variable as fields of the
    probe's job. The folder of the file and the listening socket follow.
    """
    with tempfile.TemporaryDirectory(prefix="codeintel-canary-") as name, socket.socket() as door:
        folder = Path(name)
        file = folder / _CANARY
        file.write_text(secrets.token_hex())
        folder.chmod(0o755)
        door.bind(("127.0.0.1", 0))
        door.listen()
        targets = {
            "canary": str(file),
            "port": door.getsockname()[1],
            "process": os.getpid(),
            "variable": _VARIABLE,
        }
        os.environ[_VARIABLE] = "1"
        try:
            yield targets, folder, door
        finally:
            os.environ.pop(_VARIABLE, None)


def was_written(folder: Path) -> bool:
    """Return whether a probe has changed the files next to the canary."""
    return [each.name for each in folder.iterdir()] != [_CANARY]


def was_reached(door: socket.socket) -> bool:
    """Return whether a probe has connected to the socket of the canary."""
    door.settimeout(0)
    with suppress(BlockingIOError, TimeoutError):
        connection, _ = door.accept()
        connection.close()
        return True
    return False


def _not_started(lines: list[Line], complaint: str) -> str:
    if lines:
        return "a probe ended it"
    first = (complaint.strip().splitlines() or ["it did not start"])[0]
    return " ".join("".join(each if each.isprintable() else " " for each in first).split())


def _endless() -> str | None:
    """Return why an endless job does not end, or None if it is ended in time."""
    begun = time.monotonic()
    ended = start({"do": "probe", "attempt": "spin"}, _SPIN_SECONDS)
    if ended.status is not None or time.monotonic() - begun > 5 * _SPIN_SECONDS:
        return "code in it can run forever"
    if [line.what for line in said(ended)] != ["spinning"]:
        return "it is slow to start"
    return None


def start(job: dict[str, Any], seconds: float, hash_seed: int = 0) -> Ended:
    """Do a job in a sandbox that has not been checked, for the probes.

    :raises SandboxUnavailableError: if no sandbox exists.
    """
    program = bubblewrap.found() if sys.platform == "linux" else None
    if program is None:
        raise SandboxUnavailableError("bubblewrap is not installed")
    machine = platform.machine()
    try:
        first = filters.compiled(machine, at_the_start=True)
        second = base64.b64encode(filters.compiled(machine)).decode()
        given = msgspec.json.encode({**job, "filter": second, "limits": _LIMITS})
        with sealed(first) as descriptor:
            command = bubblewrap.command(program, descriptor, hash_seed)
            return run(command, descriptor, given, seconds)
    except filters.UnknownMachineError as error:
        raise SandboxUnavailableError(str(error)) from None
    except OSError as error:
        raise SandboxUnavailableError(f"it cannot be started: {error.strerror}") from None


def run(command: list[str], filter_descriptor: int, job: bytes, seconds: float) -> Ended:
    """Run a command until it ends, exceeds its time or writes too much.

    Afterwards, neither it nor any process that it started is left. Other greenlets run meanwhile.

    :param filter_descriptor: where the command reads its filter of system calls from.
    :param job: its standard input.
    :raises OSError: if it cannot be started.
    """
    with sealed(job) as given, _memory() as complaints:
        process = subprocess.Popen(
            command,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=complaints,
            pass_fds=[filter_descriptor],
            env={},
            cwd="/",
            start_new_session=True,
        )
        begun = time.monotonic()
        heard = listen(process, seconds, MAX_OUTPUT_BYTES)
        complaint = os.pread(complaints, _COMPLAINT_BYTES, 0).decode(errors="replace")
    seconds_taken = time.monotonic() - begun
    return Ended(heard.output, complaint, heard.status, seconds_taken, heard.said_too_much)


@contextmanager
def _memory() -> Iterator[int]:
    """Yield the descriptor of a file in memory."""
    descriptor = os.memfd_create("sandbox", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def sealed(content: bytes) -> Iterator[int]:
    """Yield the descriptor of a read-only file in memory."""
    with _memory() as descriptor:
        view = memoryview(content)
        while view:
            view = view[os.write(descriptor, view) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
        yield descriptor
