"""Run many clients in parallel for a given time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar
from urllib.parse import urlsplit

from gateway_parts.client import Client, Sample, Target

SPREAD_SECONDS = 1.0
"""The clients begin spread over this, so that paced streams do not run in step."""
PAUSE_SECONDS = 0.05
"""After a failure."""
LAST_STREAM_SECONDS = 60.0
T = TypeVar("T")


class Load:
    """Several clients of one target."""

    def __init__(self, target: Target, connections: int) -> None:
        self.target = target
        self.request = target.request()
        self.samples: list[Sample] = []
        self.is_over = False
        self._connections = connections
        self._running = connections
        self._ended = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def measure(
        self, warm: float, seconds: float, look: Callable[[], T]
    ) -> tuple[list[Sample], float, T, T]:
        """Return the streams that ended within `seconds` after the warm-up, the time that this
        took, and the results of `look` at its start and end. All streams have ended on return."""
        for number in range(self._connections):
            self._connect(number * SPREAD_SECONDS / self._connections)
        await asyncio.sleep(SPREAD_SECONDS + warm)
        before, begin = look(), perf_counter()
        await asyncio.sleep(seconds)
        after, end = look(), perf_counter()
        self.is_over = True
        await asyncio.wait_for(self._ended.wait(), LAST_STREAM_SECONDS)
        within = [sample for sample in self.samples if begin <= sample.ended_at < end]
        return within, end - begin, before, after

    def fail(self, error: str) -> None:
        """A stream did not end as it should."""
        self.samples.append(Sample(perf_counter(), error=error))

    def lost(self) -> None:
        """Replace a lost connection, unless the load has ended."""
        if not self.is_over:
            self._connect(PAUSE_SECONDS)
            return
        self._running -= 1
        if not self._running:
            self._ended.set()

    def _connect(self, pause: float) -> None:
        task = asyncio.get_running_loop().create_task(self._open(pause))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self, pause: float) -> None:
        await asyncio.sleep(pause)
        parts = urlsplit(self.target.url)
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: Client(self), str(parts.hostname), parts.port or 80
            )
        except OSError as error:
            self.fail(f"connect ({error.strerror})")
            self.lost()
