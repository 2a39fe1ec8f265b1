"""Where this process connects to, and which names it looks up: seen from below all libraries."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_seen: list[tuple[str, int]] | None = None
_is_hooked = False


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _seen is None:
        return
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        _seen.append((str(arguments[1][0]), int(arguments[1][1])))
    elif event == "socket.getaddrinfo":
        host = arguments[0].decode() if isinstance(arguments[0], bytes) else str(arguments[0])
        _seen.append((host, int(arguments[1] or 0)))


@contextmanager
def watched() -> Iterator[list[tuple[str, int]]]:
    """Hosts and ports that are asked for within the block. Python has no way to take a hook out
    again: one is put in once, and sleeps."""
    global _is_hooked, _seen
    if not _is_hooked:
        sys.addaudithook(_audit)
        _is_hooked = True
    _seen = seen = []
    try:
        yield seen
    finally:
        _seen = None
