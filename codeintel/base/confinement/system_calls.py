"""The system calls that confined programs may make. All others are refused.

The list names allowed calls, because kernels get new calls. An allowed call does not open a
connection, inspect another process or change a mount, a namespace or a key. It does not raise a
limit or allocate memory that no limit counts. In the sandbox, no call starts a process or a thread.
The numbers never change: the kernel has them in `asm/unistd_64.h` and `asm-generic/unistd.h`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

X86_64 = "x86_64"
AARCH64 = "aarch64"
NEWEST = 462
"""Greater numbers are newer than this table. The filter reports them as missing, so that programs
fall back on older calls.
"""

_ALLOWED = """
    access 21 -
    alarm 37 -
    arch_prctl 158 -
    brk 12 214
    chdir 80 49
    chmod 90 -
    clock_getres 229 114
    clock_gettime 228 113
    clock_nanosleep 230 115
    close 3 57
    close_range 436 436
    copy_file_range 326 285
    creat 85 -
    dup 32 23
    dup2 33 -
    dup3 292 24
    epoll_create 213 -
    epoll_create1 291 20
    epoll_ctl 233 21
    epoll_pwait 281 22
    epoll_wait 232 -
    eventfd 284 -
    eventfd2 290 19
    exit 60 93
    exit_group 231 94
    faccessat 269 48
    faccessat2 439 439
    fadvise64 221 223
    fallocate 285 47
    fchdir 81 50
    fchmod 91 52
    fchmodat 268 53
    fcntl 72 25
    fdatasync 75 83
    flock 73 32
    fstat 5 80
    fstatfs 138 44
    fsync 74 82
    ftruncate 77 46
    futex 202 98
    getcwd 79 17
    getdents 78 -
    getdents64 217 61
    getegid 108 177
    geteuid 107 175
    getgid 104 176
    getgroups 115 158
    getitimer 36 102
    getpgid 121 155
    getpgrp 111 -
    getpid 39 172
    getppid 110 173
    getrandom 318 278
    getresgid 120 150
    getresuid 118 148
    getrlimit 97 163
    getrusage 98 165
    getsid 124 156
    gettid 186 178
    gettimeofday 96 169
    getuid 102 174
    kill 62 129
    link 86 -
    linkat 265 37
    lseek 8 62
    lstat 6 -
    madvise 28 233
    mincore 27 232
    mkdir 83 -
    mkdirat 258 34
    mmap 9 222
    mprotect 10 226
    mremap 25 216
    msync 26 227
    munmap 11 215
    nanosleep 35 101
    newfstatat 262 79
    open 2 -
    openat 257 56
    pause 34 -
    pipe 22 -
    pipe2 293 59
    poll 7 -
    ppoll 271 73
    pread64 17 67
    prlimit64 302 261
    pselect6 270 72
    pwrite64 18 68
    read 0 63
    readlink 89 -
    readlinkat 267 78
    readv 19 65
    recvfrom 45 207
    rename 82 -
    renameat 264 38
    renameat2 316 276
    restart_syscall 219 128
    rmdir 84 -
    rseq 334 293
    rt_sigaction 13 134
    rt_sigpending 127 136
    rt_sigprocmask 14 135
    rt_sigreturn 15 139
    rt_sigsuspend 130 133
    rt_sigtimedwait 128 137
    sched_getaffinity 204 123
    sched_yield 24 124
    select 23 -
    sendfile 40 71
    sendto 44 206
    set_robust_list 273 99
    set_tid_address 218 96
    setitimer 38 103
    shutdown 48 210
    sigaltstack 131 132
    stat 4 -
    statfs 137 43
    statx 332 291
    symlink 88 -
    symlinkat 266 36
    sysinfo 99 179
    tgkill 234 131
    time 201 -
    timerfd_create 283 85
    timerfd_gettime 287 87
    timerfd_settime 286 86
    times 100 153
    tkill 200 130
    truncate 76 45
    umask 95 166
    uname 63 160
    unlink 87 -
    unlinkat 263 35
    utime 132 -
    utimensat 280 88
    utimes 235 -
    write 1 64
    writev 20 66
"""
_AT_THE_START = """
    execve 59 221
    prctl 157 167
    seccomp 317 277
