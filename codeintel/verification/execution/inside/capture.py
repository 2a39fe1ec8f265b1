"""What a program prints, as a digest; and a limit on how long a piece of it may take."""

from __future__ import annotations

import hashlib
import io
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")
_AGAIN_SECONDS = 0.05


class OutOfTimeError(BaseException):
    """Raised by the alarm clock into what takes too long; no `except Exception` stops it."""


class Digesting(io.RawIOBase):
    """A file that keeps nothing of what is written to it but a digest."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        taken = bytes(data)
        self.digest.update(taken)
        self.size += len(taken)
        return len(taken)


class Printed:
    """What has been printed within a block."""

    def __init__(self) -> None:
        self._raw = Digesting()
        self.stream = io.TextIOWrapper(
            self._raw,  # type: ignore[type-var]
            encoding="utf-8",
            errors="backslashreplace",
            write_through=True,
        )

    @property
    def digest(self) -> str:
        """Of all of it; empty where nothing was printed."""
        with suppress(ValueError):
            self.stream.flush()
        return self._raw.digest.hexdigest() if self._raw.size else ""


@contextmanager
def captured() -> Iterator[Printed]:
    """Take what the block prints; its standard input is empty, what it warns of is lost."""
    printed = Printed()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout = io.StringIO(), printed.stream
    sys.stderr = io.TextIOWrapper(Digesting(), encoding="utf-8", errors="backslashreplace")
    try:
        yield printed
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def timed(seconds: float, action: Callable[[], T]) -> T:
    """What the action returns, if it takes no longer.

    :raises OutOfTimeError: if it does, unless it stops its ears, which the end of the sandbox ends.
    """
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_SECONDS)
    try:
        return action()
    finally:
        _stop()


def _stop() -> None:
    try:
        signal.setitimer(signal.ITIMER_REAL, 0)
    except OutOfTimeError:  # it has just rung
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(*_: object) -> None:
    raise OutOfTimeError
