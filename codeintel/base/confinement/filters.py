"""The seccomp filters of the sandbox and of worker processes, as programs of classic BPF.

We assemble them ourselves, because the existing packages need the system's libseccomp and are not
maintained. A filter is a list of comparisons: `struct sock_filter` of `linux/filter.h`, 8 bytes
each. It reads `struct seccomp_data` of `linux/seccomp.h`, whose fields have fixed offsets.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable

from codeintel.base.confinement.system_calls import (
    AARCH64,
    CLONE,
    CLONE3,
    NEWEST,
    PRETENDED,
    RUNNING,
    SOMETIMES,
    STARTING,
    X86_64,
    Check,
    allowed,
    allowed_for_jobs,
    checks_of_jobs,
)

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_GREATER = 0x25  # BPF_JMP | BPF_JGT | BPF_K
_HAS_ANY = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_KILL = 0x8000_0000  # SECCOMP_RET_KILL_PROCESS
_ERROR = 0x0005_0000  # SECCOMP_RET_ERRNO
_ALLOW = 0x7FFF_0000  # SECCOMP_RET_ALLOW
_AUDIT = {X86_64: 0xC000_003E, AARCH64: 0xC000_00B7}
_X32 = 0x4000_0000
_THREAD = 0x0001_0000  # CLONE_THREAD
_NEW_NAMESPACES = 0x7E02_8000
"""The flags of `clone` that make namespaces, and CLONE_PARENT, which makes a sibling."""


class UnknownMachineError(Exception):
    """No table of system calls exists for this kind of processor."""


def compiled(machine: str, *, at_the_start: bool = False) -> bytes:
    """Return the filter of the sandbox for a kind of processor, in the kernel's format.

    :param at_the_start: whether the process may still start a program and set a filter.
    :raises UnknownMachineError: for another processor than x86-64 and 64-bit ARM.
    """
    head = _head(machine)
    always = allowed(machine, at_the_start=at_the_start)
    return _program(head, always, (Check(*each) for each in SOMETIMES[machine]))


def with_threads(machine: str) -> bytes:
    """Return the filter of a sandbox whose program needs threads, such as Node.js.

    It may start threads, but no process. It may run another program in its place, because it is
    started that way. That program has the same filter.

    :raises UnknownMachineError: as :func:`compiled`.
    """
    head = _head(machine)
    clone = [
        _step(_EQUAL, CLONE[machine], no=4),
        _step(_LOAD, _ARGUMENTS),
        _step(_HAS_ANY, _THREAD, no=1),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERROR | errno.EPERM),
    ]
    always = allowed(machine, at_the_start=True)
    checks = (Check(*each) for each in SOMETIMES[machine])
    return _program(head, always, checks, [*_if_equal(CLONE3, _ERROR | errno.ENOSYS), *clone])


def for_jobs(machine: str, spared: tuple[int, ...] = ()) -> bytes:
    """Return the filter of a process that does one job. It may start threads, processes and
    programs.

    :param spared: process ids, or negative ids of groups, that it may not send signals to.
    :raises UnknownMachineError: for another processor than x86-64 and 64-bit ARM.
    """
    head = _head(machine)
    clone = [
        _step(_EQUAL, CLONE[machine], no=4),
        _step(_LOAD, _ARGUMENTS),
        _step(_HAS_ANY, _NEW_NAMESPACES, yes=1),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERROR | errno.EPERM),
        *_if_equal(CLONE3, _ERROR | errno.ENOSYS),
    ]
    for number in PRETENDED[machine]:
        clone += _if_equal(number, _ERROR)
    checks = checks_of_jobs(machine, spared)
    return _program(head, allowed_for_jobs(machine), checks, clone)


def without_processes(machine: str, *, may_fork: bool = False) -> bytes:
    """Return an additional filter for a job that starts no program and no process. It may start
    threads.

    :param may_fork: whether it may fork, but not run another program.
    :raises UnknownMachineError: as :func:`for_jobs`.
    """
    steps = _head(machine)
    for number in (RUNNING if may_fork else STARTING)[machine]:
        steps += _if_equal(number, _ERROR | errno.EPERM)
    if not may_fork:
        steps += [
            _step(_EQUAL, CLONE[machine], no=3),
            _step(_LOAD, _ARGUMENTS),
            _step(_HAS_ANY, _THREAD, yes=1),
            _step(_RETURN, _ERROR | errno.EPERM),
        ]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def has_table(machine: str) -> bool:
    """Return whether filters can be made for a kind of processor."""
    return machine in _AUDIT


def _head(machine: str) -> list[bytes]:
    """Kill callers of another table, such as that for 32 bits, and load the call's number."""
    if machine not in _AUDIT:
        raise UnknownMachineError(f"no system call table for {machine}")
    return [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, _AUDIT[machine], yes=1),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
    ]


def _program(
    head: list[bytes],
    always: Iterable[int],
    checks: Iterable[Check],
    more: Iterable[bytes] = (),
) -> bytes:
    """Return a filter that refuses all calls except these."""
    steps = list(head)
    for number in always:
        steps += _if_equal(number, _ALLOW)
    steps += [
        _step(_GREATER, _X32 - 1, no=1),
        _step(_RETURN, _KILL),
        _step(_GREATER, NEWEST, no=1),
        _step(_RETURN, _ERROR | errno.ENOSYS),
    ]
    for check in checks:
        answers = (_ALLOW, _ERROR | errno.EPERM)
        of_these, of_others = answers if check.allows else answers[::-1]
        steps.append(_step(_EQUAL, check.number, no=2 + 2 * len(check.values)))
        steps.append(_step(_LOAD, _ARGUMENTS + 8 * check.argument))  # its low half
        for value in check.values:
            steps += _if_equal(value, of_these)
        steps.append(_step(_RETURN, of_others))
    steps += [*more, _step(_RETURN, _ERROR | errno.EPERM)]
    return b"".join(steps)


def _if_equal(value: int, answer: int) -> list[bytes]:
    return [_step(_EQUAL, value, no=1), _step(_RETURN, answer)]


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction.

    :param yes: the number of instructions to skip if a comparison holds. `no` is for one that does
        not.
    """
    return struct.pack("=HBBI", code, yes, no, value)
