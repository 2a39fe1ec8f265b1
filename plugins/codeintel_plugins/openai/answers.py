"""Answers of the Chat Completions API: what may be missing from them, how they come in as events,
and what they used (https://platform.openai.com/docs/api-reference/chat)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gevent
import msgspec
from msgspec import UNSET, UnsetType

from codeintel.client.sse import EventTooLarge, SseParser
from codeintel.contracts import Failed, Usage
from codeintel_plugins.openai.connections import Response

DONE = b"[DONE]"


class TokenUsage(msgspec.Struct):
    """Token counts of the API."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Delta(msgspec.Struct):
    """A piece of the answer. Reasoning models send their reasoning in addition to the text."""

    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class Choice(msgspec.Struct):
    """One answer. Replies that are not streamed have it in `message`."""

    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: str | None = None


class Chunk(msgspec.Struct):
    """One event of the stream, or a whole reply."""

    choices: list[Choice] | None = None
    usage: TokenUsage | None = None
    error: Any = None


class Problem(msgspec.Struct):
    """The error of an API that refuses a request. Other fields are ignored."""

    param: str | None = None
    message: str | None = None
    code: str | int | None = None


class Refusal(msgspec.Struct):
    """The body of such an answer."""

    error: Problem | str | None = None


_chunk = msgspec.json.Decoder(Chunk).decode
_refusal = msgspec.json.Decoder(Refusal).decode


def read_chunk(payload: bytes) -> Chunk:
    """Parse one event of a stream.

    :raises Failed: `upstream_malformed`, `upstream_error`.
    """
    try:
        chunk = _chunk(payload)
    except (msgspec.DecodeError, RecursionError):
        raise Failed("upstream_malformed", "The model's API sent an invalid response.") from None
    if chunk.error is not None:
        raise Failed("upstream_error", "The model's API reported an error during its answer.")
    return chunk


