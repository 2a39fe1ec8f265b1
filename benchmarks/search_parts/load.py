"""Many clients that ask for a JSON document again and again."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlsplit

from gateway_parts import client, load

NUMBER = b"NUMBER"
"""In a URL: stands for a number that no other request has."""
_length = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE).search
_numbers = count()


@dataclass(frozen=True)
class Question(client.Target):
    """A request for a search. `complete` is in each complete document."""

    def request(self) -> bytes:
        parts = urlsplit(self.url)
        headers = {"Host": parts.netloc, "Accept": "application/json", **self.headers}
        lines = [
            f"GET {parts.path}?{parts.query} HTTP/1.1",
            *(f"{k}: {v}" for k, v in headers.items()),
        ]
        return "\r\n".join([*lines, "", ""]).encode()


def question(url: str, complete: bytes, key: str = "") -> Question:
    """A question by its URL."""
    return Question(url, {"X-Api-Key": key} if key else {}, b"", b"", complete)


class Client(client.Client):
    """One connection, kept open; asks again when a document has come."""

    _load: Load

    def _ask(self) -> None:
        self._load.request = self._load.template.replace(NUMBER, b"%d" % next(_numbers))
        super()._ask()

    def data_received(self, data: bytes) -> None:
        if not self._is_reading:
            return
        self._kept += data
        head, end, body = self._kept.partition(b"\r\n\r\n")
        if not end:
            return
        length = _length(head)
        if not head.startswith(b"HTTP/1.1 200 ") or length is None:
            self._fail(f"status {head[9:12].decode()}")
        elif len(body) >= int(length[1]):
            if self._load.target.complete in body:
                self._succeed()
            else:
                self._fail("incomplete")


class Load(load.Load):
    """Several clients with one question."""

    def __init__(self, target: client.Target, connections: int) -> None:
        super().__init__(target, connections)
        self.template = self.request

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
