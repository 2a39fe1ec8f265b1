"""What a program prints, as a digest; and a limit on how long a piece of it may take."""

from __future__ import annotations

import hashlib
import io
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")
_AGAIN_SECONDS = 0.05
Note = Callable[[str], None]
_PLACE = re.compile(r"Traceback[\s\S]*|, line \d+|0x[0-9a-f]+")
"""What of a complaint tells where it was made, and not what it says."""


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
def captured(note: Note | None = None) -> Iterator[Printed]:
    """Take what the block prints; its standard input is empty.

    :param note: told what is written to the standard error, logged and warned of.
    """
    printed = Printed()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout = io.StringIO(), printed.stream
    complaints = io.StringIO() if note is not None else None
    sys.stderr = complaints or Printed().stream
    hooks = Hooks(note) if note is not None else None
    try:
        yield printed
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        if hooks is not None and note is not None:
            hooks.remove()
            if complaints is not None and not hooks.has_logged:
                text = "" if complaints.closed else complaints.getvalue()
                if text:
                    with suppress(Exception):
                        note(f"stderr {_PLACE.sub('', text)}")


class Hooks:
    """Notes what is logged, and warnings of the program and of coroutines that nobody awaits."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self.has_logged = False
        self._show = warnings.showwarning
        self._filters = warnings.filters[:]
        warnings.simplefilter("always")
        warnings.showwarning = self._warned
        self._logging: Any = sys.modules.get("logging")
        if self._logging is not None:
            self._handle = self._logging.Logger.handle
            self._level = self._logging.root.level
            self._logging.root.setLevel(1)
            self._logging.Logger.handle = lambda logger, record: self._logged(logger, record)

    def remove(self) -> None:
        """Stop noting."""
        warnings.showwarning = self._show
        warnings.filters = self._filters
        if self._logging is not None:
            self._logging.Logger.handle = self._handle
            self._logging.root.setLevel(self._level)

    def _logged(self, logger: Any, record: Any) -> None:
        self.has_logged = True
        if logger.name != "asyncio":
            error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
            self._note(f"log {logger.name} {record.levelname} {record.getMessage()} {error}")

    def _warned(self, message: Any, category: type, *_: object, **__: object) -> None:
        text = str(message)
        if category is RuntimeWarning and "never awaited" in text:
            self._note("never awaited")
        elif issubclass(category, UserWarning):
            self._note(f"warning {category.__name__} {text}")


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
