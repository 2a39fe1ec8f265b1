"""Server-Sent Events: frames, heartbeats and the response around them."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response

PING = b": ping\n\n"
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}


def frame(identifier: int, event: str, data: bytes) -> bytes:
    """One event. `data` must hold no line break, which JSON never does."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (identifier, event.encode(), data)


def stream_response(frames: Iterator[bytes]) -> Response:
    """A response that sends frames as they come."""
    return Response(frames, mimetype="text/event-stream", headers=HEADERS)
