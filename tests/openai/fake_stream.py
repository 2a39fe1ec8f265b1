"""The data that a fake model API sends on a connection, and the table of its models."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

WORDS = [f"word{number} " for number in range(20)]
STATS: dict[str, Any] = {"begun": 0, "completed": 0, "aborted": 0, "requests": 0, "last": None}


def chunk(text: str | None = None, finish: str | None = None, **more: Any) -> bytes:
    """Return one event of the stream."""
    delta = {"content": text} if text is not None else {}
    document = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}
    return b"data: " + json.dumps(document).encode() + b"\n\n"


USAGE = b'data: {"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7}}\n\n'
DONE = b"data: [DONE]\n\n"


class Connection:
    """One request and its answer."""

    def __init__(self, writer: asyncio.StreamWriter, body: dict[str, Any]) -> None:
        self._writer = writer
        self.body = body

    async def status(self, line: str, document: Any = None, **headers: str) -> None:
        content = json.dumps(document or {}).encode()
        lines = [f"HTTP/1.1 {line}", "Content-Type: application/json"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(content)}", "", ""]
        self._writer.write("\r\n".join(lines).encode() + content)
        await self._writer.drain()

    async def begin(self, kind: str = "text/event-stream; charset=utf-8") -> None:
        lines = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", "Transfer-Encoding: chunked", "", ""]
        self._writer.write("\r\n".join(lines).encode())
        await self._writer.drain()

    async def send(self, data: bytes) -> None:
        self._writer.write(b"%x\r\n%s\r\n" % (len(data), data))
        await self._writer.drain()

    async def end(self) -> None:
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()

    def cut(self) -> None:
        self._writer.transport.abort()


Mode = Callable[[Connection], Awaitable[None]]
MODES: dict[str, Mode] = {}


def mode(function: Mode) -> Mode:
    MODES[function.__name__] = function  # type: ignore[attr-defined]
    return function


async def say_words(connection: Connection, pause: float = 0.0) -> None:
    """Begin, and send all words."""
    await connection.begin()
    for word in WORDS:
        await connection.send(chunk(word))
        await asyncio.sleep(pause)
