"""A real `codeintel serve` for tests and benchmarks, with its own process, port and instance
folder.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import requests

from codeintel.client.sse import SseParser

LISTEN_SECONDS = 20
START_SECONDS = 60
COMMAND = [sys.executable, "-c", "from codeintel.cli import main; main(prog_name='codeintel')"]


class LiveServer:
    """A `codeintel serve` process. Use it as a context manager.

    :param port: the port, or 0 for a free one at each start.
    """

    def __init__(self, instance: Path, *, workers: int = 1, port: int = 0, **settings: str) -> None:
        self.instance = instance
        self.settings = settings
        self._port = port
        self._workers = workers
        self._environment = {**os.environ, "CODEINTEL_INSTANCE": str(instance), **settings}
        self._process: subprocess.Popen[str] | None = None
        self._listener: threading.Thread | None = None
        self.output = ""
        self.url = ""

    def __enter__(self) -> LiveServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._hang_up()

    def _hang_up(self) -> None:
        """Read the remaining output of the process and its children, which may outlive it
        briefly.
        """
        if self._listener is not None:
            self._listener.join(LISTEN_SECONDS)
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()

    @property
    def process(self) -> subprocess.Popen[str]:
        """The master."""
        assert self._process is not None
        return self._process

    def start(self) -> None:
        """Start the service and wait until it answers. An earlier process must have ended."""
        self._hang_up()
        self._process = subprocess.Popen(
            [*COMMAND, "serve", "--port", str(self._port), "--workers", str(self._workers)],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        ready = threading.Event()
        self._listener = threading.Thread(target=self._listen, args=(ready,), daemon=True)
        self._listener.start()
        assert ready.wait(START_SECONDS), f"the server did not start:\n{self.output}"
        assert self.url, f"the server ended:\n{self.output}"
        requests.get(f"{self.url}/api/v1/health", timeout=START_SECONDS).raise_for_status()

    def _listen(self, ready: threading.Event) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        for line in stdout:
            self.output += line
            if found := re.search(r"is running at (https?://\S+)", line):
                # It prints the public URL, if one is set.
                self.url = f"http://127.0.0.1:{self._port}" if self._port else found[1]
                ready.set()
        ready.set()

    def signal(self, number: int) -> None:
        """Send the master a signal."""
        os.kill(self.process.pid, number)

    def kill_all(self) -> None:
        """Kill the master and its workers with SIGKILL, like a power cut."""
        victims = [self.process.pid, *self.worker_pids()]
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def worker_pids(self) -> list[int]:
        """Return the process ids of the gunicorn workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]

    def run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run another `codeintel` command on the same instance."""
        return subprocess.run(
            [*COMMAND, *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=check,
            timeout=60,
        )

    def make_key(self, email: str = "user@example.org", *options: str) -> str:
        """Return the key of a new account for everything under /api/v1/."""
        self.run("accounts", "create", email, *options)
        made = self.run("keys", "create", email, "--name", "test", "--scope", "api:v1")
        return made.stdout.strip()

    def account(self, key: str) -> dict[str, Any]:
        """Return the answer of `GET /api/v1/account`."""
        answer = requests.get(f"{self.url}/api/v1/account", headers={"x-api-key": key}, timeout=10)
        answer.raise_for_status()
        data: dict[str, Any] = answer.json()["data"]
        return data

    def analyze(self, key: str, **body: Any) -> requests.Response:
        """Start an analysis and return its stream."""
        return requests.post(
            f"{self.url}/api/v1/analyze/stream",
            headers={"Authorization": f"Bearer {key}"},
            json={"code": "x = 1\n", "language": "python", **body},
            stream=True,
            timeout=30,
        )


def events(response: requests.Response) -> Iterator[dict[str, Any]]:
    """Yield the data of a stream's events as they arrive."""
    parser = SseParser()
    # Not iter_lines(): it waits for whole chunks, or takes quadratic time byte by byte.
    while chunk := response.raw.read1(65_536, decode_content=True):
        for event in parser.feed(chunk):
            yield json.loads(event.data)
