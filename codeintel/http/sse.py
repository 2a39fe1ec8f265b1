"""Responses that are streams of server-sent events."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response

HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}


def stream_response(frames: Iterator[bytes]) -> Response:
    """A response that sends frames as they come."""
    return Response(frames, mimetype="text/event-stream", headers=HEADERS)
