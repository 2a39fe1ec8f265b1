"""An OpenAI-compatible API that fails in every way that real ones do: `python fake_api.py PORT`.

The model's name chooses what it does; it is documented beside each function. `GET /stats` tells how
many answers were begun, completed and aborted by the client, and what the last request was.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

WORDS = [f"word{number} " for number in range(20)]
FINDINGS = {
    "findings": [
        {
            "line": 2,
            "quote": "os.system(name)",
            "message": "A command is built from what a caller sends.",
            "remedy": "Pass a list to subprocess.run.",
            "severity": "high",
            "confidence": "high",
            "category": "security",
            "cwe": "CWE-78",
            "rule": "command",
        }
    ]
}
STATS: dict[str, Any] = {"begun": 0, "completed": 0, "aborted": 0, "requests": 0, "last": None}


def chunk(text: str | None = None, finish: str | None = None, **more: Any) -> bytes:
    """One event of the stream."""
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


async def _words(connection: Connection, pause: float = 0.0) -> None:
    await connection.begin()
    for word in WORDS:
        await connection.send(chunk(word))
        await asyncio.sleep(pause)


@mode
async def fine(connection: Connection) -> None:
    """Prose, the findings, usage."""
    await _words(connection)
    block = f"\n\n```json\n{json.dumps(FINDINGS)}\n```\n"
    for at in range(0, len(block), 7):
        await connection.send(chunk(block[at : at + 7]))
    await connection.send(chunk(finish="stop") + USAGE + DONE)
    await connection.end()


@mode
async def prose(connection: Connection) -> None:
    """No list of findings, no usage, no [DONE]."""
    await _words(connection)
    await connection.send(chunk("", finish="stop"))
    await connection.end()


@mode
async def paced(connection: Connection) -> None:
    """Twenty words a second, for ever."""
    await connection.begin()
    while True:
        await connection.send(chunk("word "))
        await asyncio.sleep(0.05)


@mode
async def steady(connection: Connection) -> None:
    """Twenty words, five a second."""
    await _words(connection, 0.2)
    await connection.send(chunk("", finish="stop"))
    await connection.end()


@mode
async def odd(connection: Connection) -> None:
    """All that the event stream format allows: comments, CR LF, data over two lines, UTF-8 cut
    anywhere, fields nobody knows."""
    await connection.begin()
    document = json.dumps(
        json.loads(chunk("häßlich \U0001f600 ")[6:]), ensure_ascii=False, indent=1
    )
    lines = "".join(f"data: {line}\r\n" for line in document.split("\n"))
    data = f": hello\r\n\r\nevent: message\r\nid: 1\r\n{lines}\r\nretry: 10\r\n\r\n".encode()
    for at in range(0, len(data), 3):
        await connection.send(data[at : at + 3])
    await connection.send(b'data:{"choices":[{"delta":null}]}\n\ndata:{"choices":null}\n\n')
    await connection.send(chunk("end", finish="stop") + DONE)
    await connection.end()


@mode
async def thinking(connection: Connection) -> None:
    """Thoughts first."""
    await connection.begin()
    for _ in range(3):
        await connection.send(b'data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n')
        await asyncio.sleep(0.1)
    await connection.send(chunk("word ", finish="stop") + DONE)
    await connection.end()


@mode
async def unstreamed(connection: Connection) -> None:
    """One document, though a stream was asked for."""
    message = {"role": "assistant", "content": "".join(WORDS)}
    usage = {"prompt_tokens": 11, "completion_tokens": 7}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    await connection.status("200 OK", {"choices": [choice], "usage": usage})


@mode
async def picky(connection: Connection) -> None:
    """As OpenAI's newer models: no `max_tokens`, no `temperature`."""
    for name in ("max_tokens", "temperature"):
        if name in connection.body:
            problem = {"message": f"'{name}' is none.", "param": name}
            problem["code"] = "unsupported_parameter"
            return await connection.status("400 Bad Request", {"error": problem})
    return await fine(connection)


@mode
async def narrow(connection: Connection) -> None:
    """As vLLM when code and `max_tokens` together are more than the model takes."""
    words = "'max_tokens' is too large: 4096. The input has 9000 tokens."
    problem = {"message": words, "param": "max_tokens", "code": 400}
    await connection.status("400 Bad Request", {"error": problem})


