"""Measure the largest push: seconds, memory, and how long other requests wait meanwhile."""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import requests

from codeintel.contracts.workspaces.records import MAX_FILES, MAX_TOTAL_BYTES
from codeintel.testing.server import LiveServer

WORDS = ("value", "total", "index", "result", "client", "server", "buffer", "token", "parse")


def main() -> None:
    """Push a workspace that is as large as may be, again, and with one file changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default="", help="URL of PostgreSQL; SQLite without")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    settings = {"DATABASE_URL": options.database} if options.database else {}
    settings["CODEINTEL_WORKSPACE_BYTES_FREE"] = str(10 * 1024**3)
    print(f"{'push':<12}{'status':>8}{'seconds':>10}{'extra MB':>10}{'others wait':>13}")
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        with LiveServer(instance, **settings) as server:
            key = new_key(server)
            push(server, key, json.dumps({"files": {"/first.py": "x = 1\n"}}).encode())
            for number in range(options.rounds):
                files = workspace(number)
                body = encoded(files, number)
                for kind in ("first", "identical"):
                    report(kind, server, key, body)
                files["/module_0/file_0.py"] += "y = 2\n"
                report("one changed", server, key, encoded(files, number))


def new_key(server: LiveServer) -> str:
    """Return a key that may push."""
    server.run("accounts", "create", "user@example.org")
    made = server.run(
        "keys", "create", "user@example.org", "--name", "push", "--scope", "workspace:write"
    )
    return made.stdout.strip()


def workspace(seed: int) -> dict[str, str]:
    """Return as many files as allowed, with as much text as fits into one push."""
    chance = random.Random(seed)
    size = MAX_TOTAL_BYTES // MAX_FILES - 420
    files = {}
    for number in range(MAX_FILES):
        lines: list[str] = []
        length = 0
        while length < size:
            name, other = chance.choice(WORDS), chance.choice(WORDS)
            lines.append(f"{name}_{chance.randrange(10**4)} = {other}({chance.random()})\n")
            length += len(lines[-1])
        files[f"/module_{number % 50}/file_{number}.py"] = "".join(lines)
    return files


def encoded(files: dict[str, str], seed: int) -> bytes:
    """The body of a push."""
    body = json.dumps({"files": files, "name": f"workspace {seed}"}, separators=(",", ":")).encode()
    assert len(body) <= MAX_TOTAL_BYTES, len(body)
    return body


def report(kind: str, server: LiveServer, key: str, body: bytes) -> None:
    """Push once and print what it cost."""
    (worker,) = server.worker_pids()
    Path(f"/proc/{worker}/clear_refs").write_text("5")  # forget the greatest memory so far
    before = memory(worker, "VmRSS")
    with Others(server) as others:
        begin = time.perf_counter()
        answer = push(server, key, body)
        seconds = time.perf_counter() - begin
    extra = memory(worker, "VmHWM") - before
    print(
        f"{kind:<12}{answer.status_code:>8}{seconds:>10.2f}{extra:>10.0f}"
        f"{others.longest * 1000:>10.0f} ms"
    )


def push(server: LiveServer, key: str, body: bytes) -> requests.Response:
    """Send a body."""
    headers = {"x-api-key": key, "Content-Type": "application/json"}
    url = f"{server.url}/api/workspace/sync"
    answer = requests.post(url, data=body, headers=headers, timeout=60)
    answer.raise_for_status()
    return answer


def memory(pid: int, field: str) -> float:
    """A figure of a process, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    return 0.0


class Others:
    """A client that continuously sends small requests to the same server."""

    def __init__(self, server: LiveServer) -> None:
        self._url = f"{server.url}/api/v1/health"
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._ask)
        self.longest = 0.0

    def __enter__(self) -> Others:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._stop.set()
        self._thread.join()

    def _ask(self) -> None:
        with requests.Session() as session:
            while not self._stop.wait(0.005):
                begin = time.perf_counter()
                session.get(self._url, timeout=60)
                self.longest = max(self.longest, time.perf_counter() - begin)


if __name__ == "__main__":
    main()
