"""An OpenAI-compatible API that fails in every way that real ones do: `python fake_api.py PORT`.

The model's name selects the behavior, which is documented at each function of `fake_answers.py` and
`fake_faults.py`. `GET /stats` returns the number of answers begun, completed and aborted by the
client, and the last request. `POST /release` ends those of `gathered`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress

from fake_answers import RELEASED, scripted
from fake_stream import MODES, STATS, Connection


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            line, *headers = head.decode("latin-1").split("\r\n")
            fields = dict(h.lower().split(": ", 1) for h in headers if ": " in h)
            body = await reader.readexactly(int(fields.get("content-length", "0")))
            await _answer(line.split(" ")[1], fields, body, writer)
    writer.close()


async def _answer(
    path: str, fields: dict[str, str], raw: bytes, writer: asyncio.StreamWriter
) -> None:
    if path.startswith("/stats"):
        return await Connection(writer, {}).status("200 OK", STATS)
    if path.startswith("/release"):
        RELEASED.set()
        return await Connection(writer, {}).status("200 OK")
    body = json.loads(raw)
    STATS["requests"] += 1
    STATS["last"] = {"body": body, "path": path, "authorization": fields.get("authorization")}
    STATS["begun"] += 1
    try:
        name, _, script = body["model"].partition(":")
        if script:
            await scripted(Connection(writer, body), script)
        else:
            await MODES[name](Connection(writer, body))
        STATS["completed"] += 1
    except (ConnectionError, asyncio.CancelledError):
        STATS["aborted"] += 1
        raise


class _Watcher(asyncio.StreamReaderProtocol):
    """Ends the work on a connection as soon as the client is gone."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(asyncio.StreamReader(limit=2**24), self._spawn, loop=loop)
        self._task: asyncio.Task[None] | None = None

    def _spawn(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._task = asyncio.get_running_loop().create_task(_serve(reader, writer))

    def eof_received(self) -> bool:
        self._stop()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._stop()

    def _stop(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(_Watcher, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
