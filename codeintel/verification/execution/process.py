"""One process in a sandbox: given its job, listened to within bounds, and ended."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import gevent
from gevent import subprocess

MAX_OUTPUT_BYTES = 2 * 1024 * 1024
_PIECE_BYTES = 65_536
_COMPLAINT_BYTES = 300
_END_SECONDS = 2.0
_QUIET: Any = False
"""Has a time-out of gevent's end its block without an exception."""
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


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


def run(command: list[str], filter_descriptor: int, job: bytes, seconds: float) -> Ended:
    """Run a command until it ends by itself, is over its time or has said too much; after that
    neither it nor anything that it started is left. Other greenlets run meanwhile.

    :param filter_descriptor: what the command reads its filter of system calls from.
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
        pieces: list[bytes] = []
        status: int | None = None
        said_too_much = False
        try:
            with gevent.Timeout(seconds, _QUIET):
                said_too_much = not _drained(process.stdout, pieces)
                if not said_too_much:
                    status = process.wait()
        finally:
            _end(process)
        complaint = os.pread(complaints, _COMPLAINT_BYTES, 0).decode(errors="replace")
    seconds_taken = time.monotonic() - begun
    return Ended(b"".join(pieces), complaint, status, seconds_taken, said_too_much)


def _drained(stream: Any, pieces: list[bytes]) -> bool:
    """Read to the end; False if there is too much."""
    size = 0
    while piece := stream.read1(_PIECE_BYTES):
        size += len(piece)
        if size > MAX_OUTPUT_BYTES:
            return False
        pieces.append(piece)
    return True


def _end(process: Any) -> None:
    """Kill the process with its group. What is in the sandbox dies with it, which shows in that
    nobody holds the other end of the pipe any more."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with gevent.Timeout(_END_SECONDS, _QUIET), suppress(OSError, ValueError):
        while process.stdout.read1(_PIECE_BYTES):
            pass
    process.stdout.close()


@contextmanager
def _memory() -> Iterator[int]:
    """A file in memory."""
    descriptor = os.memfd_create("sandbox", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def sealed(content: bytes) -> Iterator[int]:
    """A file in memory that nobody can change."""
    with _memory() as descriptor:
        view = memoryview(content)
        while view:
            view = view[os.write(descriptor, view) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
        yield descriptor
