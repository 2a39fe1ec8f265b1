"""Run first in the sandbox: read the job, apply the limits, and do the job."""

from __future__ import annotations

import base64
import ctypes
import json
import os
import resource
import sys
from collections.abc import Callable
from typing import Any

_FOLDER = "/inside"
_RESULT = 200
"""The descriptor for results, outside the range of programs that count from 3."""
_SET_SECCOMP, _MODE_FILTER = 22, 2  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
_LIMITS = {
    "memory": resource.RLIMIT_AS,
    "cpu": resource.RLIMIT_CPU,
    "file": resource.RLIMIT_FSIZE,
    "descriptors": resource.RLIMIT_NOFILE,
    "processes": resource.RLIMIT_NPROC,
    "core": resource.RLIMIT_CORE,
    "queues": resource.RLIMIT_MSGQUEUE,
    "locked": resource.RLIMIT_MEMLOCK,
}


def main() -> None:
    """Do the job given on standard input, and write the results line by line."""
    job = json.loads(sys.stdin.buffer.read())
    os.dup2(1, _RESULT, inheritable=False)
    os.dup2(2, 1)  # discard what the program itself prints
    os.close(0)
    modules = list(sys.path)
    if job["do"] == "probe":
        from .probe import probe as work
    else:
        from .program import run as work
    sys.path[:] = [path for path in modules if path != _FOLDER]
    _shut(base64.b64decode(job["filter"]), job["limits"])
    work(job, _speaker())
    os._exit(0)  # skip the program's exit handlers


def _speaker() -> Callable[[dict[str, Any]], None]:
    write, dump, descriptor = os.write, json.dumps, _RESULT

    def say(line: dict[str, Any]) -> None:
        data = dump(line, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[write(descriptor, data) :]

    return say


class _Program(ctypes.Structure):
    """The C type `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def _shut(steps: bytes, limits: dict[str, int]) -> None:
    """Set the limits, and the system call filter that prevents other programs from starting.

    :raises OSError: if the kernel rejects the filter.
    """
    for name, value in limits.items():
        resource.setrlimit(_LIMITS[name], (value, value))
    libc = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(steps) // 8, steps)
    if libc.prctl(_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the filter of system calls is not taken")
