"""Describe endpoints: an operation validates the input and becomes part of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
MAX_BODY_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Header:
    """A documented request header. `schema` is JSON Schema."""

    name: str
    description: str
    schema: Mapping[str, Any]


IDEMPOTENCY_KEY = Header(
    "Idempotency-Key",
    "A unique value of printable ASCII for this request. If you send it again with the same body, "
    "the answer has the events of the run that the first request started, at no cost. A failed run "
    "costs nothing and frees the key.",
    {
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        # HTTP strips spaces at both ends.
        "pattern": "^[!-~](?:[ -~]*[!-~])?$",
    },
)


RUN_ID = Header(
    "X-Run-Id",
    "Id of the run. You can read and cancel the run before its first event arrives.",
    {"type": "string"},
)


@dataclass(frozen=True)
class Link:
    """A link from an answer to an operation that takes its data.

    :param to: the Flask endpoint of that operation, such as `runs.read_run`.
    :param parameters: the operation's parameters. Each is a runtime expression of OpenAPI, such as
        `$response.body#/sessionId`, or a constant.
    """

    to: str
    parameters: Mapping[str, str | int]
    description: str = ""


@dataclass(frozen=True)
class Answer:
    """A documented success response.

    :param type_: the type of the JSON body, of its `data` if `enveloped`, or of an event's data for
        an event stream. None for any object.
    :param others: other available media types.
    :param headers: headers in addition to those of all responses.
    :param links: links to operations, as far as they are registered.
    """

    description: str
    type_: Any = None
    enveloped: bool = True
    media_type: str = JSON
    others: tuple[str, ...] = ()
    headers: tuple[Header, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Operation:
    """A method of a path.

    :param query: the type of the query parameters. See :mod:`codeintel.http.requests.query`.
    :param choices: the allowed values of query parameters, by name, if plugins or operators define
        them. Called when the document is written.
    :param body: the type of the JSON request body.
    :param body_optional: whether a missing body counts as `{}`.
    :param body_limit: the maximum size of a body in bytes.
    :param body_parts: fields of the body with types from plugins. Called when the document is
        written.
    :param body_rules: rules for the body in JSON Schema beyond its type. Called with a function
        that returns the schema of a type, when the document is written.
    :param authenticated: whether a credential is required. Public operations reject invalid ones,
        too.
    :param session: whether it is for browsers. Then only the session's cookie is a credential, and
        changes must come from the service's own pages.
    :param scope: the required scope of an API key, even if no key is required.
    :param headers: the request headers that it reads.
    :param errors: error codes in addition to those of every operation.
    """

    summary: str
    tag: str
    answers: Mapping[int, Answer]
    description: str = ""
    query: type[msgspec.Struct] | None = None
    choices: Callable[[], Mapping[str, Sequence[str]]] | None = None
    body: type[msgspec.Struct] | None = None
    body_optional: bool = False
    body_limit: int = MAX_BODY_BYTES
    body_example: Mapping[str, Any] = field(default_factory=dict)
    body_parts: Callable[[], Mapping[str, Sequence[type[msgspec.Struct]]]] | None = None
    body_rules: Callable[[Callable[[Any], dict[str, Any]]], dict[str, Any]] | None = None
    authenticated: bool = False
    session: bool = False
    scope: Scope | None = None
    headers: tuple[Header, ...] = ()
    errors: tuple[ErrorCode, ...] = ()
