"""Receive forms with limits for size and fields. Large forms are parsed here, with pauses."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

import werkzeug.urls  # noqa: F401 - has the handler of errors
from flask import Request

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import Pace
from codeintel.http.requests.body import read_bytes

MAX_FORM_BYTES = 2 * 1024 * 1024
"""A form encodes a character as up to 12 bytes, and the longest code must fit."""
MAX_FORM_FIELDS = 1_000
LARGE_BYTES = 32 * 1024
"""Shorter forms are parsed by werkzeug, in 5 ms at most."""
_PIECE_BYTES = 8 * 1024
_ESCAPE_BYTES = 3
_ERRORS = "werkzeug.url_quote"
"""Keeps escapes that are not UTF-8, as werkzeug does."""


def receive_form(request: Request) -> None:
    """Receive the complete form of a request, for `request.form` to parse. Flask and werkzeug limit
    neither its size and time nor the number of parsed fields.

    :raises ServiceError: `payload_too_large`, `request_timeout`.
    """
    raw = read_bytes(request, MAX_FORM_BYTES)
    is_plain = request.mimetype == "application/x-www-form-urlencoded"
    if is_plain and raw.count(b"&") >= MAX_FORM_FIELDS:
        raise ServiceError(
            ErrorCode.PAYLOAD_TOO_LARGE, f"The form has more than {MAX_FORM_FIELDS:,} fields."
        )
    if is_plain and len(raw) > LARGE_BYTES:
        parse_large(request, raw)
        return
    request.environ["wsgi.input"] = io.BytesIO(raw)
    vars(request).pop("stream", None)  # it refers to the part that was already read


def parse_large(request: Request, raw: bytes) -> None:
    """Set the request's form as werkzeug would parse it.

    werkzeug takes 0.4 s for 2 MB of escapes in one go. This parser pauses so that other requests
    can run.
    """
    fields = request.parameter_storage_class(_fields(raw))
    none = request.parameter_storage_class()
    vars(request).update(form=fields, files=none, stream=io.BytesIO())


def _fields(raw: bytes) -> Iterator[tuple[str, str]]:
    """Yield the names and values, or nothing if the body is not UTF-8."""
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
        if escape >= 0:  # it may end after this piece
            end = escape
        piece = unquote_to_bytes(text[begin:end].replace(b"+", b" "))
        parts.append(decoder.decode(piece))
        begin = end
        pace.pause()
    parts.append(decoder.decode(b"", final=True))
    return "".join(parts)
