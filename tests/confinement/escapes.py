"""Escapes from a process that reads hostile texts, tried in each kind of process.

Tests, a drop-in in the zygote, and programs of the service import this module.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path


def _connect() -> None:
    with socket.socket() as connection:
        connection.settimeout(1)
        connection.connect_ex(("127.0.0.1", 9))


WAYS: dict[str, Callable[[Path, int], object]] = {
    "reads a secret": lambda secret, _: secret.read_text(),
    "writes beside it": lambda secret, _: secret.with_name("mine").write_text("mine"),
    "lists the folder": lambda secret, _: list(secret.parent.iterdir()),
    "reads the server's command": lambda _, server: Path(f"/proc/{server}/cmdline").read_bytes(),
    "signals the server": lambda _, server: os.kill(server, 0),
    "opens a connection": lambda *_: _connect(),
    "starts a program": lambda *_: subprocess.run(["/bin/true"], check=True),
}
MOST = set(WAYS) - {"writes beside it", "starts a program"}
"""Escapes that work in every unconfined job, apart from the limits of an SQL engine."""


def escapes(target: str) -> str:
    """Return the escapes that worked, separated by commas.

    :param target: the server's process id, a colon, and the path of a secret file.
    """
    server, _, secret = target.partition(":")
    found = []
    for name, way in WAYS.items():
        try:
            way(Path(secret), int(server))
        except OSError:
            continue
        found.append(name)
    return ", ".join(found)
