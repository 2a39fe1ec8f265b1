"""The filters of system calls, run as the kernel would."""

from __future__ import annotations

import errno
import struct

import pytest

from codeintel.base.confinement.filters import (
    UnknownMachineError,
    compiled,
    for_jobs,
    without_processes,
)
from codeintel.base.confinement.system_calls import NEWEST

ALLOW, KILL = 0x7FFF_0000, 0x8000_0000
REFUSE, UNKNOWN = 0x0005_0000 | errno.EPERM, 0x0005_0000 | errno.ENOSYS
ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
FORBIDDEN = {
    "x86_64": {
        "socket": 41,
        "connect": 42,
        "bind": 49,
        "clone": 56,
        "fork": 57,
        "vfork": 58,
        "ptrace": 101,
        "mount": 165,
        "chroot": 161,
        "keyctl": 250,
        "unshare": 272,
        "setns": 308,
        "memfd_create": 319,
        "bpf": 321,
        "execveat": 322,
        "userfaultfd": 323,
        "io_uring_setup": 425,
        "clone3": 435,
        "pidfd_open": 434,
        "process_vm_readv": 310,
        "shmget": 29,
        "perf_event_open": 298,
        "setuid": 105,
        "kexec_load": 246,
    },
    "aarch64": {
        "socket": 198,
        "connect": 203,
        "bind": 200,
        "clone": 220,
        "ptrace": 117,
        "mount": 40,
        "keyctl": 219,
        "unshare": 97,
        "setns": 268,
        "memfd_create": 279,
        "bpf": 280,
        "execveat": 281,
        "io_uring_setup": 425,
        "clone3": 435,
        "shmget": 194,
        "setuid": 146,
    },
}
NEEDED = {
    "x86_64": {"read": 0, "write": 1, "mmap": 9, "futex": 202, "exit_group": 231, "openat": 257},
    "aarch64": {"read": 63, "write": 64, "mmap": 222, "futex": 98, "exit_group": 94, "openat": 56},
}
AT_THE_START = {"x86_64": (59, 157, 317), "aarch64": (221, 167, 277)}
PAIR = {"x86_64": 53, "aarch64": 199}
CONTROL = {"x86_64": 16, "aarch64": 29}


def answer(
    program: bytes, machine: str, number: int, *values: int, other: int | None = None
) -> int:
    """Return the filter's decision about a system call."""
    architecture = ARCHITECTURES[machine] if other is None else other
    padded = [*values, *[0] * (6 - len(values))]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", program))
    place = loaded = 0
    while True:
        code, yes, no, value = steps[place]
        place += 1
        if code == 0x20:
            (loaded,) = struct.unpack_from("<I", data, value)
        elif code == 0x06:
            return int(value)
        else:
            assert code in (0x15, 0x25, 0x45)
            holds = {0x15: loaded == value, 0x25: loaded > value, 0x45: bool(loaded & value)}[code]
            place += yes if holds else no


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("at_the_start", [True, False])
def test_what_is_allowed(machine: str, at_the_start: bool) -> None:
    program = compiled(machine, at_the_start=at_the_start)
    assert len(program) // 8 <= 4096  # more the kernel does not take

    def said(number: int, *values: int) -> int:
        return answer(program, machine, number, *values)

    assert {name: said(number) for name, number in NEEDED[machine].items()} == dict.fromkeys(
        NEEDED[machine], ALLOW
    )
    assert {name: said(number) for name, number in FORBIDDEN[machine].items()} == dict.fromkeys(
        FORBIDDEN[machine], REFUSE
    )
    starting = ALLOW if at_the_start else REFUSE
    assert {said(number) for number in AT_THE_START[machine]} == {starting}
    assert (said(PAIR[machine], 1), said(PAIR[machine], 2)) == (ALLOW, REFUSE)
    assert (said(CONTROL[machine], 5, 0x5421), said(CONTROL[machine], 5, 0x5412)) == (ALLOW, REFUSE)
    assert said(NEWEST + 1) == UNKNOWN


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_other_tables_of_calls_are_deadly(machine: str) -> None:
    program = compiled(machine)
    for other in (0x4000_0003, 0x4000_0028, 0, *ARCHITECTURES.values()):  # i386 and 32-bit ARM
        if other != ARCHITECTURES[machine]:
            assert answer(program, machine, 0, other=other) == KILL
    assert answer(program, machine, 0x4000_0000 | 57) == KILL  # fork, in the x32 table


def test_other_machines_have_no_filter() -> None:
    with pytest.raises(UnknownMachineError, match="riscv64"):
        compiled("riscv64")


CLONE = {"x86_64": 56, "aarch64": 220}
EXECVE = {"x86_64": 59, "aarch64": 221}
KILL_CALL = {"x86_64": 62, "aarch64": 129}
PRETENDED = {"x86_64": (109, 112), "aarch64": (154, 157)}
SIGCHLD, THREAD, NEW_USER, PARENT = 17, 0x0001_0000, 0x1000_0000, 0x8000
NOT_FOR_JOBS = {"x86_64": (90, 91, 76, 280), "aarch64": (53, 52, 45, 88)}
"""`chmod` or `fchmodat`, `fchmod`, `truncate`, `utimensat`."""


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_what_a_job_may_do(machine: str) -> None:
    program = for_jobs(machine, (7, -7))
    assert len(program) // 8 <= 4096

    def said(number: int, *values: int) -> int:
        return answer(program, machine, number, *values)

    started = {"clone", "fork", "vfork", "clone3"}
    refused = {name: said(n) for name, n in FORBIDDEN[machine].items() if name not in started}
    assert refused == dict.fromkeys(refused, REFUSE)
    assert said(FORBIDDEN[machine]["clone3"]) == UNKNOWN
    assert {said(number) for number in NOT_FOR_JOBS[machine]} == {REFUSE}
    assert (said(CLONE[machine], SIGCHLD), said(CLONE[machine], THREAD)) == (ALLOW, ALLOW)
    assert said(CLONE[machine], SIGCHLD | NEW_USER) == REFUSE
    assert said(CLONE[machine], SIGCHLD | PARENT) == REFUSE
    assert said(EXECVE[machine]) == ALLOW
    assert {said(KILL_CALL[machine], pid & 2**64 - 1) for pid in (7, -7, -1)} == {REFUSE}
    assert said(KILL_CALL[machine], 8) == ALLOW
    assert {said(number) for number in PRETENDED[machine]} == {0x0005_0000}, "0: it worked"


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_a_job_without_programs(machine: str) -> None:
    alone, forking = without_processes(machine), without_processes(machine, may_fork=True)
    for program, of_forks in ((alone, REFUSE), (forking, ALLOW)):
        assert answer(program, machine, EXECVE[machine]) == REFUSE
        assert answer(program, machine, CLONE[machine], SIGCHLD) == of_forks
        assert answer(program, machine, CLONE[machine], THREAD) == ALLOW
        assert answer(program, machine, NEEDED[machine]["read"]) == ALLOW
