"""Analyzers that access their environment, and leave processes and files behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from hostile_tricks import GATE_SECONDS, MIB, finding, trick

from codeintel.contracts import (
    Metric,
    Note,
)

CONFIG: dict[str, Any] = {}


@trick()
def writes_to_every_socket(_: str) -> Iterator[Any]:
    for descriptor in range(3, 64):
        try:
            connection = socket.socket(fileno=descriptor)
        except OSError:
            continue
        connection.sendall(b"\x00\x00\x00\x04\xc1\xc1\xc1\xc1")
        connection.detach()
    yield finding()


@trick()
def hangs_up(_: str) -> Iterator[Any]:
    os.closerange(3, 64)
    time.sleep(GATE_SECONDS)
    yield finding()


@trick()
def leaves_a_process(_: str) -> Iterator[Any]:
    yield Note(str(subprocess.Popen(["sleep", "1000"]).pid))


@trick()
def leaves_a_fork(_: str) -> Iterator[Any]:
    """Keep the connection open in a fork."""
    pid = os.fork()
    if pid == 0:
        time.sleep(1000)
    yield Note(str(pid))


@trick()
def leaves_a_daemon(_: str) -> Iterator[Any]:
    """Start a daemon with a separate session, and a child with another."""
    command = "setsid sleep 1000 & echo $$ $!; exec sleep 1000"
    with subprocess.Popen(
        ["sh", "-c", command], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as started:
        yield Note(started.stdout.readline())
        os._exit(0)


@trick()
def hands_out_pids(code: str) -> Iterator[Any]:
    """Report its own process id and that of a started process, then wait without end."""
    started = subprocess.Popen(["sleep", "1000"]).pid
    yield Note(f"{os.getpid()} {started} {Path.cwd()} {code}")
    while True:
        time.sleep(1)


@trick()
def writes_files(_: str) -> Iterator[Any]:
    Path("deep/er").mkdir(parents=True)
    Path("deep/er/file").write_text("x" * MIB)
    with suppress(PermissionError):
        Path("deep").chmod(0)
    yield Note(str(Path.cwd()))


@trick()
def writes_a_large_file(_: str) -> Iterator[Any]:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Path("large").open("wb") as file:
        for _ in range(80):
            file.write(b"x" * MIB)
    yield finding()


@trick()
def looks_around(_: str) -> Iterator[Any]:
    for name in ("0", "1", "2"):
        yield Note(f"fd {name} {Path(f'/proc/self/fd/{name}').readlink()}")
    yield Note(f"files {os.listdir()}")  # noqa: PTH208 - the working folder
    yield Note(f"cwd {Path.cwd()}")
    yield Note(f"mode {Path().stat().st_mode & 0o777:o}")
    yield Note(f"environ {sorted(os.environ)}")
    yield Note(f"first environ {Path('/proc/self/environ').read_text()}")
    yield Note(f"config {CONFIG!r}")
    sockets = [
        each.name
        for each in Path("/proc/self/fd").iterdir()
        if os.path.exists(each) and str(each.readlink()).startswith("socket:")  # noqa: PTH110
    ]
    yield Metric("sockets", len(sockets))
