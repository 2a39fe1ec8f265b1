"""Landlock: the kernel's bounds on the files, ports and processes that a process can reach.

Three system calls and three structures of `linux/landlock.h`; their numbers are the same on all
processors. What the kernel does not know yet is left out, by the version of its interface (ABI).
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from functools import cache

from codeintel.base.confinement.kernel import check, libc

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
"""What can be refused, from each version on: all of it is, and then allowed for some places."""
_PORTS = 3  # bind and connect, TCP; from version 4
_SCOPES = 3  # abstract Unix sockets and signals; from version 6
SCOPES_ABI = 6


@cache
def version() -> int:
    """The version of the kernel's interface; 0 where there is none, or it may not be used."""
    found = libc().syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    return max(int(found), 0)


Place = tuple[str, int]
"""A file, or a folder with all that is below it, and the rights to it."""


def restrict(places: Iterable[Place], abi: int) -> None:
    """Refuse this process, and all that it starts, every access to files except to these places,
    TCP, and signals to processes outside. The process must have given up new privileges.

    :param places: those that are not there are left out.
    :param abi: as :func:`version` says; more than 0.
    :raises OSError: if the kernel does not do it.
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
