"""The envelope around JSON: `{data, meta}` and `{error, meta}`."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import Response, g, request
from msgspec import UNSET, UnsetType

from codeintel.base.errors import ErrorCode
from codeintel.base.timestamps import Moment
from codeintel.base.version import API_VERSION
from codeintel.platform.metrics.requests import REQUEST_ID

_encode = msgspec.json.Encoder().encode


class Meta(msgspec.Struct, frozen=True, rename="camel"):
    """About the response. `ignored_fields` names the fields of the request that nothing reads."""

    version: str
    timestamp: Moment
    request_id: str
    ignored_fields: tuple[str, ...] | UnsetType = UNSET


class ErrorBody(msgspec.Struct, frozen=True):
    """What went wrong: `code` for programs, `message` for people, `details` for both."""

    code: ErrorCode
    message: str
    details: dict[str, Any]


class ErrorEnvelope(msgspec.Struct, frozen=True):
    """The body of every error."""

    error: ErrorBody
    meta: Meta


def request_id() -> str:
    """The id of the current request, made here and sent as `X-Request-Id`."""
    existing: str | None = g.get("request_id")
    if existing is None:
        known: str | None = request.environ.get(REQUEST_ID) if request else None
        existing = g.request_id = known or secrets.token_hex(8)
    return existing


def meta() -> Meta:
    """`meta` for an answer to the current request."""
    ignored: tuple[str, ...] = g.get("ignored_fields", ())
    return Meta(API_VERSION, datetime.now(UTC), request_id(), ignored or UNSET)


def json_response(body: Any, status: int = 200) -> Response:
    """A JSON response without an envelope."""
    return Response(_encode(body), status, mimetype="application/json")


def data_response(data: Any, status: int = 200) -> Response:
    """`{data, meta}`."""
    return json_response({"data": data, "meta": meta()}, status)


def unversioned(body: Any) -> Any:
    """The body of an answer without an envelope, whose fields stand at the top level: there it
    names what nothing reads."""
    ignored: tuple[str, ...] = g.get("ignored_fields", ())
    if not ignored:
        return body
    fields: dict[str, Any] = msgspec.to_builtins(body)
    return {**fields, "ignoredFields": ignored}


def error_response(
    code: ErrorCode, message: str, details: dict[str, Any] | None = None, status: int | None = None
) -> Response:
    """`{error, meta}`."""
    envelope = ErrorEnvelope(ErrorBody(code, message, details or {}), meta())
    return json_response(envelope, status or code.status)
