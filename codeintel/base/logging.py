"""The log: the context of an entry, its format and its content."""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import gevent


T = TypeVar("T")
_fields: ContextVar[Mapping[str, str]] = ContextVar("codeintel_log_fields", default={})  # noqa: B039


def fields() -> Mapping[str, str]:
    """Return the ids of this greenlet by name, such as `request_id`, `run_id` and `job_id`.

    Greenlets begin without ids, and shared ones, such as the writer's, have none. Use :func:`spawn`
    for a greenlet that works for a request.
    """
    return _fields.get()


def begin_request(request_id: str) -> None:
    """Replace all ids with that of a new request, because a connection's greenlet serves many."""
    _fields.set({"request_id": request_id})


def bind(**ids: str) -> None:
    """Add these ids to all further entries of this greenlet."""
    _fields.set({**_fields.get(), **ids})


@contextmanager
def bound(**ids: str) -> Iterator[None]:
    """Add these ids to the entries within the block."""
    token = _fields.set({**_fields.get(), **ids})
    try:
        yield
    finally:
        _fields.reset(token)


def spawn(work: Callable[..., T], *arguments: Any) -> gevent.Greenlet[..., T]:
    """Run `gevent.spawn` with the ids of this greenlet."""
    import gevent  # commands write entries without greenlets

    return gevent.spawn(copy_context().run, work, *arguments)


FIELDS = "codeintel_fields"
"""Attribute of a record with more fields for its entry, as a mapping."""
_CODE = re.compile(r"[0-9A-Z_]{5,40}")
_USER = re.compile(r"(?<=://)[^\s/@]+@")
"""The credentials in a URL. Our messages contain none, but those of other packages may."""


class Description(str):
    """An exception as text. Formatters recognize it in the arguments of an entry."""

    __slots__ = ("cause", "frames", "sqlstate", "type")
    type: str
    cause: str
    """The type of the underlying exception, such as the driver's below SQLAlchemy's; or empty."""
    sqlstate: str
    """The code of a database error: five characters, or SQLite's name, or empty."""
    frames: traceback.StackSummary

    @property
    def label(self) -> str:
        """Return type and cause on one line: `OperationalError (QueryCanceled, 57014)`."""
        return self.type + _in_brackets(self.cause, self.sqlstate)


def describe(error: BaseException) -> Description:
    """Describe an exception for the log by its type and origin. Leave out its text, which may quote
    input.
    """
    frames = traceback.extract_tb(error.__traceback__)
    cause = getattr(error, "orig", None) or error.__cause__
    cause = cause if isinstance(cause, BaseException) else None
    code = next((told for each in (cause, error) if (told := _sqlstate(each))), "")
    name = type(cause).__name__ if cause is not None else ""
    label = type(error).__name__ + _in_brackets(name, code)
    found = Description(f"{label}\n{''.join(frames.format())}")
    found.type, found.cause, found.sqlstate, found.frames = type(error).__name__, name, code, frames
    return found


def _in_brackets(*parts: str) -> str:
    told = ", ".join(filter(None, parts))
    return f" ({told})" if told else ""


def _sqlstate(error: BaseException | None) -> str:
    """Return the code of a database error: PostgreSQL's SQLSTATE, or a name such as `SQLITE_BUSY`.
    The codes are a closed set and never part of a message.
    """
    code = getattr(error, "sqlstate", None) or getattr(error, "sqlite_errorname", None)
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""


def one_line(text: str) -> str:
    """Return the text on one line. Line ends and control characters are escaped."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


class TextFormatter(logging.Formatter):
    """Writes an entry as a line, followed by the indented frames of an exception."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        message, error = _told(record)
        record.asctime, record.message = self.formatTime(record), one_line(message)
        lines = [self.formatMessage(record)]
        if error is not None:
            parts = "".join(error.frames.format()).splitlines()
            lines += [f"  {one_line(part.strip())}" for part in parts]
        return "\n".join(lines)


class JsonFormatter(logging.Formatter):
    """Writes an entry as a JSON object on one line, in ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        message, error = _told(record)
        entry: dict[str, Any] = {
            "time": _moment(record.created),
            "level": record.levelname,
            "logger": record.name,
            "message": message,
            **fields(),
            **getattr(record, FIELDS, {}),
        }
        if error is not None:
            frames = [
                {"file": each.filename, "line": each.lineno, "function": each.name}
                for each in error.frames
            ]
            told = {"type": error.type, "cause": error.cause, "sqlstate": error.sqlstate}
            entry["exception"] = {name: value for name, value in told.items() if value}
            entry["exception"]["frames"] = frames
        return json.dumps(entry, default=str)


def _told(record: logging.LogRecord) -> tuple[str, Description | None]:
    """Return the message and its exception. The message has only the type of the exception."""
    args = record.args if isinstance(record.args, tuple) else ()
    error = next((each for each in args if isinstance(each, Description)), None)
    raised = record.exc_info[1] if record.exc_info else None
    plain = tuple(each.label if isinstance(each, Description) else each for each in args)
    try:
        message = str(record.msg) % (plain or record.args) if record.args else str(record.msg)
    except (TypeError, ValueError, KeyError):  # the arguments may hold anything, so leave them out
        message = str(record.msg)
    if raised is not None and error is None:
        error = describe(raised)
        message = f"{message}: {error.type}"
    return _USER.sub("***@", message), error


def _moment(at: float) -> str:
    """Return a time as RFC 3339 in UTC, to the millisecond."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


log = logging.getLogger(__name__)

TEXT, JSON = "text", "json"
FORMATS = (TEXT, JSON)


def formatter(format_: str) -> logging.Formatter:
    """Return the formatter for a log format."""
    return JsonFormatter() if format_ == JSON else TextFormatter()


def configure(format_: str = TEXT, level: int = logging.INFO) -> None:
    """Log to standard error, including warnings and uncaught exceptions."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(format_))
    logging.basicConfig(level=level, handlers=[handler])
    for name in ("alembic", "authlib", "huey"):  # authlib would log secrets of logins
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.raiseExceptions = False  # logging errors would show the arguments of an entry
    logging.captureWarnings(capture=True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda failed: _tell("a thread", failed.exc_value)
    sys.unraisablehook = lambda failed: _tell("what cannot raise", failed.exc_value)


def watch_greenlets() -> None:
    """Log exceptions that end a greenlet. By default, gevent prints their texts and the greenlet's
    arguments, which hold settings and code.
    """
    import gevent

    def failed(context: object, type_: object, error: Any, frames: object) -> None:  # noqa: ARG001
        _tell("a greenlet", error)

    gevent.get_hub().print_exception = failed  # type: ignore[method-assign,assignment]


def _uncaught(
    type_: type[BaseException], error: BaseException, frames: TracebackType | None
) -> None:
    if issubclass(type_, KeyboardInterrupt):
        sys.__excepthook__(type_, error, frames)
    else:
        _tell("the process", error)


def _tell(what: str, error: BaseException | None) -> None:
    if error is not None:
        log.error("%s failed: %s", what, describe(error))
