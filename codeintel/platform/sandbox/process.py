"""One process in a sandbox: given its job, listened to within bounds, and ended."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from gevent import subprocess

from codeintel.base.concurrency.bounded_child import listen
from codeintel.engine.sandbox.host import Ended

MAX_OUTPUT_BYTES = 2 * 1024 * 1024
_COMPLAINT_BYTES = 300
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


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
        heard = listen(process, seconds, MAX_OUTPUT_BYTES)
        complaint = os.pread(complaints, _COMPLAINT_BYTES, 0).decode(errors="replace")
    seconds_taken = time.monotonic() - begun
    return Ended(heard.output, complaint, heard.status, seconds_taken, heard.said_too_much)


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
