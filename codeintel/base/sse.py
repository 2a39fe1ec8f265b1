"""The wire format of server-sent events, sending side
(https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from __future__ import annotations

PING = b": ping\n\n"
"""A comment: keeps proxies from closing a silent stream, and readers ignore it."""


def frame(identifier: int, event: bytes, data: bytes) -> bytes:
    """One event. `data` must hold no line break, which JSON never does."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (identifier, event, data)
