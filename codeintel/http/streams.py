"""Responses that are streams of server-sent events."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, request

from codeintel.http.endpoint import services
from codeintel.http.operation import RUN_ID
from codeintel.http.requests.connection import client_is_gone, limit_writes
from codeintel.identity.auth.caller import Caller
from codeintel.runs.events.log import RunLog, tail

HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}


def stream_response(frames: Iterator[bytes]) -> Response:
    """A response that sends frames as they come."""
    return Response(frames, mimetype="text/event-stream", headers=HEADERS, direct_passthrough=True)


def stream_log(log: RunLog, caller: Caller, after: int = 0) -> Response:
    """A response that follows a run's log, from behind the first `after` events, for as long as
    the caller's credential is good."""
    limit_writes(request)
    frames = tail(log, client_is_gone(request), services().callers.still_valid(caller), after)
    response = stream_response(frames)
    response.headers[RUN_ID.name] = log.run_id
    return response
