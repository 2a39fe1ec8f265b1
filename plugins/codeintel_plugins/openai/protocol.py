"""The parts of the Chat Completions API that are used, and what may be missing from them
(https://platform.openai.com/docs/api-reference/chat)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from codeintel.contracts import Failed

DONE = b"[DONE]"


class TokenUsage(msgspec.Struct):
    """What the API counted."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Delta(msgspec.Struct):
    """A piece of the answer. Models that think send their thoughts beside the text."""

    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class Choice(msgspec.Struct):
    """One answer; `message` in replies that are not streamed."""

    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: str | None = None


class Chunk(msgspec.Struct):
    """One event of the stream, or a whole reply."""

    choices: list[Choice] | None = None
    usage: TokenUsage | None = None
    error: Any = None


class Problem(msgspec.Struct):
    """What an API says about a request that it refuses; more is not looked at."""

    param: str | None = None
    message: str | None = None
    code: str | int | None = None


class Refusal(msgspec.Struct):
    """The body of such an answer."""

    error: Problem | str | None = None


_chunk = msgspec.json.Decoder(Chunk).decode
_refusal = msgspec.json.Decoder(Refusal).decode


def read_chunk(payload: bytes) -> Chunk:
    """One event of a stream.

    :raises Failed: `upstream_malformed`, `upstream_error`.
    """
    try:
        chunk = _chunk(payload)
    except (msgspec.DecodeError, RecursionError):
        raise Failed("upstream_malformed", "The model's API sent what is no answer.") from None
    if chunk.error is not None:
        raise Failed("upstream_error", "The model's API reported an error in mid-answer.")
    return chunk


def refused_parameter(body: bytes, sent: Mapping[str, Any]) -> str | None:
    """The parameter of the request that the API does not know, if its answer says just that: other
    complaints name parameters too, as when the code is too long for `max_tokens`."""
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
"""Parameters that some APIs do not know: the first has another name there, and the others an answer
can be had without. The bound of the answer is never left out."""
_UNKNOWN = ("unsupported", "not supported", "unknown", "unrecognized")
