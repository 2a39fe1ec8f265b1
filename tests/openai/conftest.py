"""A fake API in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from servers import free_port


class FakeApi:
    """Where it listens, and what it has seen."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self._stats = f"http://127.0.0.1:{port}/stats"

    def stats(self) -> dict[str, Any]:
        found: dict[str, Any] = requests.get(self._stats, timeout=5).json()
        return found


@pytest.fixture(scope="session")
def fake_api() -> Iterator[FakeApi]:
    port = free_port()
    script = Path(__file__).with_name("fake_api.py")
    process = subprocess.Popen([sys.executable, str(script), str(port)])
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
