"""A child process that is listened to within bounds, and ended with all that it started."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Any, NamedTuple

import gevent

_PIECE_BYTES = 65_536
_END_SECONDS = 2.0
_QUIET: Any = False
"""Has a time-out of gevent's end its block without an exception."""


class Heard(NamedTuple):
    """What came of a process.

    :param output: what it said, as far as there was room.
    :param status: its exit status; None if it was killed for taking too long or saying too much.
    :param said_too_much: whether it was killed for that.
    """

    output: bytes
    status: int | None
    said_too_much: bool


def listen(process: Any, seconds: float, most_bytes: int) -> Heard:
    """Read what a process says until it ends by itself, is over its time or has said too much;
    after that neither it nor anything of its group is left. Other greenlets run meanwhile.

    :param process: a `gevent.subprocess.Popen` whose `stdout` is a pipe, begun with
        `start_new_session`: it is killed with its group.
    :param most_bytes: of its output; what it says beyond them ends it.
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
    """Read to the end; False if there is too much."""
    size = 0
    while piece := stream.read1(_PIECE_BYTES):
        size += len(piece)
        if size > most_bytes:
            return False
        pieces.append(piece)
    return True


def _end(process: Any) -> None:
    """Kill the process with its group. What is in a sandbox of its dies with it, which shows in
    that nobody holds the other end of the pipe any more."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with gevent.Timeout(_END_SECONDS, _QUIET), suppress(OSError, ValueError):
        while process.stdout.read1(_PIECE_BYTES):
            pass
    process.stdout.close()
