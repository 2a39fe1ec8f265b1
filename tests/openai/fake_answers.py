"""Models of the fake API that answer, each in its own way."""

from __future__ import annotations

import asyncio
import base64
import json
from contextlib import suppress

from fake_faults import broken
from fake_stream import DONE, STATS, USAGE, WORDS, Connection, chunk, mode, say_words

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
RELEASED = asyncio.Event()


@mode
async def fine(connection: Connection) -> None:
    """Send prose, the findings, usage."""
    await say_words(connection)
    block = f"\n\n```json\n{json.dumps(FINDINGS)}\n```\n"
    for at in range(0, len(block), 7):
        await connection.send(chunk(block[at : at + 7]))
    await connection.send(chunk(finish="stop") + USAGE + DONE)
    await connection.end()


@mode
async def prose(connection: Connection) -> None:
    """Send no list of findings, no usage, no [DONE]."""
    await say_words(connection)
    await connection.send(chunk("", finish="stop"))
    await connection.end()


@mode
async def paced(connection: Connection) -> None:
    """Send twenty words a second without end."""
    await connection.begin()
    while True:
        await connection.send(chunk("word "))
        await asyncio.sleep(0.05)


@mode
async def steady(connection: Connection) -> None:
    """Send twenty words, five a second."""
    await say_words(connection, 0.2)
    await connection.send(chunk("", finish="stop"))
    await connection.end()


@mode
async def gathered(connection: Connection) -> None:
    """Send a word a second until `POST /release`, then the end."""
    await connection.begin()
    while not RELEASED.is_set():
        await connection.send(chunk("word "))
        with suppress(TimeoutError):
            await asyncio.wait_for(RELEASED.wait(), 1)
    await connection.send(chunk("", finish="stop"))
    await connection.end()


@mode
async def odd(connection: Connection) -> None:
    """Send every feature of the event stream format: comments, CR LF, data over two lines, UTF-8
    cut anywhere, unknown fields."""
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
    """Send reasoning first."""
    await connection.begin()
    for _ in range(3):
        await connection.send(b'data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n')
        await asyncio.sleep(0.1)
    await connection.send(chunk("word ", finish="stop") + DONE)
    await connection.end()


@mode
async def unstreamed(connection: Connection) -> None:
    """Send one document, although a stream was requested."""
    message = {"role": "assistant", "content": "".join(WORDS)}
    usage = {"prompt_tokens": 11, "completion_tokens": 7}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    await connection.status("200 OK", {"choices": [choice], "usage": usage})


@mode
async def picky(connection: Connection) -> None:
    """Behave like OpenAI's newer models: no `max_tokens`, no `temperature`."""
    for name in ("max_tokens", "temperature"):
        if name in connection.body:
            problem = {"message": f"'{name}' is none.", "param": name}
            problem["code"] = "unsupported_parameter"
            return await connection.status("400 Bad Request", {"error": problem})
    return await fine(connection)


@mode
async def flaky(connection: Connection) -> None:
    """Answer 500 the first time, and normally the second."""
    if STATS["requests"] % 2:
        return await broken(connection)
    return await fine(connection)


@mode
async def long(connection: Connection) -> None:
    """Send an answer that reached its maximum length, in the middle of the list of findings."""
    await say_words(connection)
    await connection.send(chunk('\n```json\n{"findings": [{"line": 1,', finish="length") + DONE)
    await connection.end()


@mode
async def filtered(connection: Connection) -> None:
    """Send an answer that a filter cut off."""
    await say_words(connection)
    await connection.send(chunk(finish="content_filter") + DONE)
    await connection.end()


async def scripted(connection: Connection, script: str) -> None:
    """Send the answers of a script, `script:` and base64 of a JSON list. The conversation shows
    how many have been sent. `<cut>` resets the connection."""
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
