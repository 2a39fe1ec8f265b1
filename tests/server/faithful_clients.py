"""Clients that do what the documentation tells them to when a stream or an answer is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import requests
from nginx_front import NginxServer
from server_books import TERMINAL
from server_helpers import ask, resume, start

PATIENCE_SECONDS = 20.0
PAUSE_SECONDS = 0.2


class Followed:
    """A run that was followed to its end, despite interruptions."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.events: list[dict[str, Any]] = []
        self.refused: list[int] = []
        """Statuses of answers that were no stream."""
        self.cuts = 0
        """How often the stream or the connection broke."""

    @property
    def run_id(self) -> str:
        found: str = self.events[0]["runId"]
        return found

    @property
    def last(self) -> dict[str, Any]:
        """The newest event."""
        return self.events[-1]

    @property
    def has_ended(self) -> bool:
        """Whether the terminal event has come."""
        return bool(self.events) and self.last["type"] in TERMINAL


def follow(
    front: NginxServer,
    key: str,
    request_key: str,
    until: Callable[[list[bytes]], bool] = lambda _: False,
    **body: Any,
) -> Followed:
    """Start an analysis and read it to its end.

    Without an answer, it is sent again. A stream that is cut resumes after the last event.

    :param until: hangs up if it returns True for the events of a connection.
    """
    seen = Followed()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not seen.has_ended:
        assert time.monotonic() < deadline, (seen.events, seen.refused, seen.cuts)
        try:
            if seen.events:
                stream = resume(front, key, seen.run_id, len(seen.frames))
            else:
                stream = start(front, key, request_key, **body)
        except requests.ConnectionError:
            seen.cuts += 1
            continue
        with stream.response as response:
            if response.status_code != 200:
                seen.refused.append(response.status_code)
                time.sleep(PAUSE_SECONDS)
                continue
            stream.read(lambda so_far: until(so_far.frames))
        seen.frames += stream.frames
        seen.events += stream.events
        seen.cuts += not seen.has_ended
    return seen


class Crowd:
    """Threads that request their account and run short analyses until they are stopped. Each
    request must succeed at the first try. Use it as a context manager."""

    def __init__(self, front: NginxServer, key: str, count: int) -> None:
        self._front, self._key = front, key
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(at,)) for at in range(count)]
        self.done = 0
        """How many were answered well."""
        self.problems: list[object] = []

    def __enter__(self) -> Crowd:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _work(self, at: int) -> None:
        while not self._over.wait(PAUSE_SECONDS):
            try:
                self._ask() if at % 2 else self._run()
            except (requests.RequestException, AssertionError) as error:
                self.problems.append((time.strftime("%X"), error))

    def _ask(self) -> None:
        answer = ask(self._front, self._key, "account")
        assert answer.status_code == 200, answer.text
        self.done += 1

    def _run(self) -> None:
        stream = start(self._front, self._key, prompt="0.3").read()
        assert stream.response.status_code == 200, stream.data
        assert stream.last["type"] == "run.completed", stream.last
        self.done += 1
