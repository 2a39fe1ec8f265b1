"""Registries that answer after a delay: `python fake_registries.py PORT`.

The first part of a path is the delay in milliseconds, or `hang` or `drip`. `/stats` returns the
number of requests of each.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from contextlib import suppress

BODIES = {
    "/search/repositories": {
        "items": [{"id": 1, "full_name": "a/b", "html_url": "https://github.test/a/b"}]
    },
    "/-/v1/search": {"objects": [{"package": {"name": "b"}}]},
    "/v2/search/repositories/": {"results": [{"repo_name": "redis", "star_count": 1}]},
}
ASKED: Counter[str] = Counter()
UNDER_WAY: Counter[str] = Counter()


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection."""
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode().partition("?")[0]
            if path == "/stats":
                await send(writer, dict(ASKED))
                continue
            speed, _, rest = path.lstrip("/").partition("/")
            ASKED[speed] += 1
            if speed == "hang":
                await asyncio.sleep(3_600)
            if speed == "drip":
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                while True:
                    writer.write(b" ")
                    await writer.drain()
                    await asyncio.sleep(0.1)
            UNDER_WAY[speed] += 1
            most = f"{speed} at once"
            ASKED[most] = max(ASKED[most], UNDER_WAY[speed])
            await asyncio.sleep(int(speed) / 1000)
            UNDER_WAY[speed] -= 1
            await send(writer, BODIES[f"/{rest}"])
    writer.close()


async def send(writer: asyncio.StreamWriter, document: object) -> None:
    body = json.dumps(document).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await writer.drain()


async def main(port: int) -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
