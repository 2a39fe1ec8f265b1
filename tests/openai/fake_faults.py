"""Models of the fake API that refuse, stop or break off, as real ones do."""

from __future__ import annotations

import asyncio

from fake_stream import Connection, chunk, mode, say_words


@mode
async def narrow(connection: Connection) -> None:
    """Behave like vLLM if code and `max_tokens` together are more than the model accepts."""
    words = "'max_tokens' is too large: 4096. The input has 9000 tokens."
    problem = {"message": words, "param": "max_tokens", "code": 400}
    await connection.status("400 Bad Request", {"error": problem})


@mode
async def limited(connection: Connection) -> None:
    """Answer 429 before the first token."""
    await connection.status("429 Too Many Requests", {"error": {"message": "slow down"}})


@mode
async def limited_for_long(connection: Connection) -> None:
    """Answer 429, with a retry in an hour."""
    await connection.status("429 Too Many Requests", {}, Retry_After="3600")


@mode
async def broken(connection: Connection) -> None:
    """Answer 500 before the first token."""
    await connection.status("500 Internal Server Error", {"error": {"message": "secret detail"}})


@mode
async def forbidden(connection: Connection) -> None:
    """Answer 401."""
    await connection.status("401 Unauthorized", {"error": {"message": "no key"}})


@mode
async def silent(connection: Connection) -> None:
    """Send headers, then nothing."""
    await connection.begin()
    await asyncio.sleep(3_600)


@mode
async def mute(connection: Connection) -> None:  # noqa: ARG001 - as all modes
    """Send nothing, not even headers."""
    await asyncio.sleep(3_600)


@mode
async def chatty(connection: Connection) -> None:
    """Send half of the answer, then comments without end."""
    await say_words(connection)
    while True:
        await connection.send(b": still here\n\n")
        await asyncio.sleep(0.05)


@mode
async def stalled(connection: Connection) -> None:
    """Send half of the answer, then nothing, like an API that sends a chunk a minute."""
    await say_words(connection)
    await asyncio.sleep(3_600)


@mode
async def cut(connection: Connection) -> None:
    """Send half of the answer, then reset the connection."""
    await say_words(connection)
    connection.cut()


@mode
async def cut_early(connection: Connection) -> None:
    """Reset before the first token."""
    connection.cut()


@mode
async def truncated(connection: Connection) -> None:
    """Send half of the answer, and end properly without a finish marker."""
    await say_words(connection)
    await connection.end()


@mode
async def empty(connection: Connection) -> None:
    """Send a valid stream without any event."""
    await connection.begin()
    await connection.end()


@mode
async def error_chunk(connection: Connection) -> None:
    """Send half of the answer, then an error."""
    await say_words(connection)
    await connection.send(b'data: {"error":{"message":"secret detail","code":500}}\n\n')
    await connection.end()


@mode
async def malformed(connection: Connection) -> None:
    """Send half of the answer, then invalid JSON."""
    await say_words(connection)
    await connection.send(b"data: {nonsense\n\n")
    await connection.end()


@mode
async def huge(connection: Connection) -> None:
    """Send half of the answer, then a chunk of 10 MB."""
    await say_words(connection)
    await connection.send(chunk("x" * 10_000_000))
    await connection.end()


@mode
async def endless(connection: Connection) -> None:
    """Send more than any answer may have."""
    await connection.begin()
    while True:
        await connection.send(chunk("x" * 100_000))


@mode
async def web_page(connection: Connection) -> None:
    """Send the wrong content type, like a captive portal."""
    await connection.begin("text/html")
    await connection.send(b"<html>Sign in, please</html>")
    await connection.end()
