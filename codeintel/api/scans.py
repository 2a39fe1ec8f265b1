"""POST /api/v1/scans, the contents of its files, and GET /api/v1/scans/{id}/stream."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, g, request

from codeintel.api.runs import LAST_EVENT_ID, STARTED, EventsQuery, last_event_id
from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode
from codeintel.contracts import RunKind
from codeintel.contracts.scans.requests import (
    MAX_CONTENTS_BYTES,
    MAX_LISTING_BYTES,
    ScanContents,
    ScanRequest,
    ScanTicket,
    StoredContents,
)
from codeintel.http.endpoint import endpoint, services
from codeintel.http.errors import data_response
from codeintel.http.operation import Answer, Header, Link, Operation
from codeintel.http.origins import named_origin
from codeintel.http.streams import stream_log
from codeintel.identity.auth.caller import Caller
from codeintel.runs.idempotency import RequestKey, request_key

blueprint = Blueprint("scans", __name__, url_prefix="/api/v1/scans")

TAG = "Scans"
KEY = Header(
    "Idempotency-Key",
    "A unique value of printable ASCII for this request. If you send it again with the same body, "
    "the answer names the scan of the first request and its missing contents, at no cost.",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~](?:[ -~]*[!-~])?$"},
)
_SHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
_FILE = {"path": "src/main.py", "sha256": _SHA256, "size": 5, "language": "python"}
_NEXT = tuple(
    Link(f"scans.{name}", {"run_id": "$response.body#/data/runId"}, description)
    for name, description in {
        "send_contents": "Sends missing contents.",
        "stream_scan": "Starts the scan and follows it.",
        "drop_scan": "Deletes the scan before its start.",
    }.items()
)


@blueprint.post("")
@endpoint(
    Operation(
        summary="Request a scan of a repository",
        description=(
            "Send the digests of the files. The answer lists the contents that the service needs. "
            "Send these, then read the stream, which starts the scan. Nothing is charged before "
            "the start. A scan costs the price of a repository analysis by its number of files, "
            "also if all results are known. An equal request answers 404 if its scan was deleted."
        ),
        tag=TAG,
        body=ScanRequest,
        body_limit=MAX_LISTING_BYTES,
        body_example={"files": [_FILE], "model": "flash", "name": "shop"},
        answers={
            HTTPStatus.CREATED: Answer("The scan waits.", ScanTicket, links=_NEXT),
            HTTPStatus.OK: Answer("The scan of an equal request.", ScanTicket, links=_NEXT),
        },
        authenticated=True,
        scope=Scope.ANALYSIS_WRITE,
        headers=(KEY,),
        errors=(
            ErrorCode.INSUFFICIENT_CREDITS,
            ErrorCode.NOT_FOUND,
            ErrorCode.STORAGE_LIMIT_EXCEEDED,
            ErrorCode.IDEMPOTENCY_CONFLICT,
            ErrorCode.OVERLOADED,
        ),
    )
)
def request_scan(caller: Caller, body: ScanRequest) -> Response:
    """Store the list of files."""
    scans, limits, key = services().scans, services().limits, _key_of(caller, body)
    ticket = scans.requested(caller, key) if key is not None else None
    if ticket is not None:
        return data_response(ticket)
    state = g.limit = limits.hit_operation(caller.account_id, caller.tier, RunKind.SCAN)
    if state.exceeded:
        raise state.refusal()
    made = scans.request(caller, body, key, named_origin(caller, body.name))
    if isinstance(made, ScanTicket):
        return data_response(made, HTTPStatus.CREATED)
    # An equal request came first, at this process or another one.
    limits.give_back(caller.account_id, caller.tier, RunKind.SCAN)
    return _again(caller, key)


def _again(caller: Caller, key: RequestKey | None) -> Response:
    """Return the scan that an equal request has stored."""
    ticket = services().scans.requested(caller, key) if key is not None else None
    if ticket is None:
        raise RuntimeError("a repeated request has no scan")
    return data_response(ticket)


@blueprint.post("/<run_id>/contents")
@endpoint(
    Operation(
        summary="Send contents of a scan",
        description=(
            "Contents in any order, in as many requests as you like. The service recognizes each "
            "by its SHA-256 digest, and checks its size. Contents that the scan does not need are "
            "not stored. The others are deleted when the run ends, or after an hour without a "
            "start. An account may have sent a limited number of bytes for scans in progress."
        ),
        tag=TAG,
        body=ScanContents,
        body_limit=MAX_CONTENTS_BYTES,
        body_example={"contents": ["hello"]},
        answers={HTTPStatus.OK: Answer("The contents are stored.", StoredContents)},
        authenticated=True,
        scope=Scope.ANALYSIS_WRITE,
        errors=(ErrorCode.NOT_FOUND, ErrorCode.STORAGE_LIMIT_EXCEEDED, ErrorCode.OVERLOADED),
    )
)
def send_contents(caller: Caller, body: ScanContents, run_id: str) -> Response:
    """Store contents for the scan."""
    return data_response(
        StoredContents(missing=services().scans.send(caller, run_id, body.contents))
    )


@blueprint.get("/<run_id>/stream")
@endpoint(
    Operation(
        summary="Start a scan and follow it",
        description=(
            "The first request starts the run and reserves its price. Others follow the same run. "
            "A file whose content was not sent is part of the result, as not analyzed. If results "
            "that the scan would reuse are gone since the request, nothing starts and nothing is "
            "charged. Send the contents in `details.missing`, then start again. "
            "`Last-Event-ID` continues after an event that the client has. The endpoints of runs "
            "read and cancel it, too."
        ),
        tag=TAG,
        query=EventsQuery,
        headers=(LAST_EVENT_ID,),
        answers={HTTPStatus.OK: STARTED},
        authenticated=True,
        scope=Scope.ANALYSIS_WRITE,
        errors=(
            ErrorCode.NOT_FOUND,
            ErrorCode.INSUFFICIENT_CREDITS,
            ErrorCode.CONTENTS_MISSING,
            ErrorCode.EVENTS_GONE,
            ErrorCode.EVENTS_UNAVAILABLE,
            ErrorCode.DRAINING,
            ErrorCode.OVERLOADED,
        ),
    )
)
def stream_scan(caller: Caller, query: EventsQuery, run_id: str) -> Response:
    """Stream the events of the scan's run."""
    after = last_event_id(query)
    return stream_log(services().scans.start(caller, run_id, after), caller, after)


@blueprint.delete("/<run_id>")
@endpoint(
    Operation(
        summary="Delete a scan before its start",
        description="Deletes the scan and its contents. Cancel a scan that has started as a run.",
        tag=TAG,
        answers={HTTPStatus.NO_CONTENT: Answer("The scan is deleted.")},
        authenticated=True,
        scope=Scope.ANALYSIS_WRITE,
        errors=(ErrorCode.NOT_FOUND,),
    )
)
def drop_scan(caller: Caller, run_id: str) -> Response:
    """Delete the scan."""
    services().scans.drop(caller, run_id)
    response = Response(status=HTTPStatus.NO_CONTENT)
    del response.headers["Content-Type"]  # the response is empty
    return response


def _key_of(caller: Caller, body: ScanRequest) -> RequestKey | None:
    sent = request.headers.get(KEY.name)
    if sent is None:
        return None
    return request_key(caller.account_id, request.path, sent, msgspec.json.encode(body))