def refused_parameter(body: bytes, sent: Mapping[str, Any]) -> str | None:
    """Return the parameter of the request that the API does not support, if its answer says exactly
    that.

    Other errors name parameters, too, such as when the code is too long for `max_tokens`.
    """
    try:
        problem = _refusal(body).error
    except (msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(problem, Problem) or problem.param not in OPTIONAL:
        return None
    words = f"{problem.code or ''} {problem.message or ''}".lower().replace("_", " ")
    unknown = any(word in words for word in _UNKNOWN)
    return problem.param if unknown and problem.param in sent else None


OPTIONAL: Sequence[str | None] = ("max_tokens", "temperature", "stream_options")
"""Parameters that some APIs do not support. The first has another name there, and the others are
optional. The limit of the answer is always sent.
"""
_UNKNOWN = ("unsupported", "not supported", "unknown", "unrecognized")


MAX_EVENT_BYTES = 1024 * 1024
"""A chunk of an answer has some hundred bytes."""


class Payloads:
    """Split bytes, cut anywhere, into events, and return the data of the complete ones.

    Nearly all models send only whole events of one line, `data: {...}`. Those are cut out here, at
    a tenth of the cost. A parser reads all other streams.
    """

    def __init__(self) -> None:
        self._parser = SseParser(MAX_EVENT_BYTES)

    def feed(self, chunk: bytes) -> Sequence[bytes]:
        """Return the data of the events that end in the chunk, in UTF-8.

        :raises codeintel.client.sse.EventTooLarge: for an event over 1 MiB.
        """
        if (
            chunk.endswith(b"\n\n")
            and len(chunk) <= MAX_EVENT_BYTES
            and b"\r" not in chunk
            and self._parser.is_between_events
        ):
            # Two line feeds between any two events, and no other.
            events = chunk[6:-2].split(b"\n\ndata: ")
            if chunk.startswith(b"data: ") and chunk.count(b"\n") == 2 * len(events):
                return events
        return [event.data.encode() for event in self._parser.feed(chunk)]


MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024
MAX_REPLY_BYTES = 8 * 1024 * 1024
DRAIN_SECONDS = 1.0
"""How long the end of a response may take once the answer is whole."""


class Answer:
    """Iterate over it for the pieces of text; then it knows how the answer ended.

    :param token_timeout: seconds that may pass between two pieces.
    """

    def __init__(self, response: Response, token_timeout: float, host: str = "") -> None:
        self.host = host
        """Who answers, for logs."""
        self.finish_reason: str | None = None
        self.usage: TokenUsage | None = None
        self._response = response
        self._timeout = token_timeout
        self._payloads = Payloads()
        self.characters = 0
        """Of the pieces so far."""
        self._thoughts = 0
        self._done = False
        self._failure: Failed | None = None
        """The text of the partial event after the pieces that were read last."""
        self._heard_at = time.monotonic()
        self._first: Sequence[str] = ()

    def begin(self) -> None:
        """Read on to the first piece, or to the first thought of a model that thinks. The caller
        bounds how long that takes.

        :raises Failed: if what comes is no answer, or ends before there is any of it.
        """
        kind = self._response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/json":
            self._first = self._whole_reply()
        elif kind == "text/event-stream":
            while not (self._first or self._thoughts or self._done):
                self._first = self._read()
            if self._done and not self._first and self.finish_reason is None:
                raise Failed("upstream_truncated", "The model's API sent no answer.")
        else:
            raise Failed("upstream_malformed", "The model's API did not send an event stream.")
        self._response.set_timeout(self._timeout)

    def __iter__(self) -> Iterator[tuple[Sequence[str], bool]]:
        """Yield the pieces that arrived together, and whether the next ones have yet to arrive.

        :raises Failed: if the answer breaks off.
        """
        yield self._first, self._has_to_come
        self._heard_at = time.monotonic()
        while not self._done:
            texts = self._read_on()
            if texts:
                yield texts, self._has_to_come
        if self.finish_reason is None:
            raise Failed("upstream_truncated", "The model's answer is incomplete.")
        self._release()

    @property
    def _has_to_come(self) -> bool:
        return not (self._done or self._failure or self._response.has_more)

    def close(self) -> None:
        """Drop the connection, so that the API stops generating."""
        self._response.close()

    def _read_on(self) -> Sequence[str]:
        """Read like :meth:`_read`, and convert exceptions to failures in mid-answer."""
        thoughts = self._thoughts
        try:
            texts = self._read()
        except TimeoutError:
            raise Failed("upstream_stalled", "The model stopped during its answer.") from None
        except EventTooLarge:
            raise Failed(
                "upstream_malformed", "The model's API sent an invalid response."
            ) from None
        except OSError:
            raise Failed("upstream_cut", "The connection to the model was lost.") from None
        now = time.monotonic()
        if texts or self._thoughts > thoughts:
            self._heard_at = now
        elif now - self._heard_at > self._timeout:  # comments alone keep the socket awake
            raise Failed("upstream_stalled", "The model stopped during its answer.")
        return texts

    def _read(self) -> Sequence[str]:
        """Return the pieces of the next data. Sets `_done` if it was the last."""
        if self._failure is not None:
            raise self._failure
        data = self._response.read()
        if not data:
            self._done = True
            return ()
        texts: list[str] = []
        try:
            for payload in self._payloads.feed(data):
                if payload == DONE:
                    self._done = True
                    self.finish_reason = self.finish_reason or "stop"
                    break
                text = self._take(read_chunk(payload))
                if text:
                    texts.append(text)
        except Failed as failure:
            if not texts:
                raise
            self._failure = failure  # what came before it counts, though it came together
        if not texts:
            gevent.sleep(0)  # a stream of comments must not keep others from theirs
        return texts

    def _take(self, chunk: Chunk) -> str:
        """Return the text of a chunk, and store its usage and end."""
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
        self.characters += len(text)
        if self.characters > MAX_ANSWER_CHARACTERS:
            raise Failed("upstream_malformed", "The model's answer has no end marker.")
        return text

    def _whole_reply(self) -> Sequence[str]:
        """Return the text of an API that does not stream."""
        body = b""
        while len(body) <= MAX_REPLY_BYTES and (data := self._response.read()):
            body += data
        self._done = True
        if not body or len(body) > MAX_REPLY_BYTES:
            raise Failed("upstream_malformed", "The model's API sent an invalid response.")
        text = self._take(read_chunk(body))
        if not text:
            raise Failed("upstream_malformed", "The model's API sent an invalid response.")
        self.finish_reason = self.finish_reason or "stop"
        return (text,)

    def _release(self) -> None:
        """Give the connection back, if the response ends as it should; else drop it."""
        try:
            self._response.set_timeout(DRAIN_SECONDS)
            if self._response.read():
                self.close()
            else:
                self._response.release()
        except OSError:
            self.close()


CHARACTERS_PER_TOKEN = 4
"""Of English and of code, about: for counts that the API does not give."""


def usage_of(answer: Answer, characters: int, asked: int) -> Usage:
    """Return the usage that the API counted, or an estimate from the number of characters.

    :param characters: the length of the code.
    :param asked: the length of the whole conversation, for the estimate.
    """
    counted = answer.usage
    if (
        counted is not None
        and counted.prompt_tokens is not None
        and counted.completion_tokens is not None
    ):
        return Usage(
            input_characters=characters,
            input_tokens=max(0, counted.prompt_tokens),
            output_tokens=max(0, counted.completion_tokens),
        )
    return Usage(
        input_characters=characters,
        input_tokens=-(-asked // CHARACTERS_PER_TOKEN),
        output_tokens=-(-answer.characters // CHARACTERS_PER_TOKEN),
        estimated=True,
    )


def total(characters: int, usages: Sequence[Usage]) -> Usage:
    """Add up the usage of several answers about one piece of code."""
    return Usage(
        input_characters=characters,
        input_tokens=sum(_known(each.input_tokens) for each in usages),
        output_tokens=sum(_known(each.output_tokens) for each in usages),
        estimated=any(each.estimated for each in usages),
    )


def _known(count: int | UnsetType) -> int:
    return 0 if count is UNSET else count
