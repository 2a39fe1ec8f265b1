"""A client of the mixed load: it sends requests, follows streams and checks every answer."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import requests

from codeintel.client.answers import TERMINAL
from codeintel.client.sse import SseParser
from soak.documented import PRESSURE, Documented, error_code
from soak.service import Account

SECONDS = 60


class Refused(Exception):  # noqa: N818 - says what happened
    """The service was under pressure and said so: the scenario ends here, and nothing is wrong."""


class Client:
    """Speaks for one account, with its key or from its browser."""

    def __init__(self, url: str, account: Account, documented: Documented, seed: int) -> None:
        self.url, self.account = url, account
        self.chance = random.Random(seed)
        self.documented = documented
        self._session = requests.Session()
        self._session.trust_env = False

    def ask(
        self,
        method: str,
        path: str,
        *expected: int,
        key: str | None = None,
        browser: bool = False,
        stream: bool = False,
        headers: dict[str, str] | None = None,
        place: dict[str, str] | None = None,
        **more: Any,
    ) -> requests.Response:
        """Ask for a path of the OpenAPI document, filling the places in it.

        :param expected: the statuses that are right here; 200 if none is named.
        :param key: another one than the account's; empty for none.
        :raises Refused: if the service says that there is too much to do.
        :raises AssertionError: if it says anything else that is not expected.
        """
        session = self.account.browser if browser else self._session
        sent = dict(headers or {})
        token = self.account.key if key is None else key
        if token and not browser:
            sent["x-api-key"] = token
        url = self.url + path.format(**(place or {}))
        answer = session.request(method, url, headers=sent, stream=stream, timeout=SECONDS, **more)
        self.documented.take(method, path, answer)
        if answer.status_code not in expected and error_code(answer) in PRESSURE:
            answer.close()
            raise Refused
        assert answer.status_code in (expected or (200,)), (
            f"{method} {path}: {answer.status_code} {answer.text[:200]}"
        )
        return answer

    @contextmanager
    def stream(self, method: str, path: str, **more: Any) -> Iterator[Iterator[dict[str, Any]]]:
        """The events of a stream as they come; leaving the block early cuts the connection."""
        answer = self.ask(method, path, stream=True, **more)
        try:
            yield _events(answer)
        finally:
            answer.close()

    def follow(self, method: str, path: str, **more: Any) -> list[dict[str, Any]]:
        """Return all events of a stream. Fail if it is incomplete or ends with an error."""
        with self.stream(method, path, **more) as events:
            found = list(events)
        check_whole(found)
        return found


def check_whole(events: list[dict[str, Any]], first: int = 1, good: bool = True) -> None:
    """Numbers without a gap, and exactly one last event, a good one if it must be."""
    numbers = [event["sequence"] for event in events]
    assert numbers == list(range(first, first + len(events))), f"a gap in {numbers}"
    ends = [event["type"] for event in events if event["type"] in TERMINAL]
    assert len(ends) == 1 and events[-1]["type"] in TERMINAL, f"{len(ends)} last events"
    last = events[-1]
    assert not good or last["type"] == "run.completed", f"{last['type']}: {last.get('reason')}"


def _events(answer: requests.Response) -> Iterator[dict[str, Any]]:
    parser = SseParser()
    while chunk := answer.raw.read1(65_536):
        for event in parser.feed(chunk):
            yield json.loads(event.data)


Scenario = Callable[[Client], None]
