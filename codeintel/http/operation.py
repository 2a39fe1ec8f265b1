"""What an endpoint promises: the description that validates its input and becomes OpenAPI."""

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
    """One documented header of requests. `schema` is JSON Schema."""

    name: str
    description: str
    schema: Mapping[str, Any]


IDEMPOTENCY_KEY = Header(
    "Idempotency-Key",
    "Any printable ASCII that the client chooses for this one request. Sent again with the same "
    "body, the request is not done again: the answer is the events of the run that it has started, "
    "at no cost. A run that failed, which costs nothing, frees the key.",
    {
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        # HTTP takes spaces at the ends away.
        "pattern": "^[!-~](?:[ -~]*[!-~])?$",
    },
)


RUN_ID = Header(
    "X-Run-Id",
    "Id of the run whose events these are: it can be read, and cancelled, before the first comes.",
    {"type": "string"},
)


@dataclass(frozen=True)
class Link:
    """Where an answer leads: an operation that takes what it has.

    :param to: the Flask endpoint of that operation, such as `runs.read_run`.
    :param parameters: of that operation, each with a runtime expression of OpenAPI, such as
        `$response.body#/sessionId`, or a constant.
    """

    to: str
    parameters: Mapping[str, str | int]
    description: str = ""


@dataclass(frozen=True)
class Answer:
    """One documented success response.

    :param type_: type of the JSON body; of its `data` when `enveloped`; of one event's data for an
        event stream; None for any object.
    :param others: media types in which it can be had as well.
    :param headers: what it has beside the headers of all responses.
    :param links: where it leads; only to operations that then are there.
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
    """One method of one path.

    :param query: type of the query parameters, see :mod:`codeintel.http.requests.query`.
    :param choices: all that parameters of the query may be, by name, where plugins or operators
        decide; asked for when the document is written.
    :param body: type of the JSON request body.
    :param body_optional: whether no body is as good as `{}`.
    :param body_limit: the most bytes of a body.
    :param body_parts: fields of the body whose types plugins declare; asked for when the document
        is written.
    :param body_rules: what JSON Schema can say of the body beyond its type, called with what gives
        the schema of a type; asked for when the document is written.
    :param authenticated: whether a credential is required; public operations still refuse bad ones.
    :param session: whether it is a browser's: only the session's cookie is a credential, and what
        changes something must come from the service's own pages.
    :param scope: what an API key needs, also where none is required.
    :param headers: what it reads of the request's headers.
    :param errors: codes that it can answer apart from those that every operation can.
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
