"""Messages between the server, the zygote and the children, in msgpack.

A stream has the length in front of each message.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from codeintel.contracts import (
    AnalyzerRequest,
    Check,
    Detection,
    Metric,
    Note,
    Reported,
    Rewrite,
    RewriteRequest,
)
from codeintel.engine.equivalence.comparison import Comparison

MAX_FINDINGS = 2_000
MAX_MESSAGES = 2 * MAX_FINDINGS
"""Findings, notes and metrics together."""
MAX_OUTPUT_BYTES = 8 * 1024 * 1024
MAX_ANSWERS = 20_000
"""Maximum number of answers of one text job."""
MAX_FRAME_BYTES = 8 * 1024 * 1024
MEMORY_BYTES = 1024 * 1024 * 1024
CONTROL_BYTES = 512
_LENGTH = struct.Struct("!I")

T = TypeVar("T")


class Hello(msgspec.Struct, frozen=True):
    """Server to zygote, first: the plugins' folder and configuration."""

    instance: str
    folder: str
    config: dict[str, Any]
    functions: tuple[str, ...] = ()
    """The places of text functions, as `module:NAME`."""


class Start(msgspec.Struct, frozen=True, tag="start"):
    """Server to zygote, with a socket: fork a child that serves the job at its other end."""

    job: int


class Kill(msgspec.Struct, frozen=True, tag="kill"):
    """Server to zygote: kill the child of a job with all its descendants."""

    job: int


Command = Start | Kill


class AnalysisJob(msgspec.Struct, frozen=True, tag="analysis"):
    """Server to child: analyze the code with this analyzer."""

    analyzer: str
    request: AnalyzerRequest


class BatchPart(msgspec.Struct, frozen=True, array_like=True):
    """The work of one analyzer in a batch: its place in a list, its name, and the requests."""

    place: int
    analyzer: str
    requests: tuple[int, ...]


class BatchJob(msgspec.Struct, frozen=True, tag="batch"):
    """Server to child: analyze several codes, one analyzer after the other.

    `together` lets an analyzer start its program once for all codes.
    """

    requests: dict[int, AnalyzerRequest]
    parts: tuple[BatchPart, ...]
    together: bool


class DetectionJob(msgspec.Struct, frozen=True, tag="detection"):
    """Server to child: detect the language of the code with this detector."""

    detector: str
    code: str


class RewriteJob(msgspec.Struct, frozen=True, tag="rewrite"):
    """Server to child: propose new code with this transformation."""

    transformation: str
    request: RewriteRequest


class TextJob(msgspec.Struct, frozen=True, tag="text"):
    """Server to child: apply this function to the texts that follow.

    Each part is a frame. An empty frame ends them.
    """

    function: str


Job = AnalysisJob | BatchJob | DetectionJob | RewriteJob | Comparison | TextJob
"""The one thing that a child does."""


class Detected(msgspec.Struct, frozen=True, tag="detected"):
    """Child to server: the answer of a detector."""

    detection: Detection


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """Child to server: why a transformation cannot handle the code, for the caller."""

    message: str


class Checked(msgspec.Struct, frozen=True, tag="checked"):
    """Child to server: the result of one check of a comparison."""

    check: Check


class Differs(msgspec.Struct, frozen=True, tag="differs"):
    """Child to server: the unified diff of a comparison."""

    diff: str


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """Child to server: one answer of a text function, encoded."""

    data: bytes


class Done(msgspec.Struct, frozen=True, tag="done"):
    """Child to server, last. `error` is the type and place of an exception, never its text."""

    error: str | None = None
    truncated: bool = False


class BatchMessage(msgspec.Struct, frozen=True, array_like=True):
    """Child to server: a message about one request of a batch. `Done` ends its messages."""

    analyzer: int
    request: int
    output: Reported | Metric | Note | Done


Message = (
    Reported | Metric | Note | Detected | Rewrite | Refused | Checked | Differs | Answer | Done
)


class Budget:
    """The output limit of one job.

    Both sides count: the child to end in an orderly way, and the server because it does not trust
    the child.
    """

    def __init__(
        self, most_messages: int = MAX_MESSAGES, most_bytes: int = MAX_OUTPUT_BYTES
    ) -> None:
        self._most_messages = most_messages
        self._most_bytes = most_bytes
        self._findings = 0
        self._messages = 0
        self._bytes = 0

    def admits(self, message: Message) -> bool:
        """Return whether the message is within the limit."""
        self._findings += isinstance(message, Reported)
        self._messages += 1
        within = self._findings <= MAX_FINDINGS and self._messages <= self._most_messages
        return within and self._bytes <= self._most_bytes

    def spend(self, size: int) -> None:
        """Count the bytes of a message."""
        self._bytes += size


encode = msgspec.msgpack.Encoder().encode
decode_command: Callable[[bytes], Command] = msgspec.msgpack.Decoder(Command).decode
decode_hello = msgspec.msgpack.Decoder(Hello).decode
decode_job: Callable[[bytes], Job] = msgspec.msgpack.Decoder(Job).decode
decode_batch_message = msgspec.msgpack.Decoder(BatchMessage).decode
decode_message: Callable[[bytes], Message] = msgspec.msgpack.Decoder(Message).decode


def send_frame(connection: socket.socket, message: Any) -> int:
    """Send one message and return its size in bytes."""
    payload = encode(message)
    send_bytes(connection, payload)
    return len(payload)


def send_bytes(connection: socket.socket, payload: bytes) -> None:
    """Send one frame."""
    connection.sendall(_LENGTH.pack(len(payload)) + payload)


def receive_frame(connection: socket.socket, decode: Callable[[bytes], T]) -> tuple[T, int] | None:
    """Return the next message and its size in bytes, or None at the end of the stream.

    :raises ValueError: if the message is too large or malformed.
    """
    payload = receive_bytes(connection)
    return None if payload is None else (decode(payload), len(payload))


OVER_BUDGET = Done(truncated=True)
"""Stands for all messages beyond a child's budget."""


def messages(connection: socket.socket) -> Iterator[Message]:
    """Yield a child's messages within its budget, to the end of the stream."""
    budget = Budget()
    while (received := receive_frame(connection, decode_message)) is not None:
        message, size = received
        if not isinstance(message, Done) and not budget.admits(message):
            yield OVER_BUDGET
            return
        budget.spend(size)
        yield message


def receive_bytes(connection: socket.socket) -> bytes | None:
    """Return the next frame, or None at the end of the stream.

    :raises ValueError: if it is too large.
    """
    head = _receive(connection, _LENGTH.size)
    if head is None:
        return None
    (size,) = _LENGTH.unpack(head)
    if size > MAX_FRAME_BYTES:
        raise ValueError(f"a frame of {size} bytes exceeds the limit of {MAX_FRAME_BYTES}")
    return _receive(connection, size)


def _receive(connection: socket.socket, size: int) -> bytes | None:
    parts, missing = [], size
    while missing:
        part = connection.recv(min(missing, 65_536))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
