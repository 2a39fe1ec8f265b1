"""Run a function in a child process with limits on time and memory."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

WALL_SECONDS = 10.0
CPU_SECONDS = 4
MEMORY_BYTES = 1024 * 1024 * 1024
MAX_ANSWER_BYTES = 1024 * 1024
_PR_SET_PDEATHSIG = 1


class ApartError(Exception):
    """The function raised an exception. The message is its type and place."""


def apart(work: Callable[[], T], kind: type[T]) -> T | None:
    """Return the function's result, which must be a struct or a plain value.

    Return None if the function did not finish. It may use 4 seconds of processor time, 10 seconds
    of wall time and 1 GiB of memory. A process is needed because nothing else can interrupt some
    functions of engines.
    """
    most_bytes = _address_space()  # read here, because a confined child cannot read it
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_end)
            _fence(most_bytes)
            _write(write_end, _answer(work))
        finally:
            os._exit(0)
    os.close(write_end)
    try:
        answer = _heard(read_end)
    finally:
        os.close(read_end)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if answer.startswith(b"-"):
        raise ApartError(answer[1:].decode())
    try:
        return msgspec.msgpack.decode(answer[1:], type=kind)
    except (msgspec.DecodeError, ValueError):
        return None


def _answer(work: Callable[[], Any]) -> bytes:
    try:
        return b"+" + msgspec.msgpack.encode(work())
    except MemoryError:
        return b""
    except Exception as error:  # noqa: BLE001 - raised again on the other side
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"-{type(error).__name__} at {Path(last.filename).name}:{last.lineno}".encode()


def _fence(most_bytes: int) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for limit, value in (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_AS, most_bytes),
    ):
        resource.setrlimit(limit, (value, value))
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)


def _write(end: int, answer: bytes) -> None:
    view = memoryview(answer)
    while view:
        view = view[os.write(end, view) :]


def _heard(end: int) -> bytes:
    until, parts, size = time.monotonic() + WALL_SECONDS, [], 0
    while size <= MAX_ANSWER_BYTES:
        left = until - time.monotonic()
        if left <= 0 or not select.select([end], [], [], left)[0]:
            return b""
        part = os.read(end, 65_536)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _address_space() -> int:
    """Return the limit on the address space, in bytes: the inherited size plus the allowance,
    but at most the parent's limit."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY_BYTES
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    return most if hard == resource.RLIM_INFINITY else min(most, hard)
