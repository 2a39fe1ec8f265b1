"""What the commands share: failing, writing, and opening the application."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
import msgspec

from codeintel.cli.text import printable

if TYPE_CHECKING:
    from flask import Flask

    from codeintel.services import Services


class Failure(click.ClickException):
    """Ends the command with one line on standard error and exit status 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class _OneLine(logging.Formatter):
    """A log record as one line: tracebacks are for the log of `codeintel serve`."""

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
def open_app() -> Iterator[Flask]:
    """The application, in its context; the database is not asked for anything.

    :raises Failure: for a wrong setting, and for what the service or the database refuses.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from codeintel.config import SettingError
    from codeintel.db import db
    from codeintel.db.migrate import SchemaError
    from codeintel.errors import ServiceError

    with _warnings_in_one_line():
        app = _make_app()
        try:
            with app.app_context():
                try:
                    yield app
                finally:
                    db.engine.dispose()
        except (SettingError, SchemaError, ServiceError) as error:
            raise Failure(str(error)) from None
        except SQLAlchemyError as error:
            raise Failure(_database_message(error)) from None


def _make_app() -> Flask:
    from codeintel import create_app
    from codeintel.config import SettingError
    from codeintel.plugins.registry import DuplicateNameError

    try:
        return create_app()
    except SettingError as error:
        raise Failure(str(error)) from None
    except DuplicateNameError as error:
        raise Failure(f"Two plugins collide: {error}. Remove one of them.") from None
    except OSError as error:
        raise Failure(f"The instance folder cannot be used: {error}.") from None


@contextmanager
def open_services() -> Iterator[Services]:
    """The application's services, with the database's schema up to date.

    :raises Failure: as :func:`open_app`.
    """
    with open_app() as app:
        from codeintel.db import db
        from codeintel.db.migrate import ensure_schema

        file = db.engine.url.database if db.engine.dialect.name == "sqlite" else None
        is_new = file is not None and not Path(file).exists()
        try:
            ensure_schema(app)
        except OSError as error:
            raise Failure(f"The database's folder cannot be used: {error}.") from None
        if is_new:
            # Another folder is another instance: who stands in the wrong one must be told.
            write_line(f"codeintel: made a new database, {file}", err=True)
        yield services_of(app)


def services_of(app: Flask) -> Services:
    """The services of an application."""
    services: Services = app.extensions["codeintel"]
    return services


def _database_message(error: Exception) -> str:
    """The driver's words, without the statement and its parameters, which may hold secrets."""
    original = getattr(error, "orig", None)
    lines = (str(original) if original is not None else type(error).__name__).splitlines()
    reason = lines[0].rstrip(".") if lines else type(error).__name__
    return f"The database reports: {reason}. Is DATABASE_URL right? See `codeintel config`."


def write(text: str, *, err: bool = False) -> None:
    """Write text as it is, at once. Characters that the stream's encoding lacks are escaped."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    # The colours in it were asked for: click would otherwise guess again whether to keep them.
    click.echo(text, nl=False, err=err, color=True)


def write_line(text: str, *, err: bool = False) -> None:
    """Write a line that may hold others' words: what a terminal would act upon is made visible."""
    write(printable(text) + "\n", err=err)


def write_json(document: Any) -> None:
    """Write a JSON document in ASCII, which no terminal acts upon and every encoding has."""
    text = json.dumps(msgspec.to_builtins(document), indent=2, ensure_ascii=True)
    write(text.replace("\x7f", "\\u007f") + "\n")


def wants_colour(stream: IO[str]) -> bool:
    """Whether to colour what goes to the stream: a terminal, and nobody objects
    (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int | None:
    """Columns of the terminal on standard output; None if that is something else."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
