"""An incremental parser of server-sent events, without I/O.

It follows "Server-sent events" in the WHATWG HTML standard, sections "Parsing an event stream" and
"Interpreting an event stream".
"""

from __future__ import annotations

from dataclasses import dataclass

BOM = b"\xef\xbb\xbf"
MAX_EVENT_BYTES = 16 * 1024 * 1024
MAX_RETRY_DIGITS = 15  # 30,000 years in milliseconds. A longer value can only be an attack.


class EventTooLarge(ValueError):  # noqa: N818 - says what happened
    """An event exceeds the parser's limit, so the stream cannot be read further."""


@dataclass(frozen=True)
class ServerSentEvent:
    """An event. `type` is `message` if the stream names none. `last_event_id` is the latest id in
    the stream, from this event or an earlier one.
    """

    type: str
    data: str
    last_event_id: str = ""


class SseParser:
    """Parses the bytes of an event stream, in chunks of any size.

    :param max_event_bytes: the limit for the lines of an event without comments, and for any single
        line.
    """

    def __init__(self, max_event_bytes: int = MAX_EVENT_BYTES) -> None:
        self.last_event_id = ""
        self.retry: int | None = None
        """The milliseconds to wait before reconnecting, if the stream has set them."""
        self._max = max_event_bytes
        self._line = bytearray()  # the incomplete last line
        self._after_cr = False  # a following line feed belongs to this line break
        self._at_start = True
        self._size = 0
        self._type = ""
        self._data: list[str] = []
        self._id = ""

    @property
    def is_between_events(self) -> bool:
        """Return whether all lines so far belong to returned events."""
        return not (self._line or self._data or self._type or self._size or self._after_cr)

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """Take the next bytes and return the events that they complete.

        An event that the stream does not end with an empty line is never returned, as the standard
        demands. Work is linear in the length of all chunks.

        :raises EventTooLarge: for an event over the bound; events of this chunk are lost with it.
        """
        if not chunk:
            return []
        if self._after_cr:
            chunk = chunk.removeprefix(b"\n")
            self._after_cr = False
        self._after_cr = chunk.endswith(b"\r")
        events = []
        # Bytes split at CR, LF and CR LF only. No other UTF-8 sequence has these bytes, so a line
        # can be decoded by itself, and a character that two chunks share is whole by then.
        for piece in chunk.splitlines(keepends=True):
            text = piece.rstrip(b"\r\n")
            self._check(len(self._line) + len(text))
            self._line += text
            if len(piece) == len(text):
                continue
            line = bytes(self._line)
            self._line.clear()
            event = self._end_line(line)
            if event is not None:
                events.append(event)
        return events

    def _check(self, line_length: int) -> None:
        if self._size + line_length > self._max:
            raise EventTooLarge(f"an event has more than {self._max:,} bytes")

    def _end_line(self, line: bytes) -> ServerSentEvent | None:
        if self._at_start:
            line = line.removeprefix(BOM)
            self._at_start = False
        if not line:
            return self._dispatch()
        if not line.startswith(b":"):
            self._size += len(line)
            name, _, value = line.decode("utf-8", "replace").partition(":")
            self._field(name, value.removeprefix(" "))
        return None

    def _field(self, name: str, value: str) -> None:
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._type = value
        elif name == "id":
            if "\0" not in value:
                self._id = value
        elif name == "retry":
            digits = value.isascii() and value.isdigit()
            if digits and len(value) <= MAX_RETRY_DIGITS:
                self.retry = int(value)

    def _dispatch(self) -> ServerSentEvent | None:
        """End an event at an empty line. Without data there is no event, but its id counts."""
        self.last_event_id = self._id
        event = None
        if self._data:
            event = ServerSentEvent(
                self._type or "message", "\n".join(self._data), self.last_event_id
            )
        self._type, self._data, self._size = "", [], 0
        return event
