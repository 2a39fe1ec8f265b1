"""The log: what an entry belongs to, how it is written, and what goes into it."""

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
    """The ids of this greenlet, by name: `request_id`, `run_id`, `job_id` and
    the like.

    Greenlets begin without any, and one that serves everybody, such as the writer's, has none: what
    is done for a request in another one is started by :func:`spawn`.
    """
    return _fields.get()


def begin_request(request_id: str) -> None:
    """From here on it is this request and nothing else: a connection's greenlet serves many."""
    _fields.set({"request_id": request_id})


def bind(**ids: str) -> None:
    """Have these ids in the entries of this greenlet from now on."""
    _fields.set({**_fields.get(), **ids})


@contextmanager
def bound(**ids: str) -> Iterator[None]:
    """Have these ids in the entries within the block."""
    token = _fields.set({**_fields.get(), **ids})
    try:
        yield
    finally:
        _fields.reset(token)


def spawn(work: Callable[..., T], *arguments: Any) -> gevent.Greenlet[..., T]:
    """`gevent.spawn` of work that belongs to what this greenlet works for."""
    import gevent  # commands have entries, too, and no greenlets

    return gevent.spawn(copy_context().run, work, *arguments)


FIELDS = "codeintel_fields"
"""Attribute of a record with more fields for its entry, as a mapping."""
_CODE = re.compile(r"[0-9A-Z_]{5,40}")
_USER = re.compile(r"(?<=://)[^\s/@]+@")
"""In URLs, where passwords stand. Nothing of ours writes one; other packages' messages may."""


class Description(str):
    """An exception as text. In an entry's arguments it is recognized, and written as such."""

    __slots__ = ("cause", "frames", "sqlstate", "type")
    type: str
    cause: str
    """The type of what caused it, such as the driver's exception behind SQLAlchemy's; or empty."""
    sqlstate: str
    """Of a database's error: five characters, or SQLite's name for it; or empty."""
    frames: traceback.StackSummary

    @property
    def label(self) -> str:
        """What it is, on one line: `OperationalError (QueryCanceled, 57014)`."""
        return self.type + _in_brackets(self.cause, self.sqlstate)


def describe(error: BaseException) -> Description:
    """An exception for the log: its type and where it came from, not its text, which may quote what
    a caller sent."""
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
    """The code of a database's error (PostgreSQL's SQLSTATE, or such as `SQLITE_BUSY`): a closed
    set of words, never part of a message."""
    code = getattr(error, "sqlstate", None) or getattr(error, "sqlite_errorname", None)
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""


def one_line(text: str) -> str:
    """The text with all that would end a line, or that a terminal would act upon, made visible."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


class TextFormatter(logging.Formatter):
    """A line an entry; below it, indented, the frames of an exception."""

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
    """A JSON object an entry, each on its line, in ASCII."""

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
    """The message, and the exception that it is about, of which it has only the type."""
    args = record.args if isinstance(record.args, tuple) else ()
    error = next((each for each in args if isinstance(each, Description)), None)
    raised = record.exc_info[1] if record.exc_info else None
    plain = tuple(each.label if isinstance(each, Description) else each for each in args)
    try:
        message = str(record.msg) % (plain or record.args) if record.args else str(record.msg)
    except (TypeError, ValueError, KeyError):  # the arguments stay out: nobody knows what they are
        message = str(record.msg)
    if raised is not None and error is None:
        error = describe(raised)
        message = f"{message}: {error.type}"
    return _USER.sub("***@", message), error


def _moment(at: float) -> str:
    """RFC 3339 in UTC, to the millisecond."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


log = logging.getLogger(__name__)

TEXT, JSON = "text", "json"
FORMATS = (TEXT, JSON)


def formatter(format_: str) -> logging.Formatter:
    """What makes entries of records."""
    return JsonFormatter() if format_ == JSON else TextFormatter()


def configure(format_: str = TEXT, level: int = logging.INFO) -> None:
    """Write the log to standard error, and with it what would else be written there by others:
    warnings, and exceptions that nobody catches, whose texts may quote anything."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(format_))
    logging.basicConfig(level=level, handlers=[handler])
    for name in ("alembic", "authlib", "huey"):  # of logins authlib would tell secrets
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.raiseExceptions = False  # its complaints would show the arguments of an entry
    logging.captureWarnings(capture=True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda failed: _tell("a thread", failed.exc_value)
    sys.unraisablehook = lambda failed: _tell("what cannot raise", failed.exc_value)


def watch_greenlets() -> None:
    """Have exceptions that end a greenlet logged. gevent itself would write them to standard error
    with their texts and the greenlet's arguments, which hold settings, code and much else."""
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
