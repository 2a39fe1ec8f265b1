"""Limits and the stricter filter, set before any code is looked at."""

from __future__ import annotations

import ctypes
import resource

FOLDER = "/inside"
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


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def shut(steps: bytes, limits: dict[str, int]) -> None:
    """Set the limits, and the filter that allows no other program to be started.

    :raises OSError: if the kernel does not take the filter.
    """
    for name, value in limits.items():
        resource.setrlimit(_LIMITS[name], (value, value))
    libc = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(steps) // 8, steps)
    if libc.prctl(_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the filter of system calls is not taken")
