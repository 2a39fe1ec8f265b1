"""An OpenAI-compatible API with almost no cost: `python -m gateway_parts.upstream PORT CHUNKS
MILLISECONDS`.

The model `instant` sends all chunks together. `paced` sends one at each interval of the given
milliseconds. Each chunk is a separate write. The answer has the format that codeintel requests:
prose and an empty list of findings, followed by the usage and `[DONE]`. Answers are encoded once,
at the start, so that they need next to no processor time.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import deque
from collections.abc import Callable
from typing import cast

from gateway_parts import use_fast_loop

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
HEALTH = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
LIST = ("\n\n```json\n", '{"findings": []}', "\n```\n")
BACKLOG = 4_096
EARLY_SECONDS = 0.0005
"""What is due within this is sent now: it saves a wake."""


def event(document: object) -> bytes:
    """Return an event as an HTTP chunk."""
    text = document if isinstance(document, str) else json.dumps(document, separators=(",", ":"))
    data = f"data: {text}\n\n".encode()
    return b"%x\r\n%b\r\n" % (len(data), data)


def chunk(text: str, finish: str | None = None) -> bytes:
    """Return a chunk of an answer, with the other fields that real APIs send."""
    choice = {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}
    return event(
        {
            "id": "chatcmpl-benchmark",
            "object": "chat.completion.chunk",
            "created": 1_700_000_000,
            "model": "benchmark",
            "choices": [choice],
        }
    )


def answer(chunks: int) -> list[bytes]:
    """An answer of so many pieces (at least four), and its end."""
    words = [f"word{number} " for number in range(chunks - len(LIST))]
    usage = {"prompt_tokens": 300, "completion_tokens": chunks, "total_tokens": 300 + chunks}
    end = chunk("", "stop") + event({"choices": [], "usage": usage}) + event("[DONE]")
    return [*map(chunk, (*words, *LIST)), end + b"0\r\n\r\n"]


class Clock:
    """Calls back after one and the same time: a queue and one timer, where a timer for each would
    take more of the processor than all the rest."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._queue: deque[tuple[float, Callable[[], None]]] = deque()

    def after(self, callback: Callable[[], None]) -> None:
        """Call it then."""
        loop = asyncio.get_running_loop()
        self._queue.append((loop.time() + self._seconds, callback))
        if len(self._queue) == 1:
            loop.call_later(self._seconds, self._ring)

    def _ring(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time() + EARLY_SECONDS
        while self._queue and self._queue[0][0] <= now:
            callback = self._queue[0][1]
            callback()  # before it goes: the queue is not empty, so this sets no second timer
            self._queue.popleft()
        if self._queue:
            loop.call_at(self._queue[0][0], self._ring)


class Connection(asyncio.Protocol):
    """One client, one request after the other."""

    def __init__(self, pieces: list[bytes], clock: Clock) -> None:
        self._pieces = pieces
        self._clock = clock
        self._received = b""
        self._next = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's are no subclass of asyncio's.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, body = self._received.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        if not end or len(body) < int(length or 0):
            return
        self._received = b""
        if not head.startswith(b"POST "):
            self._transport.write(HEALTH)
            return
        self._next = 0
        self._transport.write(HEAD)
        if b'"model":"paced"' in body:
            self._send_paced()
            return
        for piece in self._pieces:
            self._transport.write(piece)

    def _send_paced(self) -> None:
        if self._transport.is_closing():
            return
        self._transport.write(self._pieces[self._next])
        self._next += 1
        if self._next < len(self._pieces):
            self._clock.after(self._send_paced)


async def main(port: int, chunks: int, milliseconds: float) -> None:
    """Serve until a signal ends it."""
    pieces, clock = answer(chunks), Clock(milliseconds / 1000)
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(pieces, clock), "127.0.0.1", port, backlog=BACKLOG
    )
    await server.serve_forever()


if __name__ == "__main__":
    use_fast_loop()
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