@mode
async def limited(connection: Connection) -> None:
    """429 before the first token."""
    await connection.status("429 Too Many Requests", {"error": {"message": "slow down"}})


@mode
async def limited_for_long(connection: Connection) -> None:
    """429, to be tried again in an hour."""
    await connection.status("429 Too Many Requests", {}, Retry_After="3600")


@mode
async def broken(connection: Connection) -> None:
    """500 before the first token."""
    await connection.status("500 Internal Server Error", {"error": {"message": "secret detail"}})


@mode
async def flaky(connection: Connection) -> None:
    """500 the first time, an answer the second."""
    if STATS["requests"] % 2:
        return await broken(connection)
    return await fine(connection)


@mode
async def forbidden(connection: Connection) -> None:
    """401."""
    await connection.status("401 Unauthorized", {"error": {"message": "no key"}})


@mode
async def silent(connection: Connection) -> None:
    """Headers, then nothing."""
    await connection.begin()
    await asyncio.sleep(3_600)


@mode
async def mute(connection: Connection) -> None:  # noqa: ARG001 - as all modes
    """Not even headers."""
    await asyncio.sleep(3_600)


@mode
async def chatty(connection: Connection) -> None:
    """Half of the answer, then comments for ever."""
    await _words(connection)
    while True:
        await connection.send(b": still here\n\n")
        await asyncio.sleep(0.05)


@mode
async def stalled(connection: Connection) -> None:
    """Half of the answer, then nothing: as one that sends a chunk a minute."""
    await _words(connection)
    await asyncio.sleep(3_600)


@mode
async def cut(connection: Connection) -> None:
    """Half of the answer, then the connection is reset."""
    await _words(connection)
    connection.cut()


@mode
async def cut_early(connection: Connection) -> None:
    """Reset before the first token."""
    connection.cut()


@mode
async def truncated(connection: Connection) -> None:
    """Half of the answer, and an orderly end without a finish marker."""
    await _words(connection)
    await connection.end()


@mode
async def empty(connection: Connection) -> None:
    """An orderly stream without any event."""
    await connection.begin()
    await connection.end()


@mode
async def error_chunk(connection: Connection) -> None:
    """Half of the answer, then an error."""
    await _words(connection)
    await connection.send(b'data: {"error":{"message":"secret detail","code":500}}\n\n')
    await connection.end()


@mode
async def malformed(connection: Connection) -> None:
    """Half of the answer, then what is no JSON."""
    await _words(connection)
    await connection.send(b"data: {nonsense\n\n")
    await connection.end()


@mode
async def huge(connection: Connection) -> None:
    """Half of the answer, then a chunk of 10 MB."""
    await _words(connection)
    await connection.send(chunk("x" * 10_000_000))
    await connection.end()


@mode
async def endless(connection: Connection) -> None:
    """More than any answer may have."""
    await connection.begin()
    while True:
        await connection.send(chunk("x" * 100_000))


@mode
async def long(connection: Connection) -> None:
    """An answer that reached its longest length, in the middle of the list of findings."""
    await _words(connection)
    await connection.send(chunk('\n```json\n{"findings": [{"line": 1,', finish="length") + DONE)
    await connection.end()


@mode
async def filtered(connection: Connection) -> None:
    """An answer that a filter cut off."""
    await _words(connection)
    await connection.send(chunk(finish="content_filter") + DONE)
    await connection.end()


@mode
async def web_page(connection: Connection) -> None:
    """The wrong content type, as of a captive portal."""
    await connection.begin("text/html")
    await connection.send(b"<html>Sign in, please</html>")
    await connection.end()


async def scripted(connection: Connection, script: str) -> None:
    """The answers of a script, `script:` and base64 of a JSON list: as many have been given as the
    conversation has. `<cut>` resets the connection."""
    replies = json.loads(base64.urlsafe_b64decode(script))
    given = sum(each["role"] == "assistant" for each in connection.body["messages"])
    if replies[given] == "<cut>":
        connection.cut()
        return
    await connection.begin()
    for at in range(0, len(replies[given]), 50):
        await connection.send(chunk(replies[given][at : at + 50]))
    await connection.send(chunk(finish="stop") + DONE)
    await connection.end()


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
