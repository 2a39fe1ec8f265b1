"""A drop-in with analyzers that try to escape from a worker process, and report which attempts
worked.

`request.code` is JSON with the targets.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer, AnalyzerOutput, AnalyzerRequest, Note

Attack = Callable[[dict[str, Any]], object]
SLEEP = which("sleep") or "sleep"
_LIBC = ctypes.CDLL(None, use_errno=True)
_SEIZE = 0x4206  # PTRACE_SEIZE, which does not stop the process
_NUMBERS = {
    "keyctl": 250,
    "perf_event_open": 298,
    "memfd_create": 319,
    "bpf": 321,
    "userfaultfd": 323,
    "io_uring_setup": 425,
    "pidfd_open": 434,
    "shmget": 29,
    "unshare": 272,
    "landlock_create_ruleset": 444,
}
"""Of x86-64; each is called with arguments that are right."""


def _call(name: str, *arguments: Any) -> int:
    ctypes.set_errno(0)
    answer = int(_LIBC.syscall(_NUMBERS[name], *arguments))
    if answer < 0:
        raise OSError(ctypes.get_errno(), name)
    return answer


def _checked(answer: int) -> int:
    if answer < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return answer


def _append(path: str) -> None:
    with Path(path).open("ab") as file:
        file.write(b"!")


def _rename_over(given: dict[str, Any]) -> None:
    Path("mine").write_text("mine")
    Path("mine").rename(given["plugin"])


def _by_symlink(given: dict[str, Any]) -> str:
    Path("link").symlink_to(given["secret"])
    return Path("link").read_text()


def _by_hardlink(given: dict[str, Any]) -> str:
    os.link(given["secret"], "hard")
    return Path("hard").read_text()


def _connect(family: int, kind: int, address: Any) -> None:
    with socket.socket(family, kind) as connection:
        connection.connect(address)
        connection.send(b"secret")


def _read_memory(given: dict[str, Any]) -> None:
    with Path(f"/proc/{given['server']}/mem").open("rb"):
        pass


def _read_other_memory(given: dict[str, Any]) -> None:
    place = ctypes.create_string_buffer(8)
    vector = (ctypes.c_void_p * 2)(ctypes.addressof(place), 8)
    far = (ctypes.c_void_p * 2)(given["address"], 8)
    _checked(_LIBC.process_vm_readv(given["server"], vector, 1, far, 1, 0))


def _limit_the_server(given: dict[str, Any]) -> None:
    limits = resource.prlimit(given["server"], resource.RLIMIT_CORE)
    resource.prlimit(given["server"], resource.RLIMIT_CORE, limits)


def _slow_the_server(given: dict[str, Any]) -> None:
    os.setpriority(os.PRIO_PROCESS, given["server"], os.getpriority(os.PRIO_PROCESS, 0))


def _fork(_: dict[str, Any]) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _run_from_memory(_: dict[str, Any]) -> None:
    descriptor = os.memfd_create("program")
    os.write(descriptor, Path(sys.executable).read_bytes()[:0] or b"#!/bin/sh\n")
    subprocess.run([f"/proc/self/fd/{descriptor}"], check=False, pass_fds=[descriptor])


def _program(*command: str) -> Attack:
    return lambda _: subprocess.run(command, check=True, capture_output=True)


def _kill(whom: str) -> Attack:
    return lambda given: os.kill(given[whom], 0)


ATTACKS: dict[str, Attack] = {
    "read the pepper": lambda given: Path(given["secret"]).read_text(),
    "read the pepper by a symbolic link": _by_symlink,
    "read the pepper by a hard link": _by_hardlink,
    "write to the database": lambda given: _append(given["database"]),
    "empty the database": lambda given: os.truncate(given["database"], 0),
    "delete the database": lambda given: Path(given["doomed"]).unlink(),
    "open the database to all": lambda given: Path(given["database"]).chmod(0o666),
    "set the database's times": lambda given: os.utime(given["database"]),
    "take the database away": lambda given: Path(given["database"]).rename("taken"),
    "write a plugin": lambda given: Path(given["plugin"]).write_text("import os"),
    "rename a file to a plugin": _rename_over,
    "list the instance folder": lambda given: list(Path(given["instance"]).iterdir()),
    "write elsewhere": lambda given: Path(given["elsewhere"]).write_text("mine"),
    "read the users": lambda _: Path("/etc/passwd").read_text(),
    "list the processes": lambda _: list(Path("/proc").iterdir()),
    "read the server's environment": lambda g: Path(f"/proc/{g['server']}/environ").read_bytes(),
    "read the zygote's environment": lambda _: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "read the server's command": lambda g: Path(f"/proc/{g['server']}/cmdline").read_bytes(),
    "open the server's memory": _read_memory,
    "read the server's memory": _read_other_memory,
    "trace the server": lambda g: _checked(_LIBC.ptrace(_SEIZE, g["server"], 0, 0)),
    "signal the server": _kill("server"),
    "signal another job": _kill("sibling"),
    "signal the zygote": lambda _: os.kill(os.getppid(), 0),
    "signal all": lambda _: os.kill(-1, 0),
    "limit the server": _limit_the_server,
    "slow the server": _slow_the_server,
    "connect by TCP": lambda g: _connect(socket.AF_INET, socket.SOCK_STREAM, tuple(g["tcp"])),
    "send by UDP": lambda g: _connect(socket.AF_INET, socket.SOCK_DGRAM, tuple(g["udp"])),
    "connect to an abstract socket": lambda g: _connect(
        socket.AF_UNIX, socket.SOCK_STREAM, "\0" + g["abstract"]
    ),
    "connect to a socket in a folder": lambda g: _connect(
        socket.AF_UNIX, socket.SOCK_STREAM, g["door"]
    ),
    "list the jobs": lambda _: list(Path("..").iterdir()),
    "list another job's files": lambda g: list(Path(g["sibling_folder"]).iterdir()),
    "read another job's file": lambda g: Path(g["sibling_folder"], "file").read_text(),
    "write to another job": lambda g: Path(g["sibling_folder"], "mine").write_text("mine"),
    "start a shell": _program("/bin/sh", "-c", "true"),
    "start Python": _program(sys.executable, "-c", ""),
    "start from memory": _run_from_memory,
    "fork": _fork,
    "io_uring": lambda _: _call("io_uring_setup", 1, ctypes.create_string_buffer(120)),
    "bpf": lambda _: _call("bpf", 0, ctypes.create_string_buffer(b"\1\0\0\0\4\0\0\0\4", 72), 72),
    "keyctl": lambda _: _call("keyctl", 0, -3, 0),
    "userfaultfd": lambda _: _call("userfaultfd", 0),
    "a new namespace": lambda _: _call("unshare", 0x0002_0000),
    "shared memory": lambda _: _call("shmget", 0, 4096, 0o1600),
    "mount": lambda _: _checked(_LIBC.mount(b"none", os.fsencode(os.getcwd()), b"tmpfs", 0, 0)),  # noqa: PTH109
    "memory without a limit": lambda _: _call("memfd_create", b"x", 0),
    "hold another process": lambda g: _call("pidfd_open", g["server"], 0),
}


def _may(_: dict[str, Any]) -> None:
    """Check what a job must still be able to do."""
    Path("folder").mkdir()
    Path("folder/file").write_text("text")
    Path("folder/file").rename("file")
    assert Path("file").read_text() == "text"
    Path("folder").rmdir()
    Path(json.__file__).read_text()
    started = threading.Thread(target=lambda: None)
    started.start()
    started.join()
    mmap.mmap(-1, 4096).close()
    os.kill(os.getpid(), 0)


class Attacks(Analyzer):
    name = "attacks"
    languages = None
    timeout = 20.0

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        given = json.loads(request.code)
        yield from _tried("work", _may, given)
        for name, attack in ATTACKS.items():
            yield from _tried(name, attack, given)


class AttacksWithAProgram(Attacks):
    """Run the same attacks from a job that may start a program."""

    name = "attacks_with_a_program"

    def programs(self) -> Sequence[str]:
        return (SLEEP,)

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        yield from _tried("its own program", _program(SLEEP, "0"), {})
        yield from super().analyze(request)


class Bomb(Attacks):
    """Forks until it is stopped, and says when it begins."""

    name = "bomb"

    def programs(self) -> Sequence[str]:
        return (SLEEP,)

    def analyze(self, _: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        yield Note("begins")
        for _number in range(1_500):
            if os.fork() == 0:
                os.setsid()
                time.sleep(20)
                os._exit(0)
        yield Note("has forked")
        time.sleep(20)


class Waits(Analyzer):
    """Says its process id and folder, in which it has left a file, and waits."""

    name = "waits"
    languages = None
    timeout = 60.0

    def analyze(self, _: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        Path("file").write_text("another caller's code")
        yield Note(json.dumps([os.getpid(), str(Path.cwd())]))
        while True:
            time.sleep(1)


def _tried(name: str, attack: Attack, given: dict[str, Any]) -> Iterator[Note]:
    try:
        attack(given)
    except BaseException as error:  # noqa: BLE001 - it has failed, and that is what is asked
        yield Note(f"no: {name}: {type(error).__name__}: {error}")
    else:
        yield Note(f"yes: {name}")


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None]) -> None:
    for made in (Attacks, AttacksWithAProgram, Bomb, Waits):
        register(made())
