"""Read a child process's output within limits, then end the process and its children."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Any, NamedTuple

import gevent

_PIECE_BYTES = 65_536
_END_SECONDS = 2.0
_QUIET: Any = False
"""Makes a gevent timeout end its block without an exception."""


class Heard(NamedTuple):
    """The output of a process and how it ended.

    :param output: the output up to the size limit.
    :param status: its exit status. None if it was killed because of its time or its output.
    :param said_too_much: whether it was killed because of its output.
    """

    output: bytes
    status: int | None
    said_too_much: bool


def listen(process: Any, seconds: float, most_bytes: int) -> Heard:
    """Read a process's output until the process ends, its time is up or the output is too long.
    Then kill the process and its group. Other greenlets run in the meantime.

    :param process: a `gevent.subprocess.Popen` whose `stdout` is a pipe. Start it with
        `start_new_session`, because it is killed with its group.
    :param most_bytes: the size limit of its output.
    """
    pieces: list[bytes] = []
    status: int | None = None
    said_too_much = False
    try:
        with gevent.Timeout(seconds, _QUIET):
            said_too_much = not _drained(process.stdout, pieces, most_bytes)
            if not said_too_much:
                status = process.wait()
    finally:
        _end(process)
    return Heard(b"".join(pieces), status, said_too_much)


def _drained(stream: Any, pieces: list[bytes], most_bytes: int) -> bool:
    """Read to the end. Return False if the output is too long."""
    size = 0
    while piece := stream.read1(_PIECE_BYTES):
        size += len(piece)
        if size > most_bytes:
            return False
        pieces.append(piece)
    return True


def _end(process: Any) -> None:
    """Kill the process and its group. A sandbox inside dies with it, so wait until the other end of
    the pipe is closed.
    """
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with gevent.Timeout(_END_SECONDS, _QUIET), suppress(OSError, ValueError):
        while process.stdout.read1(_PIECE_BYTES):
            pass
    process.stdout.close()
