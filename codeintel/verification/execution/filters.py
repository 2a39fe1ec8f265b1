"""The seccomp filters of the sandbox, as programs of classic BPF.

They are made by hand, for what there is to make them with needs the system's libseccomp and has not
been kept up. A filter is a list of comparisons: `struct sock_filter` of `linux/filter.h`, eight
bytes each, over `struct seccomp_data` of `linux/seccomp.h`, whose fields have fixed offsets.
"""

from __future__ import annotations

import errno
import struct

from codeintel.verification.execution.system_calls import (
    AARCH64,
    NEWEST,
    SOMETIMES,
    X86_64,
    allowed,
)

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_GREATER = 0x25  # BPF_JMP | BPF_JGT | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_KILL = 0x8000_0000  # SECCOMP_RET_KILL_PROCESS
_ERROR = 0x0005_0000  # SECCOMP_RET_ERRNO
_ALLOW = 0x7FFF_0000  # SECCOMP_RET_ALLOW
_AUDIT = {X86_64: 0xC000_003E, AARCH64: 0xC000_00B7}
_X32 = 0x4000_0000


class UnknownMachineError(Exception):
    """There is no table of system calls for this kind of processor."""


def compiled(machine: str, *, at_the_start: bool = False) -> bytes:
    """The filter for a kind of processor, as the kernel reads it.

    :param at_the_start: whether a program may still be started and a filter be set.
    :raises UnknownMachineError: for another processor than x86-64 and 64-bit ARM.
    """
    if machine not in _AUDIT:
        raise UnknownMachineError(f"there is no table of system calls for {machine}")
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, _AUDIT[machine], yes=1),
        _step(_RETURN, _KILL),  # another table of calls, such as that for 32 bits
        _step(_LOAD, _NUMBER),
    ]
    for number in allowed(machine, at_the_start=at_the_start):
        steps += _if_equal(number, _ALLOW)
    steps += [
        _step(_GREATER, _X32 - 1, no=1),
        _step(_RETURN, _KILL),
        _step(_GREATER, NEWEST, no=1),
        _step(_RETURN, _ERROR | errno.ENOSYS),
    ]
    for number, argument, values in SOMETIMES[machine]:
        steps.append(_step(_EQUAL, number, no=2 + 2 * len(values)))
        steps.append(_step(_LOAD, _ARGUMENTS + 8 * argument))  # its low half
        for value in values:
            steps += _if_equal(value, _ALLOW)
        steps.append(_step(_RETURN, _ERROR | errno.EPERM))
    steps.append(_step(_RETURN, _ERROR | errno.EPERM))
    return b"".join(steps)


def _if_equal(value: int, answer: int) -> list[bytes]:
    return [_step(_EQUAL, value, no=1), _step(_RETURN, answer)]


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """One instruction.

    :param yes: how many instructions to skip where a comparison holds, `no` where it does not.
    """
    return struct.pack("=HBBI", code, yes, no, value)
