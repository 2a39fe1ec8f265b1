"""Try to escape from the sandbox, or to do what it must prevent, in many ways."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import resource
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

_HUGE = 2 * 1024**3
_CLONE_NEWUSER = 0x1000_0000


def probe(job: dict[str, Any], say: Callable[[dict[str, Any]], None]) -> None:
    """Report for each attempt whether it succeeded.

    None may succeed. An attempt that ends this process is never reported, so it counts as a
    success.
    """
    if job["attempt"] == "spin":
        say({"what": "spinning"})
        while True:
            pass
    for name, attempt in _attempts(job).items():
        try:
            done = bool(attempt())
        except (OSError, RuntimeError, MemoryError, AttributeError, ValueError):
            done = False
        say({"what": "attempt", "name": name, "succeeded": done})
    say({"what": "finished"})


def _attempts(job: dict[str, Any]) -> dict[str, Callable[[], object]]:
    canary, port = Path(job["canary"]), job["port"]
    return {
        "connect to the loopback": lambda: _connect(port),
        "open a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW),
        "open a socket of the kernel": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
        "read a file outside": canary.read_bytes,
        "read /etc/passwd": Path("/etc/passwd").read_bytes,
        "write next to a file outside": lambda: _write(canary.parent / "written"),
        "write to the root": lambda: _write(Path("/written")),
        "write to Python": lambda: _write(Path(os.__file__).parent / "written"),
        "write to the harness": lambda: _write(Path(__file__).parent / "written"),
        "write a large file": _large_file,
        "fork": _fork,
        "start a thread": lambda: threading.Thread(target=int).start(),
        "start a program": _start,
        "become another program": _become,
        "see processes": lambda: _exists("/proc/1") or _exists("/proc/self"),
        "signal processes outside": lambda: _signal(job["process"]),
        "use much memory": lambda: mmap.mmap(-1, _HUGE),
        "raise the limits": _raise,
        "mount": lambda: _call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
        "make a namespace": lambda: _call("unshare", _CLONE_NEWUSER),
        "trace": lambda: _call("ptrace", 0, 0, None, None),
        "be the administrator": _administrator,
        "see the environment": lambda: job["variable"] in os.environ,
        "see other descriptors": _descriptors,
        "see the devices": lambda: _exists("/dev") or _exists("/sys"),
    }


def _connect(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=0.5):
        return True


def _write(path: Path) -> bool:
    path.write_bytes(b"x")
    return True


def _large_file() -> bool:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path = Path("/tmp/large")  # noqa: S108 - a file system of the sandbox's own
    try:
        return path.write_bytes(bytes(64 * 1024**2)) > 0
    finally:
        path.unlink()


def _fork() -> bool:
    if os.fork() == 0:
        os._exit(0)
    return True


def _start() -> bool:
    os.posix_spawn("/bin/sh", ["sh"], {})
    return True


def _become() -> bool:
    """Check that the call is forbidden, and not just that the file is missing."""
    try:
        os.execv("/nothing", ["nothing"])  # noqa: S606
    except OSError as error:
        return error.errno != errno.EPERM


def _signal(process: int) -> bool:
    if os.getpid() <= 2 and process <= 2:  # these are its own processes
        return False
    os.kill(process, 0)
    return True


def _raise() -> bool:
    resource.setrlimit(resource.RLIMIT_AS, (_HUGE, _HUGE))
    return True


def _call(name: str, *values: object) -> bool:
    return bool(getattr(ctypes.CDLL(None), name)(*values) == 0)


def _administrator() -> bool:
    if os.getuid() != 0:
        os.setuid(0)
    return True


def _descriptors() -> bool:
    """Return whether any descriptor is open besides those for results and discarded output."""
    found = 0
    for number in range(3, 200):
        try:
            os.fstat(number)
        except OSError:
            continue
        found += 1
    return found > 0


def _exists(path: str) -> bool:
    return Path(path).exists()
