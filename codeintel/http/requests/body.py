"""Reading request bodies: bounded, typed, and telling what was wrong with them. Large forms are
parsed here, with pauses."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, TypeVar, get_args
from urllib.parse import unquote_to_bytes

import msgspec
import werkzeug.urls  # noqa: F401 - has the handler of errors
from flask import Request, current_app, g, request

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import Pace
from codeintel.http.address import client_address, limit_key
from codeintel.http.operation import MAX_BODY_BYTES
from codeintel.http.refusals import explain
from codeintel.http.requests.receiving import Receiver
from codeintel.platform.limits.concurrency import Concurrency

LARGE_BYTES = 32 * 1024
"""Shorter forms are left to werkzeug: at most some five milliseconds."""
_PIECE_BYTES = 8 * 1024
_ESCAPE_BYTES = 3
_ERRORS = "werkzeug.url_quote"
"""Keeps escapes that are no UTF-8, as werkzeug does."""


def parse_large(request: Request, raw: bytes) -> None:
    """Have the request's form be what the body says, as werkzeug would parse it.

    werkzeug's own parser takes apart two megabytes of escapes in one go, which is 0.4 s. This one
    pauses, so that other requests run meanwhile.
    """
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


T = TypeVar("T", bound=msgspec.Struct)

BODY_SECONDS = 30
MAX_FORM_BYTES = 2 * 1024 * 1024
"""A form writes a character as up to twelve bytes: the longest code has to fit."""
MAX_FORM_FIELDS = 1_000


Check = Callable[[bytes], None]
"""Refuses a body that would take long to decode."""
FEW_VALUES = 20_000
"""So many take a few milliseconds, beside the texts among them."""


def read_json(
    request: Request,
    type_: type[T],
    limit: int = MAX_BODY_BYTES,
    check: Check | None = None,
    *,
    optional: bool = False,
) -> T:
    """The body of a request as `type_`. Names the fields that nothing reads in `g.ignored_fields`.

    :param check: asked about a body that may have many values before it is decoded.
    :param optional: whether no body at all is as good as `{}`.
    :raises ServiceError: `unsupported_media_type`, `payload_too_large`, `invalid_json` or
        `invalid_request`, whose `details.path` names the field.
    """
    if optional and _has_none(request):
        return msgspec.convert({}, type_)
    _check_headers(request)
    raw = _read(request, limit)
    if check is not None and _may_have_many_values(raw):
        check(raw)
    try:
        decoded = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        # The decoder's own text may quote the body.
        raise ServiceError(
            ErrorCode.INVALID_JSON, "The body is not valid JSON in UTF-8, or nested too deeply."
        ) from None
    try:
        body = msgspec.convert(decoded, type_)
    except msgspec.ValidationError as error:
        if "got `float`" not in str(error):
            raise explain(str(error), type_, decoded) from None
        body = _with_whole_numbers(decoded, type_)
    note_ignored(_unread(decoded, type_))
    return body


def _with_whole_numbers(decoded: Any, type_: type[T]) -> T:
    """A body in which numbers like `4.0` are integers, as they are to JSON Schema.

    :raises ServiceError: `invalid_request`.
    """
    open_: list[Any] = [decoded] if isinstance(decoded, dict) else []
    while open_:
        node = open_.pop()
        parts = list(node.items() if isinstance(node, dict) else enumerate(node))
        for key, value in parts:
            if isinstance(value, float) and value.is_integer():
                node[key] = int(value)
            elif isinstance(value, dict | list):
                open_.append(value)
    try:
        return msgspec.convert(decoded, type_)
    except msgspec.ValidationError as error:
        raise explain(str(error), type_, decoded) from None


def receive_form(request: Request) -> None:
    """Receive the form of a request whole, for `request.form` to parse. By themselves Flask and
    werkzeug bound neither its size nor its time, nor how many fields they take apart.

    :raises ServiceError: `payload_too_large`, `request_timeout`.
    """
    raw = _read(request, MAX_FORM_BYTES)
    is_plain = request.mimetype == "application/x-www-form-urlencoded"
    if is_plain and raw.count(b"&") >= MAX_FORM_FIELDS:
        raise ServiceError(
            ErrorCode.PAYLOAD_TOO_LARGE, f"The form has more than {MAX_FORM_FIELDS:,} fields."
        )
    if is_plain and len(raw) > LARGE_BYTES:
        parse_large(request, raw)
        return
    request.environ["wsgi.input"] = io.BytesIO(raw)
    vars(request).pop("stream", None)  # of what has been read by now


def _may_have_many_values(raw: bytes) -> bool:
    """Whether there are more marks that begin a value than few; those in texts count, too."""
    return sum(raw.count(mark) for mark in (b",", b"[", b"{")) > FEW_VALUES


def _has_none(request: Request) -> bool:
    # Not `wsgi.input_terminated`: servers say so of every request.
    return not request.content_length and "Transfer-Encoding" not in request.headers


def _unread(decoded: dict[str, Any], type_: type[msgspec.Struct], path: str = "") -> Iterator[str]:
    """The fields that nothing reads, with those of objects in it, like `request.speed`."""
    known = _structs_by_field(type_)
    for name, value in decoded.items():
        if name not in known:
            yield f"{path}{name}"
        elif isinstance(value, dict):
            for inner in known[name]:
                yield from _unread(value, inner, f"{path}{name}.")


@cache
def _structs_by_field(type_: type[msgspec.Struct]) -> dict[str, tuple[type[msgspec.Struct], ...]]:
    """A struct's fields by their names in JSON, each with the structs that it may hold.

    msgspec resolves the annotations anew each time: a tenth of what a short request costs.
    """
    return {
        field.encode_name: tuple(_structs(field.type)) for field in msgspec.structs.fields(type_)
    }


def _structs(type_: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs among what a field may hold."""
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        yield type_
    for part in get_args(type_):
        yield from _structs(part)


def note_ignored(names: Iterable[str]) -> None:
    """Have the answer name parts of the request that nothing reads, up to fifty."""
    noted = {*g.get("ignored_fields", ()), *(name[:100] for name in names)}
    g.ignored_fields = tuple(sorted(noted))[:50]


def _check_headers(request: Request) -> None:
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding != "identity":
        raise ServiceError(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must not be encoded: send it as it is."
        )
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in {"utf-8", "utf8"}:
        raise ServiceError(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "The body must be JSON in UTF-8: send `Content-Type: application/json`.",
        )


def _read(request: Request, limit: int) -> bytes:
    """The bytes of a body. Its share of the memory for bodies is kept to the end of the request."""
    services = current_app.extensions["codeintel"]
    gauges: Concurrency = services.concurrency
    receiver = Receiver(gauges, _sender(), BODY_SECONDS, services.settings.body_rate)
    raw, hold = receiver.receive(request, limit)
    g.body_bytes, g.body_hold = len(raw), hold
    return raw


def release_body(_error: BaseException | None = None) -> None:
    """Give back what the request's body held: the application calls it when a request ends."""
    hold = g.pop("body_hold", None)
    if hold is not None:
        hold.release()


def _sender() -> str:
    """What bodies are counted under: the account, else the address."""
    caller = g.get("caller")
    if caller is not None and not caller.is_anonymous:
        return str(caller.account_id)
    settings = current_app.extensions["codeintel"].settings
    forwarded = request.headers.get("X-Forwarded-For", "")
    return limit_key(client_address(request.remote_addr or "", forwarded, settings.trusted_proxies))
