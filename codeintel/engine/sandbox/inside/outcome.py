"""Record the outcome of a program's action: the value or exception, the output and the time."""

from __future__ import annotations

import errno
import hashlib
import io
import re
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from .values.canonical import UNSEEN, UnwritableError, canonical
from .values.recording import Journal

T = TypeVar("T")
_AGAIN_SECONDS = 0.05
Note = Callable[[str], None]
_PLACE = re.compile(r"Traceback[\s\S]*|, line \d+|0x[0-9a-f]+")
"""The parts of a warning that say where it was raised and not what it says."""
_FORBIDDEN = frozenset((errno.EPERM, errno.EROFS, errno.ENOSYS, errno.ENOSPC, errno.EFBIG))
VALUE, RAISED, UNSUITED, TIME = "value", "raised", "unsuited", "time"
BLOCKED, UNWRITABLE = "blocked", "unwritable"
Outcome = tuple[str, str]
"""How a call ended, and a digest of everything that can be observed.

A second digest may follow after a colon: of the message of an exception that the program raised, or
of state that the values hide.
"""
_BEGIN = time.monotonic(), time.process_time()


class CannotMakeError(Exception):
    """No instance of a class can be created."""


class UnsuitedError(Exception):
    """A call received arguments that it is not meant for."""


def outcome(
    seconds: float,
    action: Callable[[], object],
    raises: frozenset[int] = frozenset(),
    *,
    is_sure: bool = True,
    journal: Journal | None = None,
    roots: Callable[[], list[Any]] | None = None,
) -> Outcome:
    """Run an action of the program and record its value or exception, its output and its effect on
    the arguments.

    :param is_sure: whether the arguments fit, so that any exception counts.
    :param roots: returns the arguments, to examine them afterwards.
    """
    given = roots or list
    second = ""
    UNSEEN.begin()
    with captured(journal.note if journal is not None else None) as printed:
        try:
            status, text = timed(seconds, lambda: (VALUE, _text(action(), given())))
        except OutOfTimeError:
            return TIME, ""
        except UnwritableError:
            return UNWRITABLE, ""
        except (CannotMakeError, UnsuitedError, MemoryError, RecursionError) as error:
            unsuited = isinstance(error, CannotMakeError | UnsuitedError)
            return (UNSUITED if unsuited else BLOCKED), ""
        except BaseException as error:  # noqa: BLE001 - the program's: that is what is compared
            status, text = _raised(error, raises, is_sure=is_sure)
            if status == RAISED:
                text += _after(seconds, given)
                second = _message(error, raises)
        finally:
            shown = _shown(printed, journal)
    if status == VALUE and UNSEEN.text():
        second = _digest(UNSEEN.text())
    return status, _digest(f"{status}\0{text}\0{shown}") + (f":{second}" if second else "")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _message(error: BaseException, raises: frozenset[int]) -> str:
    """Return the digest of the message of an exception that the program itself raises, or an
    empty string."""
    if last_line(error) not in raises:
        return ""
    try:
        return _digest(str(error))
    except Exception:  # noqa: BLE001 - the program's own method
        return ""


def _text(value: object, given: list[Any]) -> str:
    return canonical((value, *given)) if given else canonical(value)


def _shown(printed: Printed, journal: Journal | None) -> str:
    notes = "\n".join(journal.notes) if journal is not None else ""
    return f"{printed.digest}{notes}"


def _after(seconds: float, given: Callable[[], list[Any]]) -> str:
    """Return the arguments as text, as they are after an exception."""
    try:
        return timed(seconds, lambda: canonical(given())) if given() else ""
    except (OutOfTimeError, Exception):  # noqa: BLE001 - the program's objects
        return "?"


def _raised(error: BaseException, raises: frozenset[int], *, is_sure: bool) -> tuple[str, str]:
    if isinstance(error, OSError) and error.errno in _FORBIDDEN:
        return BLOCKED, ""
    if isinstance(error, RuntimeError) and str(error).startswith("can't start new thread"):
        return BLOCKED, ""
    unsuited = isinstance(error, TypeError | AttributeError) and not is_sure
    if unsuited and last_line(error) not in raises:
        return UNSUITED, ""  # most likely, the arguments do not fit
    code = f" {error.code!r}" if isinstance(error, SystemExit) else ""
    cause = f" from {type(error.__cause__).__qualname__}" if error.__cause__ is not None else ""
    return RAISED, f"{type(error).__qualname__}{code}{cause}{_public(error)}"


def _public(error: BaseException) -> str:
    """Return the attributes of an exception class of the program, as text."""
    if type(error).__module__ != "program":
        return ""
    try:
        names = sorted(each for each in vars(error) if each[:1] != "_")
        return "".join(f" {each}={canonical(vars(error)[each])}" for each in names)
    except (UnwritableError, TypeError):
        return ""


def last_line(error: BaseException) -> int:
    """Return the line of the program that raised an exception, or 0 if it was raised elsewhere."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        ours = trace.tb_frame.f_code.co_filename == "<program>"
        line = trace.tb_lineno if ours else 0
        trace = trace.tb_next
    return line


class OutOfTimeError(BaseException):
    """The alarm raises this in code that takes too long. `except Exception` does not catch it."""


class Digesting(io.RawIOBase):
    """A file that keeps only a digest of what is written."""

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
    """The output of a block."""

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
        """Return the digest of the output, or an empty string if nothing was printed."""
        with suppress(ValueError):
            self.stream.flush()
        return self._raw.digest.hexdigest() if self._raw.size else ""


@contextmanager
def captured(note: Note | None = None) -> Iterator[Printed]:
    """Capture the output of the block.

    Standard input is empty.

    :param note: receives what is written to standard error, logged and warned about.
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
    """Records log messages, warnings of the program and coroutines that are never awaited."""

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
        """Stop recording."""
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
    """Run an action with a time limit, and return its value.

    :raises OutOfTimeError: if the action takes too long. An action that catches every such error is
        stopped with the sandbox.
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
    except OutOfTimeError:  # the alarm has just fired
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(*_: object) -> None:
    raise OutOfTimeError


def clock() -> float:
    """Return the processor time since the start in seconds, or half the wall time if that is more.

    A run on a busy machine is slower but must not prove less. A program that waits uses no
    processor time, so wall time counts, too.
    """
    wall, processor = time.monotonic() - _BEGIN[0], time.process_time() - _BEGIN[1]
    return max(processor, wall / 2)
