"""What comes of an action of a program: a value or an exception, what it prints, and the time."""

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

from .values.canonical import UnwritableError, canonical
from .values.recording import Journal

T = TypeVar("T")
_AGAIN_SECONDS = 0.05
Note = Callable[[str], None]
_PLACE = re.compile(r"Traceback[\s\S]*|, line \d+|0x[0-9a-f]+")
"""What of a complaint tells where it was made, and not what it says."""
_FORBIDDEN = frozenset((errno.EPERM, errno.EROFS, errno.ENOSYS, errno.ENOSPC, errno.EFBIG))
VALUE, RAISED, UNSUITED, TIME = "value", "raised", "unsuited", "time"
BLOCKED, UNWRITABLE = "blocked", "unwritable"
Outcome = tuple[str, str]
"""How a call ended, and a digest of all that can be seen of it. A second digest follows it, behind
a colon, where the program has raised something with a message of its own."""
_BEGIN = time.monotonic(), time.process_time()


class CannotMakeError(Exception):
    """No instance of a class can be made."""


class UnsuitedError(Exception):
    """A call was given what it is not meant for."""


def outcome(
    seconds: float,
    action: Callable[[], object],
    raises: frozenset[int] = frozenset(),
    *,
    is_sure: bool = True,
    journal: Journal | None = None,
    roots: Callable[[], list[Any]] | None = None,
) -> Outcome:
    """What comes of an action of the program: its value, what it raised, what it printed, what it
    did to its arguments.

    :param is_sure: whether what it is given fits, so that any exception tells something.
    :param roots: what it was given, for a look at it afterwards.
    """
    given = roots or list
    message = ""
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
                message = _message(error, raises)
        finally:
            shown = _shown(printed, journal)
    return status, _digest(f"{status}\0{text}\0{shown}") + (f":{message}" if message else "")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _message(error: BaseException, raises: frozenset[int]) -> str:
    """The digest of what a program says of an exception that it raises itself."""
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
    """What arguments were changed to before an exception."""
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
        return UNSUITED, ""  # most of all, it was given what it is not meant for
    code = f" {error.code!r}" if isinstance(error, SystemExit) else ""
    cause = f" from {type(error.__cause__).__qualname__}" if error.__cause__ is not None else ""
    return RAISED, f"{type(error).__qualname__}{code}{cause}{_public(error)}"


def _public(error: BaseException) -> str:
    """The attributes of an exception of the program."""
    if type(error).__module__ != "program":
        return ""
    try:
        names = sorted(each for each in vars(error) if each[:1] != "_")
        return "".join(f" {each}={canonical(vars(error)[each])}" for each in names)
    except (UnwritableError, TypeError):
        return ""


def last_line(error: BaseException) -> int:
    """The line of the program on which an exception was raised; 0 if that was elsewhere."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        ours = trace.tb_frame.f_code.co_filename == "<program>"
        line = trace.tb_lineno if ours else 0
        trace = trace.tb_next
    return line


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


def clock() -> float:
    """Seconds of processor time since the start, or half the seconds on the wall if that is more.

    On a busy machine a run is slower, and must not prove less because of that. A program that waits
    uses no processor, so the wall counts, too.
    """
    wall, processor = time.monotonic() - _BEGIN[0], time.process_time() - _BEGIN[1]
    return max(processor, wall / 2)
