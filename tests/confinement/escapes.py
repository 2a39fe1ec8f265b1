"""Ways out of a process that reads hostile texts, tried in each kind of such a process.

It is imported by tests, by a drop-in in the zygote, and by programs of the service.
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
"""What works in every job where nothing is confined, but for the limits of an engine of SQL's."""


def escapes(target: str) -> str:
    """The ways that worked, with commas between them.

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
