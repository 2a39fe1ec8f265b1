"""Entries of the log, as text and as JSON: nothing that is in one can pass for another."""

from __future__ import annotations

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any

from codeintel.base.logging import context as log_context

FIELDS = "codeintel_fields"
"""Attribute of a record with more fields for its entry, as a mapping."""
_CODE = re.compile(r"[0-9A-Z_]{5,40}")
_USER = re.compile(r"(?<=://)[^\s/@]+@")
"""In URLs, where passwords stand. Nothing of ours writes one; other packages' messages may."""


class Description(str):
    """An exception as text. In an entry's arguments it is recognised, and written as such."""

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
            **log_context.fields(),
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
