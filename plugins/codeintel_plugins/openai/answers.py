"""One answer of a model as it comes in."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Sequence

import urllib3
from urllib3.exceptions import HTTPError, ReadTimeoutError

from codeintel.client.sse import EventTooLarge
from codeintel.contracts import Failed
from codeintel_plugins.openai.payloads import Payloads
from codeintel_plugins.openai.protocol import DONE, Chunk, TokenUsage, read_chunk

READ_BYTES = 65_536
MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024
MAX_REPLY_BYTES = 8 * 1024 * 1024
WAITED_SECONDS = 0.0005
"""A read that takes longer found nothing there yet."""
DRAIN_SECONDS = 1.0
"""How long the end of a response may take once the answer is whole."""


def _body(response: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    """The bytes of a response as they come. Chunks one by one cost half of what reading does."""
    if getattr(response, "chunked", False):
        yield from response.read_chunked(READ_BYTES, decode_content=False)
        return
    while data := response.read1(READ_BYTES):
        yield data


class Answer:
    """Iterate over it for the pieces of text; then it knows how the answer ended.

    :param token_timeout: seconds that may pass between two pieces.
    """

    def __init__(self, response: urllib3.BaseHTTPResponse, token_timeout: float) -> None:
        self.finish_reason: str | None = None
        self.usage: TokenUsage | None = None
        self._response = response
        self._body = _body(response)
        self._timeout = token_timeout
        self._payloads = Payloads()
        self._characters = 0
        self._thoughts = 0
        self._done = False
        self._heard_at = time.monotonic()
        self._first: Sequence[str] = ()

    def begin(self) -> None:
        """Read on to the first piece, or to the first thought of a model that thinks. The caller
        bounds how long that takes.

        :raises Failed: if what comes is no answer, or ends before there is any of it.
        """
        kind = self._response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind == "application/json":
            self._first = self._whole_reply()
        elif kind == "text/event-stream":
            while not (self._first or self._thoughts or self._done):
                self._first = self._read()
            if self._done and not self._first and self.finish_reason is None:
                raise Failed("upstream_truncated", "The model's API ended without an answer.")
        else:
            raise Failed("upstream_malformed", "The model's API sent what is no event stream.")
        self._set_timeout(self._timeout)

    def __iter__(self) -> Iterator[tuple[Sequence[str], bool]]:
        """The pieces, as many at once as came together, each time with whether they had to be
        waited for.

        :raises Failed: if the answer breaks off.
        """
        yield self._first, True
        begin = self._heard_at = time.monotonic()
        while not self._done:
            texts = self._read_on()
            end = time.monotonic()
            if texts:
                yield texts, end - begin > WAITED_SECONDS
            begin = time.monotonic()
        if self.finish_reason is None:
            raise Failed("upstream_truncated", "The model's answer broke off without an end.")
        self._release()

    def close(self) -> None:
        """Drop the connection, by which the API learns that nobody waits any more."""
        self._response.close()

    def _read_on(self) -> Sequence[str]:
        """As :meth:`_read`, with failures as they count in mid-answer."""
        thoughts = self._thoughts
        try:
            texts = self._read()
        except (ReadTimeoutError, TimeoutError):
            raise Failed("upstream_stalled", "The model stopped in mid-answer.") from None
        except EventTooLarge:
            raise Failed("upstream_malformed", "The model's API sent what is no answer.") from None
        except (HTTPError, OSError):
            raise Failed("upstream_cut", "The connection to the model broke off.") from None
        now = time.monotonic()
        if texts or self._thoughts > thoughts:
            self._heard_at = now
        elif now - self._heard_at > self._timeout:  # comments alone keep the socket awake
            raise Failed("upstream_stalled", "The model stopped in mid-answer.")
        return texts

    def _read(self) -> Sequence[str]:
        """The pieces in what comes next. `_done` tells whether it was the last."""
        data = next(self._body, b"")
        if not data:
            self._done = True
            return ()
        texts = []
        for payload in self._payloads.feed(data):
            if payload == DONE:
                self._done = True
                self.finish_reason = self.finish_reason or "stop"
                break
            text = self._take(read_chunk(payload))
            if text:
                texts.append(text)
        return texts

    def _take(self, chunk: Chunk) -> str:
        """The text of a chunk; notes what else it tells."""
        if chunk.usage is not None:
            self.usage = chunk.usage
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        if choice.finish_reason is not None:
            self.finish_reason = choice.finish_reason
        said = choice.delta or choice.message
        if said is None:
            return ""
        text = said.content
        if not text:
            self._thoughts += bool(said.reasoning_content or said.reasoning)
            return ""
        self._characters += len(text)
        if self._characters > MAX_ANSWER_CHARACTERS:
            raise Failed("upstream_malformed", "The model's answer has no end.")
        return text

    def _whole_reply(self) -> Sequence[str]:
        """The text of an API that does not stream."""
        body = self._response.read(MAX_REPLY_BYTES + 1)
        self._done = True
        if not body or len(body) > MAX_REPLY_BYTES:
            raise Failed("upstream_malformed", "The model's API sent what is no answer.")
        text = self._take(read_chunk(body))
        if not text:
            raise Failed("upstream_malformed", "The model's API sent what is no answer.")
        self.finish_reason = self.finish_reason or "stop"
        return (text,)

    def _release(self) -> None:
        """Give the connection back, if the response ends as it should; else drop it."""
        try:
            self._set_timeout(DRAIN_SECONDS)
            if next(self._body, b""):
                self.close()
        except (HTTPError, OSError):
            self.close()

    def _set_timeout(self, seconds: float) -> None:
        """How long one read may wait from now on."""
        connection = self._response.connection
        sock: socket.socket | None = getattr(connection, "sock", None)
        if sock is not None:
            sock.settimeout(seconds)
