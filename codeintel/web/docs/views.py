"""What the page of the documentation shows, ready for its template."""

from __future__ import annotations

from dataclasses import dataclass

from codeintel.web.fields import Row


@dataclass(frozen=True)
class AnswerView:
    """A success response. `shape` is a body as text, empty for none."""

    status: int
    phrase: str
    description: str
    media_type: str
    rows: list[Row]
    shape: str


@dataclass(frozen=True)
class ErrorView:
    """One thing that can go wrong."""

    status: int
    code: str
    meaning: str


@dataclass(frozen=True)
class OperationView:
    """One operation; `example` and `body` are empty where it takes no body. `session` if
    only that of a browser is a credential."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    authenticated: bool
    session: bool
    parameters: list[Row]
    body: list[Row]
    curl: str
    answers: list[AnswerView]
    errors: list[ErrorView]
    streams: bool


@dataclass(frozen=True)
class TagView:
    """Operations that belong together."""

    id: str
    name: str
    description: str
    operations: list[OperationView]


@dataclass(frozen=True)
class ObjectView:
    """A named object with its own fields, or an event, then named by its type."""

    id: str
    name: str
    description: str
    rows: list[Row]


@dataclass(frozen=True)
class Reference:
    """All of the page that comes from the document. `event_rows` is what every event has."""

    title: str
    version: str
    description: str
    tags: list[TagView]
    event_rows: list[Row]
    events: list[ObjectView]
    objects: list[ObjectView]
    linked: frozenset[str]
    headers: list[tuple[str, str]]
    error_example: str
