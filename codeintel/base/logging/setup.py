"""What goes into the log, and how: an entry a line, on standard error."""

from __future__ import annotations

import logging
import sys
import threading
from types import TracebackType
from typing import Any

from codeintel.base.logging.entries import JsonFormatter, TextFormatter, describe

__all__ = ["FORMATS", "JSON", "TEXT", "configure", "describe", "formatter", "watch_greenlets"]

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
