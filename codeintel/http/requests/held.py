"""Answers that hold something, such as a place among the streams, until they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from flask import Response

from codeintel.platform.limits.concurrency import Holds


class _Held:
    """The pieces of an answer. The server closes them on every way out."""

    def __init__(self, pieces: Any, holds: Holds) -> None:
        self._pieces = pieces
        self._next: Iterator[bytes] = iter(pieces)
        self._holds = holds

    def __iter__(self) -> _Held:
        return self

    def __next__(self) -> bytes:
        return next(self._next)

    def close(self) -> None:
        try:
            if hasattr(self._pieces, "close"):
                self._pieces.close()
        finally:
            self._holds.release()


def held_while_sent(make: Callable[[], Response], holds: Holds) -> Response:
    """The answer that `make` returns. What is held is given back when all of it is sent or the
    connection is closed, and at once if there is no stream."""
    try:
        response = make()
    except BaseException:
        holds.release()
        raise
    if response.is_streamed:
        response.response = _Held(response.response, holds)
    else:
        holds.release()
    return response
