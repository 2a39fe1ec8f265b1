"""Describe the responses of an operation: answers, errors and headers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from codeintel.base.errors import ErrorCode
from codeintel.base.version import API_VERSION
from codeintel.http.errors import ErrorEnvelope, Meta
from codeintel.http.openapi.parameters import described
from codeintel.http.openapi.schemas import Schemas
from codeintel.http.operation import EVENT_STREAM, JSON, Answer, Operation

_RETRY = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_BINARY = frozenset({"application/octet-stream", "application/zip"})
_WITHOUT_BODY = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})
# A host that is not allowed makes any request invalid.
_ALWAYS = (ErrorCode.INVALID_REQUEST, ErrorCode.URI_TOO_LONG, ErrorCode.INTERNAL_ERROR)
_CALLERS = (
    ErrorCode.CONFLICTING_CREDENTIALS,
    ErrorCode.UNAUTHORIZED,
    ErrorCode.RATE_LIMIT_EXCEEDED,
    ErrorCode.DATABASE_UNAVAILABLE,
)
_TOKENS = (ErrorCode.ACCOUNT_REQUIRED, ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE)
_BODIES = {
    ErrorCode.INVALID_JSON,
    ErrorCode.REQUEST_TIMEOUT,
    ErrorCode.OVERLOADED,
    ErrorCode.PAYLOAD_TOO_LARGE,
    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
}
_HEADERS: dict[str, tuple[dict[str, Any], str]] = {
    "X-API-Version": ({"type": "string"}, "Version of the API that answered."),
    "X-Request-Id": ({"type": "string"}, "Id of the request, also in the log and in `meta`."),
    "X-RateLimit-Limit": ({"type": "integer"}, "Requests allowed in the window."),
    "X-RateLimit-Remaining": ({"type": "integer"}, "Requests left in the window."),
    "X-RateLimit-Reset": ({"type": "integer"}, "Unix time at which the window ends."),
    "RateLimit": ({"type": "string"}, "The remainder of each limit, as a structured field."),
    "RateLimit-Policy": ({"type": "string"}, "The limits that apply, as a structured field."),
    "Retry-After": ({"type": "integer"}, "Seconds to wait before trying again."),
}


def components(operations: Iterable[tuple[Operation, bool]]) -> dict[str, Any]:
    """Return the headers and error examples that responses refer to.

    :param operations: each with whether it is exempt. See :func:`responses`.
    """
    used = {code for operation, exempt in operations for code in _codes(operation, exempt)}
    return {
        "headers": {
            name: {"description": text, "schema": schema, "required": name != "Retry-After"}
            for name, (schema, text) in _HEADERS.items()
        },
        "examples": {
            code.value: {"summary": code.meaning, "value": _error_example(code)}
            for code in ErrorCode
            if code in used
        },
    }


def types(operation: Operation) -> list[Any]:
    """Return all types of responses that need schemas."""
    answers = [answer.type_ for answer in operation.answers.values() if answer.type_ is not None]
    return [Meta, ErrorEnvelope, *answers]


def responses(
    operation: Operation, schemas: Schemas, ids: Mapping[str, str], *, exempt: bool
) -> dict[str, Any]:
    """Return the `responses` object, by status.

    :param ids: the operation ids of linked operations, by endpoint.
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
        if status in operation.answers:
            _extend(found[str(status)], operation.answers[status], ids)
    return found


def _extend(response: dict[str, Any], answer: Answer, ids: Mapping[str, str]) -> None:
    """Add the headers and links of an answer. Links to operations that are not registered, as for a
    plugin in a test, are omitted.
    """
    for header in answer.headers:
        response["headers"][header.name] = {"required": True, **described(header)}
    links = {
        ids[link.to]: {
            "operationId": ids[link.to],
            "parameters": dict(link.parameters),
            **({"description": link.description} if link.description else {}),
        }
        for link in answer.links
        if link.to in ids
    }
    if links:
        response["links"] = links


def _codes(operation: Operation, exempt: bool) -> list[ErrorCode]:
    """Return the possible error codes, in the order of the enumeration. On public operations a
    credential is optional, but an invalid one is rejected, and checking it needs the database.
    """
    codes = {*_ALWAYS, *operation.errors}
    if not exempt:
        codes |= {*_CALLERS, *(() if operation.session else _TOKENS)}
    if operation.scope is not None:
        codes.add(ErrorCode.INSUFFICIENT_SCOPE)
    if operation.body is not None:
        codes |= _BODIES
    return [code for code in ErrorCode if code in codes]


def _answer(status: int, answer: Answer, schemas: Schemas) -> dict[str, Any]:
    if status in _WITHOUT_BODY:
        return {"description": answer.description}
    schema = _of_any(answer.media_type) if answer.type_ is None else schemas.of(answer.type_)
    if answer.media_type == EVENT_STREAM:
        schema = _event_stream(schema)
    elif answer.media_type == JSON and answer.enveloped:
        schema = {
            "type": "object",
            "required": ["data", "meta"],
            "properties": {"data": schema, "meta": schemas.of(Meta)},
        }
    content = {answer.media_type: {"schema": schema}}
    content |= {media: {"schema": _of_any(media)} for media in answer.others}
    return {"description": answer.description, "content": content}


def _of_any(media_type: str) -> dict[str, Any]:
    """Return the schema of a response without a type."""
    if media_type.startswith("text/"):
        return {"type": "string"}
    # OpenAPI 3.1: bytes have no schema.
    return {} if media_type in _BINARY else {"type": "object"}


def _event_stream(event: dict[str, Any]) -> dict[str, Any]:
    """Describe a stream of events, which OpenAPI 3.1 cannot. Generators without support for streams
    use the string, others use the frame. The last branch makes all of them generate the event
    types.
    """
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
    """Merge an answer and errors that share a status, such as those of a health check."""
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