"""
"""Allowed until the program has confined itself. bubblewrap starts the program, which then sets the
stricter of the two filters.
"""

SOMETIMES = {
    X86_64: ((53, 0, (1,)), (16, 1, (0x5421, 0x5451))),
    AARCH64: ((199, 0, (1,)), (29, 1, (0x5421, 0x5451))),
}
"""In the sandbox, allowed if an argument has one of the values. Event loops wake themselves with
`socketpair` of the family AF_UNIX. `ioctl` makes a descriptor non-blocking or not inherited.
"""

_NOT_FOR_JOBS = frozenset(
    re.findall(
        r"\w+",
        "chmod fchmod fchmodat utime utimes utimensat truncate prlimit64 kill tkill tgkill fcntl",
    )
)
"""Allowed in the sandbox, because it has its own namespaces. A job shares files and processes with
the service: Landlock restricts neither modes and times of files nor limits of processes.
"""

_FOR_JOBS = """
    execve 59 221
    fork 57 -
    getcpu 309 168
    getpeername 52 205
    getpriority 140 141
    getsockname 51 204
    getsockopt 55 209
    membarrier 324 283
    preadv 295 69
    pwritev 296 70
    sched_get_priority_max 146 125
    sched_get_priority_min 147 126
    sched_getparam 143 121
    sched_getscheduler 145 120
    setrlimit 160 164
    vfork 58 -
    wait4 61 260
    waitid 247 95
"""

CLONE = {X86_64: 56, AARCH64: 220}
CLONE3 = 435
"""Its flags are in memory, where a filter cannot see them: the C library falls back on `clone`."""
PRETENDED = {X86_64: (109, 112), AARCH64: (154, 157)}
"""`setpgid` and `setsid`. A job is killed with its process group, so nothing may leave the group.
The calls do nothing and report success, for programs that start others in a new session.
"""
STARTING = {X86_64: (57, 58, 59, 322), AARCH64: (221, 281)}
"""`fork`, `vfork`, `execve` and `execveat`, if the machine has them."""
RUNNING = {X86_64: (59, 322), AARCH64: (221, 281)}
"""`execve` and `execveat`."""


class Check(NamedTuple):
    """A call that is allowed or refused by the lower 32 bits of one argument."""

    number: int
    argument: int
    values: tuple[int, ...]
    allows: bool = True
    """Whether the call is allowed with these values only, or with all others."""


def checks_of_jobs(machine: str, spared: tuple[int, ...]) -> list[Check]:
    """Return the calls that a job may make with some arguments.

    :param spared: process ids, or negative ids of groups, that it may not send signals to.
    """
    column = 0 if machine == X86_64 else 1
    signalled = tuple(each & 0xFFFF_FFFF for each in (-1, *spared))
    return [
        Check((53, 199)[column], 0, (1,)),  # socketpair: AF_UNIX
        Check((16, 29)[column], 1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
        Check((157, 167)[column], 0, _PRCTL_OPTIONS),
        Check((302, 261)[column], 0, (0,)),  # prlimit64: this process
        Check((72, 25)[column], 1, _SIGNALS_FOR_FILES, allows=False),  # fcntl
        *(Check(each[column], 0, signalled, allows=False) for each in _SIGNALLING),
    ]


_SIGNALLING = ((62, 129), (200, 130), (234, 131))
"""`kill`, `tkill` and `tgkill`."""
_SIGNALS_FOR_FILES = (8, 10, 15)
"""F_SETOWN, F_SETSIG and F_SETOWN_EX: with them a file sends signals to another process."""
_PRCTL_OPTIONS = (1, 3, 15, 16, 21, 22, 23, 38, 39, 42, 0x5356_4D41)
"""To die with the parent, read the dump mode, name threads and memory, set more filters, and read
what is allowed.
"""

_ROW = re.compile(r"(\w{1,40}) (\d{1,6}) (\d{1,6}|-)")


def allowed(machine: str, *, at_the_start: bool) -> list[int]:
    """Return the numbers of the calls that are always allowed."""
    return _numbers(_ALLOWED + (_AT_THE_START if at_the_start else ""), machine)


def allowed_for_jobs(machine: str) -> list[int]:
    """Return the numbers of the calls that a job may always make."""
    return _numbers(_ALLOWED + _FOR_JOBS, machine, without=_NOT_FOR_JOBS)


def _numbers(table: str, machine: str, without: frozenset[str] = frozenset()) -> list[int]:
    column = 2 if machine == X86_64 else 3
    rows = (row for row in _ROW.finditer(table) if row[1] not in without)
    return sorted(int(row[column]) for row in rows if row[column] != "-")
