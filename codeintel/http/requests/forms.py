"""Parsing large forms with pauses, in which other requests run.

The parser of werkzeug takes apart two megabytes of escapes in one go, which is 0.4 s.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

import werkzeug.urls  # noqa: F401 - has the handler of errors
from flask import Request

from codeintel.base.concurrency.pace import Pace

LARGE_BYTES = 32 * 1024
"""Shorter forms are left to werkzeug: at most some five milliseconds."""
_PIECE_BYTES = 8 * 1024
_ESCAPE_BYTES = 3
_ERRORS = "werkzeug.url_quote"
"""Keeps escapes that are no UTF-8, as werkzeug does."""


def parse_large(request: Request, raw: bytes) -> None:
    """Have the request's form be what the body says, as werkzeug would parse it."""
    fields = request.parameter_storage_class(_fields(raw))
    none = request.parameter_storage_class()
    vars(request).update(form=fields, files=none, stream=io.BytesIO())


def _fields(raw: bytes) -> Iterator[tuple[str, str]]:
    """The names and values; none at all where the body is no UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return
    pace = Pace()
    for field in raw.split(b"&"):
        if field:
            name, _, value = field.partition(b"=")
            yield _unquoted(name, pace), _unquoted(value, pace)


def _unquoted(text: bytes, pace: Pace) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")(_ERRORS)
    parts = []
    begin = 0
    while begin < len(text):
        end = begin + _PIECE_BYTES
        escape = text.rfind(b"%", end - _ESCAPE_BYTES + 1, end)
        if escape >= 0:  # it may end behind the piece
            end = escape
        piece = unquote_to_bytes(text[begin:end].replace(b"+", b" "))
        parts.append(decoder.decode(piece))
        begin = end
        pace.pause()
    parts.append(decoder.decode(b"", final=True))
    return "".join(parts)
