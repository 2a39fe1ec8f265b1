"""Kernel features that bound a process: Landlock, and calls without a Python function."""

from __future__ import annotations

import ctypes
import os
import platform
import stat
import struct
from collections.abc import Iterable
from functools import cache
from typing import Any

_PR_GET_SECCOMP, _PR_SET_SECCOMP, _MODE_FILTER = 21, 22, 2
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVILEGES = 4, 38
_CAPABILITY_VERSION = 0x2008_0522
_READ_SEARCH = 1 << 2  # CAP_DAC_READ_SEARCH


@cache
def libc() -> Any:
    """Return the C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def check(answer: int) -> int:
    """Return the result of a call.

    :raises OSError: if the call failed.
    """
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer


def machine() -> str:
    """Return the kind of processor."""
    return platform.machine()


def has_seccomp() -> bool:
    """Return whether the kernel filters system calls."""
    return bool(libc().prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) >= 0)


def hide_memory() -> None:
    """Keep other processes of this user out of this process's memory and environment, and disable
    core dumps. Debuggers and profilers then need root.
    """
    libc().prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def give_up_new_privileges() -> None:
    """Prevent programs that this process starts from gaining privileges, permanently."""
    check(libc().prctl(_PR_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0))


def least_capabilities() -> tuple[bytes, bytes] | None:
    """Return root's capabilities that :func:`give_up_capabilities` keeps: reading files, because
    Landlock decides which. None if this process has no capabilities.

    :raises OSError: if the kernel does not report them.
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
    """Keep only these capabilities.

    :raises OSError: if the kernel fails to do it.
    """
    check(libc().capset(*kept))


class SystemCallFilter(ctypes.Structure):
    """`struct sock_fprog`: a program of :mod:`codeintel.base.confinement.filters`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))

    def __init__(self, steps: bytes) -> None:
        super().__init__(len(steps) // 8, steps)

    def set(self) -> None:
        """Filter this process's calls, in addition to earlier filters. Give up new privileges
        first.

        :raises OSError: if the kernel rejects the filter.
        """
        check(libc().prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(self), 0, 0))


_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_FOLDER, REMOVE_FILE, MAKE_FOLDER, MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
MAKE_PIPE, MAKE_LINK, REFER, TRUNCATE = 1 << 10, 1 << 12, 1 << 13, 1 << 14
READ = READ_FILE | READ_FOLDER
RUN = READ_FILE | EXECUTE
WRITE = (
    READ | WRITE_FILE | TRUNCATE | REMOVE_FOLDER | REMOVE_FILE | MAKE_FOLDER | MAKE_FILE
    | MAKE_PIPE | MAKE_LINK | REFER
)  # fmt: skip
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""The rights that each version can restrict. All of them are refused, then granted for some places.
"""
_PORTS = 3  # bind and connect, TCP; from version 4
_SCOPES = 3  # abstract Unix sockets and signals; from version 6
SCOPES_ABI = 6


@cache
def landlock_version() -> int:
    """Return the version of the kernel's interface. 0 if it is missing or disabled."""
    found = libc().syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    return max(int(found), 0)


Place = tuple[str, int]
"""A file, or a folder with everything below it, and the rights to it."""


def restrict(places: Iterable[Place], abi: int) -> None:
    """Refuse this process and its children all access to files, TCP and signals to outside
    processes, except for these places. Give up new privileges first.

    :param places: missing ones are ignored.
    :param abi: the result of :func:`landlock_version`, which must be above 0.
    :raises OSError: if the kernel fails to do it.
    """
    rights = _RIGHTS_BY_ABI[max(known for known in _RIGHTS_BY_ABI if known <= abi)]
    attributes = struct.pack(
        "=QQQ", rights, _PORTS if abi >= 4 else 0, _SCOPES if abi >= SCOPES_ABI else 0
    )
    system_call = libc().syscall
    rules = check(system_call(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0))
    try:
        for path, allowed in places:
            try:
                place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                is_folder = stat.S_ISDIR(os.fstat(place).st_mode)
                fitting = allowed & rights & (rights if is_folder else _OF_FILES)
                rule = struct.pack("=Qi", fitting, place)
                check(system_call(_ADD_RULE, rules, _PATH_BENEATH, rule, 0))
            finally:
                os.close(place)
        check(system_call(_RESTRICT, rules, 0))
    finally:
        os.close(rules)
