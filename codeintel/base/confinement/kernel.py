"""The calls to the kernel that Python has no functions for."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from functools import cache
from typing import Any

_PR_GET_SECCOMP, _PR_SET_SECCOMP, _MODE_FILTER = 21, 22, 2
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVILEGES = 4, 38
_CAPABILITY_VERSION = 0x2008_0522
_READ_SEARCH = 1 << 2  # CAP_DAC_READ_SEARCH


@cache
def libc() -> Any:
    """The C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def check(answer: int) -> int:
    """The answer of a call. :raises OSError: if it says that the call failed."""
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer


def machine() -> str:
    """The kind of processor."""
    return platform.machine()


def has_seccomp() -> bool:
    """Whether the kernel filters system calls."""
    return bool(libc().prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) >= 0)


def hide_memory() -> None:
    """Keep other processes of this user out of this process's memory and environment, and have it
    leave no core dump. Debuggers and profilers need root then."""
    libc().prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def give_up_new_privileges() -> None:
    """Have no program that this process starts get more rights than it has. For good."""
    check(libc().prctl(_PR_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0))


def least_capabilities() -> tuple[bytes, bytes] | None:
    """What :func:`give_up_capabilities` is to keep of root's capabilities: that of reading files,
    for Landlock says which. None if this process has none.

    :raises OSError: if the kernel does not tell.
    """
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    sets = ctypes.create_string_buffer(24)
    check(libc().capget(header, sets))
    effective, permitted, _, effective_2, permitted_2, _ = struct.unpack("=6I", sets.raw)
    if not (permitted or permitted_2 or effective or effective_2):
        return None
    kept = (effective & _READ_SEARCH, permitted & _READ_SEARCH, 0, 0, 0, 0)
    return header, struct.pack("=6I", *kept)


def give_up_capabilities(kept: tuple[bytes, bytes]) -> None:
    """Keep none but these.

    :raises OSError: if the kernel does not do it.
    """
    check(libc().capset(*kept))


class SystemCallFilter(ctypes.Structure):
    """`struct sock_fprog`: a program of :mod:`codeintel.base.confinement.filters`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))

    def __init__(self, steps: bytes) -> None:
        super().__init__(len(steps) // 8, steps)

    def set(self) -> None:
        """Filter this process's calls, also those that another filter lets through. The process
        must have given up new privileges.

        :raises OSError: if the kernel does not take it.
        """
        check(libc().prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(self), 0, 0))
