"""Open the application for processes and commands, with one-line errors."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from codeintel.base.wording import printable

if TYPE_CHECKING:
    from flask import Flask

    from codeintel.app import Services


class Failure(click.ClickException):
    """Ends the command with one line on standard error and exit status 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class _OneLine(logging.Formatter):
    """Formats a log record as one line. Tracebacks are only in the log of `codeintel serve`."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        cause = f": {type(error).__name__}: {error}" if error is not None else ""
        return printable(record.getMessage() + cause)


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Show the service's warnings on standard error."""
    logger, handler = logging.getLogger("codeintel"), logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_OneLine())
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@contextmanager
def open_app(
    overrides: Mapping[str, str] | None = None, *, has_log: bool = False
) -> Iterator[Flask]:
    """Open the application and its context, without a query to the database.

    :param overrides: settings that take precedence over all others.
    :param has_log: whether a log already shows warnings.
    :raises Failure: for an invalid setting, and for errors of the service or the database.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from codeintel.base.errors import ServiceError
    from codeintel.platform.config import SettingError
    from codeintel.platform.db import db
    from codeintel.platform.db.migrate import SchemaError

    with nullcontext() if has_log else _warnings_in_one_line():
        app = _make_app(overrides or {})
        try:
            with app.app_context():
                try:
                    yield app
                finally:
                    db.engine.dispose()
        except (SettingError, SchemaError, ServiceError) as error:
            raise Failure(str(error)) from None
        except SQLAlchemyError as error:
            raise Failure(database_message(error)) from None


def _make_app(overrides: Mapping[str, str]) -> Flask:
    from codeintel.app import create_app
    from codeintel.platform.config import SettingError
    from codeintel.platform.plugins.registry import DuplicateNameError

    try:
        return create_app(overrides)
    except SettingError as error:
        raise Failure(str(error)) from None
    except DuplicateNameError as error:
        raise Failure(f"Two plugins conflict: {error}. Remove one of them.") from None
    except OSError as error:
        raise Failure(f"The instance folder cannot be used: {error}.") from None


def services_of(app: Flask) -> Services:
    """Return the services of an application."""
    services: Services = app.extensions["codeintel"]
    return services


def database_message(error: Exception) -> str:
    """Return the driver's message without the statement and its parameters, which may hold
    secrets.
    """
    original = getattr(error, "orig", None)
    lines = (str(original) if original is not None else type(error).__name__).splitlines()
    reason = lines[0].rstrip(".") if lines else type(error).__name__
    return f"The database reports: {reason}. Is DATABASE_URL right? See `codeintel config`."
