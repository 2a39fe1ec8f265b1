"""The fake model API of `tests/openai/fake_api.py` in a separate process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests
from servers import free_port

SCRIPT = Path(__file__).parent / "openai" / "fake_api.py"


class FakeApi:
    """The API's address, and its statistics."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self._stats = f"http://127.0.0.1:{port}/stats"
        self._release = f"http://127.0.0.1:{port}/release"

    def stats(self) -> dict[str, Any]:
        """Return the number of answers begun, completed and aborted, and the last request."""
        found: dict[str, Any] = requests.get(self._stats, timeout=5).json()
        return found

    def release(self) -> None:
        """End the answers of the model `gathered`."""
        requests.post(self._release, timeout=5)


@contextmanager
def running_fake_api() -> Iterator[FakeApi]:
    """Run the API within the block."""
    port = free_port()
    process = subprocess.Popen([sys.executable, str(SCRIPT), str(port)])
    api = FakeApi(port)
    try:
        deadline = time.monotonic() + 20
        while True:
            try:
                api.stats()
                break
            except requests.ConnectionError:
                assert time.monotonic() < deadline, "the fake API does not start"
                time.sleep(0.05)
        yield api
    finally:
        process.kill()
        process.wait(10)
