"""The responses of an operation in the OpenAPI document: answers, errors, headers."""

from __future__ import annotations

from collections import defaultdict
from http import HTTPStatus
from typing import Any

from codeintel import API_VERSION
from codeintel.errors import ErrorCode
from codeintel.http.envelope import ErrorEnvelope, Meta
from codeintel.http.operation import EVENT_STREAM, JSON, Answer, Operation
from codeintel.http.schemas import Schemas

_RETRY = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_WITHOUT_BODY = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})
_HEADERS: dict[str, tuple[dict[str, Any], str]] = {
    "X-API-Version": ({"type": "string"}, "Version of the API that answered."),
    "X-Request-Id": ({"type": "string"}, "Id of the request, in the log and in `meta` too."),
    "X-RateLimit-Limit": ({"type": "integer"}, "Requests allowed in the window."),
    "X-RateLimit-Remaining": ({"type": "integer"}, "Requests left in the window."),
    "X-RateLimit-Reset": ({"type": "integer"}, "Unix time at which the window ends."),
    "RateLimit": ({"type": "string"}, "What is left of each limit, as a structured field."),
    "RateLimit-Policy": ({"type": "string"}, "The limits that apply, as a structured field."),
    "Retry-After": ({"type": "integer"}, "Seconds to wait before trying again."),
}


def components() -> dict[str, Any]:
    """The headers and error examples that responses refer to."""
    return {
        "headers": {
            name: {"description": text, "schema": schema, "required": name != "Retry-After"}
            for name, (schema, text) in _HEADERS.items()
        },
        "examples": {
            code.value: {"summary": code.meaning, "value": _error_example(code)}
            for code in ErrorCode
        },
    }


def types(operation: Operation) -> list[Any]:
    """All types that the responses need schemas of."""
    answers = [answer.type_ for answer in operation.answers.values() if answer.type_ is not None]
    return [Meta, ErrorEnvelope, *answers]


def responses(operation: Operation, schemas: Schemas, *, exempt: bool) -> dict[str, Any]:
    """The `responses` object, by status.

    :param exempt: whether no credential is read and no limit applies.
    """
    errors: defaultdict[int, list[ErrorCode]] = defaultdict(list)
    for code in _codes(operation, exempt):
        errors[code.status].append(code)
    found = {}
    for status in sorted({*operation.answers, *errors}):
        parts = []
        if status in operation.answers:
            parts.append(_answer(status, operation.answers[status], schemas))
        if status in errors:
            parts.append(_refusal(errors[status], schemas))
        found[str(status)] = {**_merged(parts), "headers": _headers(status)}
    return found


def _codes(operation: Operation, exempt: bool) -> list[ErrorCode]:
    """What it can fail with, in the order of the enumeration. A credential is optional on public
    operations, but a bad one is refused there too, and looking at it needs the database."""
    codes = {ErrorCode.INTERNAL_ERROR, *operation.errors}
    if not exempt:
        codes |= {
            ErrorCode.CONFLICTING_CREDENTIALS,
            ErrorCode.UNAUTHORIZED,
            ErrorCode.RATE_LIMIT_EXCEEDED,
            ErrorCode.DATABASE_UNAVAILABLE,
        }
    if operation.scope is not None:
        codes.add(ErrorCode.INSUFFICIENT_SCOPE)
    if operation.query is not None:
        codes.add(ErrorCode.INVALID_REQUEST)
    if operation.body is not None:
        codes |= {
            ErrorCode.INVALID_JSON,
            ErrorCode.INVALID_REQUEST,
            ErrorCode.PAYLOAD_TOO_LARGE,
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
        }
    return [code for code in ErrorCode if code in codes]


def _answer(status: int, answer: Answer, schemas: Schemas) -> dict[str, Any]:
    if status in _WITHOUT_BODY:
        return {"description": answer.description}
    schema = schemas.of(answer.type_)
    if answer.media_type == EVENT_STREAM:
        schema = _event_stream(schema)
    elif answer.media_type == JSON and answer.enveloped:
        schema = {
            "type": "object",
            "required": ["data", "meta"],
            "properties": {"data": schema, "meta": schemas.of(Meta)},
        }
    elif answer.type_ is None and answer.media_type.startswith("text/"):
        schema = {"type": "string"}
    return {
        "description": answer.description,
        "content": {answer.media_type: {"schema": schema}},
    }


def _event_stream(event: dict[str, Any]) -> dict[str, Any]:
    """OpenAPI 3.1 cannot describe a stream of events. Generators that know nothing of streams take
    the string, others the frame, and the last branch makes all of them write the event types."""
    data = {"type": "string", "contentMediaType": JSON, "contentSchema": event}
    frame = {
        "type": "object",
        "required": ["data"],
        "properties": {"event": {"type": "string"}, "data": data},
    }
    return {"anyOf": [{"type": "string"}, frame, event]}


def _refusal(codes: list[ErrorCode], schemas: Schemas) -> dict[str, Any]:
    examples = {code.value: {"$ref": f"#/components/examples/{code}"} for code in codes}
    return {
        "description": "\n\n".join(f"`{code}`: {code.meaning}" for code in codes),
        "content": {JSON: {"schema": schemas.of(ErrorEnvelope), "examples": examples}},
    }


def _merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """One response of an answer and errors that share a status, as those of a health check do."""
    if len(parts) == 1:
        return parts[0]
    answer, refusal = parts
    content = {**answer.get("content", {}), **refusal["content"]}
    if JSON in answer.get("content", {}):
        both = [part["content"][JSON]["schema"] for part in parts]
        content[JSON] = {**content[JSON], "schema": {"anyOf": both}}
    return {
        "description": f"{answer['description']}\n\n{refusal['description']}",
        "content": content,
    }


def _headers(status: int) -> dict[str, Any]:
    return {
        name: {"$ref": f"#/components/headers/{name}"}
        for name in _HEADERS
        if name != "Retry-After" or status in _RETRY
    }


def _error_example(code: ErrorCode) -> dict[str, Any]:
    meta = {
        "version": API_VERSION,
        "timestamp": "2026-01-31T12:00:00Z",
        "requestId": "6f1c02d94b7ae358",
    }
    return {
        "error": {"code": code.value, "message": code.meaning.replace("`", ""), "details": {}},
        "meta": meta,
    }
