"""Endpoints of runs: GET /api/v1/runs/{id}, its events, and POST .../cancel."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from flask import Blueprint, Response, request
from msgspec import UNSET, Meta, UnsetType

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import RunKind
from codeintel.contracts.events import RunEvent
from codeintel.http.endpoint import endpoint, services
from codeintel.http.errors import data_response
from codeintel.http.operation import EVENT_STREAM, RUN_ID, Answer, Header, Link, Operation
from codeintel.http.streams import stream_log
from codeintel.identity.auth.caller import Caller
from codeintel.runs.queries import RunReport, report
from codeintel.runs.sarif_files import relative_uri, run_sarif
from codeintel.runs.store import RunRecord

blueprint = Blueprint("runs", __name__, url_prefix="/api/v1/runs")

SARIF = "application/sarif+json"
UNNAMED = "code"
"""The name of the analyzed code in SARIF, unless the caller gives one."""


class Format(StrEnum):
    """The format of a run's report."""

    JSON = "json"
    SARIF = "sarif"


class RunQuery(msgspec.Struct, frozen=True):
    """The format of the answer."""

    format: Annotated[
        Format,
        Meta(
            description=(
                "`sarif` returns the findings of an analysis or scan as a SARIF 2.1.0 log."
            )
        ),
    ] = Format.JSON
    path: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=1_000,
            description="The path of an analyzed file in the repository, for SARIF.",
        ),
    ] = UNNAMED


class EventsQuery(msgspec.Struct, frozen=True):
    """The position in the events."""

    after: (
        Annotated[
            int,
            Meta(
                ge=0,
                description=(
                    "The number of the last event that the client has. The header `Last-Event-ID` "
                    "takes precedence. By default, all events are sent."
                ),
            ),
        ]
        | UnsetType
    ) = UNSET


RUN_LINKS = tuple(
    Link(f"runs.{name}", {"run_id": "$response.header.X-Run-Id"}, description)
    for name, description in {
        "read_run": "The run's state and its final result.",
        "read_events": "The same events again.",
        "cancel_run": "Stops the run.",
    }.items()
)
STARTED = Answer(
    "The events of the run.",
    RunEvent,
    media_type=EVENT_STREAM,
    headers=(RUN_ID,),
    links=RUN_LINKS,
)
"""The answer of operations that start a run."""
LAST_EVENT_ID = Header(
    "Last-Event-ID",
    "The `id` of the last event that the client received. Browsers send it when they reconnect.",
    {"type": "string", "pattern": "^[0-9]{1,18}$"},
)


@blueprint.get("/<run_id>")
@endpoint(
    Operation(
        summary="Read a run",
        description="Its state and, when it has come to one, its result; for a day after its end.",
        tag="Runs",
        query=RunQuery,
        answers={
            200: Answer("The run, or with `format=sarif` a SARIF log.", RunReport, others=(SARIF,))
        },
        authenticated=True,
        errors=(ErrorCode.NOT_FOUND, ErrorCode.INSUFFICIENT_SCOPE, ErrorCode.OVERLOADED),
    )
)
def read_run(caller: Caller, query: RunQuery, run_id: str) -> Response:
    """Return the run as JSON or SARIF."""
    record = services().reader.find(caller, run_id, with_result=True)
    if query.format is Format.SARIF:
        return Response(_sarif(caller, record, query.path), mimetype=SARIF)
    return data_response(report(record))


@blueprint.get("/<run_id>/events")
@endpoint(
    Operation(
        summary="Read a run's events again",
        description=(
            "From the first event, or after an event that the client has. The stream of an active "
            "run continues with new events. Any number of clients may read it."
        ),
        tag="Runs",
        query=EventsQuery,
        headers=(LAST_EVENT_ID,),
        answers={
            200: Answer(
                "The events of the run.", RunEvent, media_type=EVENT_STREAM, headers=(RUN_ID,)
            )
        },
        authenticated=True,
        errors=(
            ErrorCode.NOT_FOUND,
            ErrorCode.INSUFFICIENT_SCOPE,
            ErrorCode.EVENTS_GONE,
            ErrorCode.EVENTS_UNAVAILABLE,
        ),
    )
)
def read_events(caller: Caller, query: EventsQuery, run_id: str) -> Response:
    """Stream the stored and the new events."""
    after = last_event_id(query)
    record = services().reader.find(caller, run_id)
    return stream_log(services().reader.events(record, after), caller, after)


@blueprint.post("/<run_id>/cancel")
@endpoint(
    Operation(
        summary="Cancel a run",
        description=(
            "Stops the work and refunds unused credits. A run that has ended does not change. The "
            "answer waits up to 5 seconds for the end."
        ),
        tag="Runs",
        answers={200: Answer("The run, without its result.", RunReport)},
        authenticated=True,
        errors=(ErrorCode.NOT_FOUND, ErrorCode.INSUFFICIENT_SCOPE),
    )
)
def cancel_run(caller: Caller, run_id: str) -> Response:
    """Cancel the run and return its new state."""
    reader = services().reader
    return data_response(report(reader.cancel(reader.find(caller, run_id))))


def last_event_id(query: EventsQuery) -> int:
    """Return the number of the last event that the client has, or 0."""
    header = request.headers.get(LAST_EVENT_ID.name)
    if header is None:
        return 0 if query.after is UNSET else query.after
    if not header.isascii() or not header.isdecimal() or len(header) > 18:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            "Last-Event-ID must be the `id` of an event of this run: a whole number.",
            details={"path": "Last-Event-ID"},
        )
    return int(header)


def _sarif(caller: Caller, record: RunRecord, path: str) -> bytes:
    """Return the run's result as a SARIF log."""
    if record.kind not in {RunKind.ANALYSIS, RunKind.SCAN}:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            "This run is a transformation, so it has no SARIF log. Remove `format`.",
            details={"path": "format"},
        )
    if record.result is None:
        raise ServiceError(
            ErrorCode.NOT_FOUND,
            f"The run is {record.state} and has no result for SARIF.",
        )
    texts, uri = services().pool.texts, _uri(path)
    return run_sarif(texts, caller.account_id, record.result, record.fingerprints, uri)


def _uri(path: str) -> str:
    """Convert a path within a repository to a relative URI reference (RFC 3986) for SARIF.

    :raises ServiceError: `invalid_request` for any other path.
    """
    uri = relative_uri(path)
    if not uri:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            "`path` must be relative to the repository, like `src/main.py`.",
            details={"path": "path"},
        )
    return uri
