"""Registries that fail in every way that a socket allows, in a thread of the test.

The first part of a path names the way. What is sent is raw: no HTTP library would let one.
"""

from __future__ import annotations

import asyncio
import gzip
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email.utils import formatdate
from pathlib import Path
from threading import Thread
from typing import Any

MEGABYTE = 1024 * 1024
BIG = 50 * MEGABYTE
FOUND = b'{"objects":[{"package":{"name":"b"}}]}'
Way = Callable[["BrokenRegistries", asyncio.StreamWriter], Awaitable[None]]


def answer(body: bytes = FOUND, status: str = "200 OK", **headers: str) -> bytes:
    """Return a whole answer; underscores in names of headers stand for hyphens."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def packed(size: int, times: int = 1) -> bytes:
    """Return the given number of zeros, compressed the given number of times."""
    data = bytes(size)
    for _ in range(times):
        data = gzip.compress(data)
    return data


def numbered(value: bytes) -> bytes:
    """Return an answer of GitHub's kind."""
    url = b'"http://b.test/"'
    return answer(b'{"items":[{"full_name":"b","html_url":%s,"id":%s}]}' % (url, value))


def later(seconds: int) -> str:
    return str(int(time.time()) + seconds)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\n"
ANSWERS: dict[str, Callable[[], bytes]] = {
    "good": answer,
    "proxied": answer,  # for every request through a proxy
    "401": lambda: answer(b"{}", "401 Unauthorized"),
    "403": lambda: answer(b"{}", "403 Forbidden"),
    "403-limit": lambda: answer(
        b"{}", "403 Forbidden", X_RateLimit_Remaining="0", X_RateLimit_Reset=later(30)
    ),
    "429": lambda: answer(b"{}", "429 Too Many Requests"),
    "429-seconds": lambda: answer(b"{}", "429 Too Many Requests", Retry_After="30"),
    "429-date": lambda: answer(
        b"{}", "429 Too Many Requests", Retry_After=formatdate(time.time() + 30, usegmt=True)
    ),
    "429-docker": lambda: answer(b"{}", "429 Too Many Requests", X_Retry_After=later(30)),
    "429-gitlab": lambda: answer(
        b"{}", "429 Too Many Requests", RateLimit_Remaining="0", RateLimit_Reset=later(30)
    ),
    "429-huggingface": lambda: answer(b"{}", "429 Too Many Requests", RateLimit='"api";r=0;t=30'),
    "429-endless": lambda: answer(b"{}", "429 Too Many Requests", Retry_After="9" * 60_000),
    "422": lambda: answer(b'{"message":"secret detail"}', "422 Unprocessable"),
    "500": lambda: answer(b"secret detail", "500 Oops"),
    "204": lambda: b"HTTP/1.1 204 No Content\r\n\r\n",
    "304": lambda: b"HTTP/1.1 304 Not Modified\r\n\r\n",
    "101": lambda: b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + answer(),
    "103": lambda: b"HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n" + answer(),
    "html": lambda: answer(b"<html>Sign in</html>", Content_Type="text/html"),
    "half": lambda: answer(FOUND[:20]),
    "deep": lambda: answer(b'{"objects":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    "nan": lambda: numbered(b"NaN"),
    "infinity": lambda: numbered(b"-Infinity"),
    "huge": lambda: numbered(b"9" * 5_000),
    "twice": lambda: answer(b'{"objects":[],' + FOUND[1:]),
    "mark": lambda: answer(b"\xef\xbb\xbf" + FOUND),
    "utf-16": lambda: answer(FOUND.decode().encode("utf-16")),
    "invalid": lambda: answer(FOUND.replace(b'"b"', b'"\xff"')),
    "cut": lambda: answer(FOUND + bytes(500))[:-500],
    "bad-chunk": lambda: CHUNKED + b"xyz\r\nabc\r\n",
    "cut-chunk": lambda: CHUNKED + b"26\r\n" + FOUND[:20],
    "no-http": lambda: b"SSH-2.0-OpenSSH_9.2\r\n",
    "nothing": lambda: b"",
    "two-lengths": lambda: HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "no-header": lambda: answer().replace(b"\r\n", b"\r\nthis is no header\r\n", 1),
    "long-head": lambda: HEAD + b"".join(b"X-%d: %s\r\n" % (n, b"x" * 50_000) for n in range(200)),
    "many-headers": lambda: HEAD + b"X: y\r\n" * 100_000,
    "brotli": lambda: answer(bytes(range(256)), Content_Encoding="br"),
    "unknown": lambda: answer(Content_Encoding="x-unknown"),
    "garbage": lambda: answer(b"\x1f\x8b\x08garbage", Content_Encoding="gzip"),
    "zipped": lambda: answer(gzip.compress(FOUND), Content_Encoding="gzip"),
    "bomb": lambda: answer(packed(BIG), Content_Encoding="gzip"),
    "double-bomb": lambda: answer(packed(6 * BIG, 2), Content_Encoding="gzip, gzip"),
    "moved-bomb": lambda: answer(
        packed(BIG), "302 Found", Content_Encoding="gzip", Location="/elsewhere"
    ),
    "members": lambda: answer(gzip.compress(b"") * 400_000, Content_Encoding="gzip"),
    "crumbs": lambda: CHUNKED + b"1\r\n \r\n" * 2_000_000 + b"0\r\n\r\n",
    "nameless": lambda: answer(FOUND.replace(b"[", b"[" + b"{}," * 1_500)),
    "rows": lambda: answer(b'{"objects":[' + b"{}," * 2_700_000 + b"{}]}"),
    "words": lambda: answer(FOUND.replace(b'"b"', b'"b","description":"%s"' % (b"x " * 4_000_000))),
    "cookies": lambda: answer(Set_Cookie=f"a={'; ' * 15_000}; path=/"),
}
"""Ways that are one string of bytes, after which the connection is closed."""


async def hang(_: BrokenRegistries, __: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3_600)


def dripping(begin: bytes, drop: bytes) -> Way:
    async def drip(_: BrokenRegistries, writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0.1)

    return drip


def endless(name: str, begin: bytes, piece: bytes) -> Way:
    """Build a way that sends as fast as the client reads, and counts the bytes."""

    async def send(registries: BrokenRegistries, writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        while registries.sent[name] < BIG:
            writer.write(piece)
            await writer.drain()
            registries.sent[name] += len(piece)

    return send


async def move(registries: BrokenRegistries, writer: asyncio.StreamWriter) -> None:
    where = f"http://127.0.0.1:{registries.elsewhere}/good"
    writer.write(answer(b"{}", "302 Found", Location=where))
    await writer.drain()


WAYS: dict[str, Way] = {
    "302": move,
    "hang": hang,
    "drip-head": dripping(b"", b"H"),
    "drip-headers": dripping(HEAD, b"X: y\r\n"),
    "drip-body": dripping(HEAD + b"Content-Length: 1000000\r\n\r\n", b" "),
    "drip-100": dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "big": endless("big", HEAD + b"Content-Length: %d\r\n\r\n" % BIG, b" " * 65_536),
    "big-chunks": endless("big-chunks", CHUNKED, b"10000\r\n" + b" " * 65_536 + b"\r\n"),
    "trailers": endless("trailers", CHUNKED + b"0\r\n", b"X: y\r\n" * 10_000),
    "interim": endless("interim", b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2_000),
}


class BrokenRegistries:
    """Run the broken registries, as a context manager.

    :ivar heads: the heads of requests, by the first part of their path.
    :ivar sent: the number of bytes that the system has accepted for sending, for the ways that
        count.
    :ivar open: the number of open connections, by port; `opened`: the total ever opened.
    :ivar elsewhere: the port to which `302` redirects.
    """

    def __init__(self) -> None:
        self.heads: list[tuple[str, bytes]] = []
        self.sent: Counter[str] = Counter()
        self.open: Counter[int] = Counter()
        self.opened: Counter[int] = Counter()
        self.elsewhere = 0
        self._ready: dict[str, bytes] = {}
        self._servers: list[asyncio.Server] = []
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)

    def __enter__(self) -> BrokenRegistries:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def listen(self, certificate: Path | None = None, *, talks: bool = True) -> int:
        """Listen on one more port, and return it; over TLS with a certificate, and without saying
        a word if it does not talk."""
        context = None
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
        serve = self._serve if talks else self._listen_only
        server = self._run(asyncio.start_server(serve, "127.0.0.1", 0, ssl=context))
        self._servers.append(server)
        port: int = server.sockets[0].getsockname()[1]
        return port

    def prepare(self, way: str) -> None:
        """Make an answer that takes time to make."""
        if way in ANSWERS:
            self._ready[way] = ANSWERS[way]()

    def asked(self, way: str) -> list[bytes]:
        """Return the heads of requests that named a way."""
        return [head for name, head in [*self.heads] if name == way]

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _end(self) -> None:
        for server in self._servers:
            server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _listen_only(self, reader: asyncio.StreamReader, writer: Any) -> None:
        with suppress(OSError):
            await reader.read()
        writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = writer.get_extra_info("sockname")[1]
        self.open[port] += 1
        self.opened[port] += 1
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._talk(reader, writer)
        finally:
            self.open[port] -= 1
            writer.transport.abort() if writer.transport.is_closing() else writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answered = False
        while True:
            first = await reader.readexactly(1)
            if first == b"\x16":  # the client speaks TLS
                writer.write(answer(b"", "400 Bad Request"))
                return
            head = first + await reader.readuntil(b"\r\n\r\n")
            target = head.split(b" ", 2)[1].decode()
            way = target.split("/")[1].partition("?")[0] if target[0] == "/" else "proxied"
            self.heads.append((way, head))
            if way == "closes-after":
                writer.write(answer())
                await writer.drain()
                return
            if way == "kept" or (way == "closes-at-once" and not answered):
                writer.write(answer())
                answered = True
                continue
            if way == "closes-at-once":
                return
            if way in WAYS:
                # The client may leave.
                work = asyncio.ensure_future(WAYS[way](self, writer))
                gone = asyncio.ensure_future(reader.read())
                done, rest = await asyncio.wait({work, gone}, return_when="FIRST_COMPLETED")
                for task in rest:
                    task.cancel()
                for task in done:
                    task.exception()
                return
            data = self._ready.pop(way, None) or ANSWERS[way]()
            writer.write(data)
            await writer.drain()
            self.sent[way] += len(data)
            return
