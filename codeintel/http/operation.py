"""What an endpoint promises: the description that validates its input and becomes OpenAPI."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from codeintel.errors import ErrorCode
from codeintel.scopes import Scope

JSON = "application/json"
EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True)
class Header:
    """One documented header of requests. `schema` is JSON Schema."""

    name: str
    description: str
    schema: Mapping[str, Any]


IDEMPOTENCY_KEY = Header(
    "Idempotency-Key",
    "Any text that the client chooses for this one request. Sent again with the same body, the "
    "request is not done again: the answer is the events of the run that it has started, at no "
    "cost. A run that failed, which costs nothing, frees the key.",
    {"type": "string", "minLength": 1, "maxLength": 255},
)


@dataclass(frozen=True)
class Answer:
    """One documented success response.

    :param type_: type of the JSON body; of its `data` when `enveloped`; of one event's data for an
        event stream; None for any object.
    """

    description: str
    type_: Any = None
    enveloped: bool = True
    media_type: str = JSON


@dataclass(frozen=True)
class Operation:
    """One method of one path.

    :param query: type of the query parameters, see :mod:`codeintel.http.query`.
    :param body: type of the JSON request body.
    :param body_parts: fields of the body whose types plugins declare; asked for when the document
        is written.
    :param authenticated: whether a credential is required; public operations still refuse bad ones.
    :param scope: what an API key needs, also where none is required.
    :param headers: what it reads of the request's headers.
    :param errors: codes that it can answer apart from those that every operation can.
    """

    summary: str
    tag: str
    answers: Mapping[int, Answer]
    description: str = ""
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None
    body_example: Mapping[str, Any] = field(default_factory=dict)
    body_parts: Callable[[], Mapping[str, Sequence[type[msgspec.Struct]]]] | None = None
    authenticated: bool = False
    scope: Scope | None = None
    headers: tuple[Header, ...] = ()
    errors: tuple[ErrorCode, ...] = ()
