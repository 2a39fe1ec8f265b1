"""Registries that answer immediately: `python -m search_parts.upstream PORT`.

Each answers every search with ten results, in the format that the tests use for its real answers,
so that codeintel has as much to read. Answers are encoded once, at the start.
"""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from gateway_parts import use_fast_loop

BODIES = Path(__file__).parents[2] / "tests/registries/bodies"
LIMIT = 10
REGISTRIES = {
    "/search/repositories": ("github", "items", "id"),
    "/-/v1/search": ("npm", "objects", "name"),
    "/v2/search/repositories/": ("docker", "results", "repo_name"),
}
BACKLOG = 4_096


def body(kind: str, rows: str, name: str) -> bytes:
    """Return an answer with the requested number of distinct results."""
    document = json.loads((BODIES / f"{kind}.json").read_text())
    texts = [json.dumps(row) for row in islice(cycle(document[rows]), LIMIT)]
    document[rows] = [_another(json.loads(text), name, n) for n, text in enumerate(texts)]
    return json.dumps(document).encode()


def _another(row: dict[str, Any], name: str, number: int) -> dict[str, Any]:
    named = row if name in row else row["package"]
    named[name] = number if isinstance(named[name], int) else f"{named[name]}-{number}"
    return row


def answers() -> dict[bytes, bytes]:
    """Whole responses by path."""
    found = {path: body(*facts) for path, facts in REGISTRIES.items()} | {"/health": b"{}"}
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n"
    return {path.encode(): head.format(len(text)).encode() + text for path, text in found.items()}


class Connection(asyncio.Protocol):
    """One client, one request after the other."""

    def __init__(self, responses: dict[bytes, bytes]) -> None:
        self._responses = responses
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's are no subclass of asyncio's.
        self._write = transport.write  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._received.endswith(b"\r\n\r\n"):
            path = self._received.split(b" ", 2)[1].partition(b"?")[0]
            self._received = b""
            self._write(self._responses[path])


async def main(port: int) -> None:
    """Serve until a signal ends it."""
    responses = answers()
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(responses), "127.0.0.1", port, backlog=BACKLOG
    )
    await server.serve_forever()


if __name__ == "__main__":
    use_fast_loop()
    asyncio.run(main(int(sys.argv[1])))
