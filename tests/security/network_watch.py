"""The hosts that this process connects to and the names that it looks up, observed below all
libraries."""

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
    """Record requested hosts and ports within the block.

    Python cannot remove a hook, so one is added once and stays inactive outside of the block.
    """
    global _is_hooked, _seen
    if not _is_hooked:
        sys.addaudithook(_audit)
        _is_hooked = True
    _seen = seen = []
    try:
        yield seen
    finally:
        _seen = None
