"""A model API on loopback that answers every request with the code it was last given.

It streams what an OpenAI-compatible API streams: a sentence, the whole file in one fenced block,
the usage and the end.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = "scripted"
PIECE = 400
"""Characters of one chunk."""


class ScriptedModel(ThreadingHTTPServer):
    """The API. Set `code` before each request.

    :ivar asked: how often it was asked.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.code = ""
        self.asked = 0

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def running_model() -> Iterator[ScriptedModel]:
    """The API, running within the block."""
    with ScriptedModel() as model:
        thread = threading.Thread(target=model.serve_forever, daemon=True)
        thread.start()
        try:
            yield model
        finally:
            model.shutdown()
            thread.join()


def reply(code: str) -> str:
    """Return a model's answer with the code. The fence is longer than any fence in the code."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"I rewrote the code as you asked.\n\n{fence}\n{code.rstrip()}\n{fence}\n"


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedModel

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.server.asked += 1
        text = reply(self.server.code)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for start in range(0, len(text), PIECE):
            self._send(_chunk(text[start : start + PIECE], None))
        self._send(_chunk("", "stop"))
        usage = {"prompt_tokens": 100, "completion_tokens": 100, "total_tokens": 200}
        self._send(json.dumps({"choices": [], "usage": usage}))
        self._send("[DONE]")

    def _send(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


def _chunk(text: str, finish: str | None) -> str:
    choice = {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}
    return json.dumps(
        {"id": "rewrite", "object": "chat.completion.chunk", "model": NAME, "choices": [choice]}
    )
