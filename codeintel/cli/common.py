"""Helpers for commands: output, tables, and opening the application of an instance."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any

import click

from codeintel.base.wording import printable
from codeintel.server.opening import Failure, open_app, services_of

if TYPE_CHECKING:
    from flask import Flask

    from codeintel.app import Services
    from codeintel.platform.config import Settings

_MINIMUM_WRAP = 24
GAP = "  "


def _settings() -> Settings:
    from codeintel.platform.config import SettingError, load_settings

    try:
        return load_settings().settings
    except SettingError as error:
        raise Failure(str(error)) from None


def _check_instance(*, may_make: bool) -> None:
    """Reject a missing instance, so that users notice a wrong folder.

    :param may_make: whether the command may create an instance. It does so only in a folder that
        exists, or that CODEINTEL_INSTANCE names.
    :raises Failure: if there is no instance.
    """
    settings = _settings()
    folder = settings.instance
    if settings.database_url or (folder / "codeintel.db").exists():
        return
    if folder.exists() and not folder.is_dir():
        return  # opening it fails with a better message
    named = "CODEINTEL_INSTANCE" in os.environ
    if not may_make or not (named or folder.exists()):
        raise Failure(
            f"There is no codeintel instance in {folder}. Run this command in the folder where you "
            "start `codeintel serve`, or set CODEINTEL_INSTANCE to the instance folder."
        )


def missing_instance() -> str:
    """Return a sentence about the missing instance folder, or an empty string if it exists."""
    folder = _settings().instance
    return "" if folder.exists() else f"Plugins are not included: {folder} does not exist."


@contextmanager
def look_at_app(*, at_plugins: bool) -> Iterator[Flask]:
    """Open the application for a command that only reads. A missing instance folder is not created.

    :param at_plugins: whether the command shows plugins. If so, a missing folder is reported.
    :raises Failure: as :func:`open_app`.
    """
    folder = _settings().instance
    if folder.exists():
        with open_app() as app:
            yield app
        return
    if at_plugins:
        write_line(
            f"codeintel: {folder} does not exist, so only built-in plugins are shown", err=True
        )
    with TemporaryDirectory() as empty, open_app({"CODEINTEL_INSTANCE": empty}) as app:
        yield app


@contextmanager
def open_services(*, may_make: bool = False, migrate: bool = True) -> Iterator[Services]:
    """Open the application with an up-to-date database schema and yield its services.

    :param may_make: whether to create a missing database.
    :param migrate: whether to apply missing migrations. Otherwise they are an error.
    :raises Failure: as :func:`open_app`, and if there is no database.
    """
    _check_instance(may_make=may_make)
    with open_app() as app:
        from codeintel.platform.db import db
        from codeintel.platform.db.migrate import ensure_schema

        file = db.engine.url.database if db.engine.dialect.name == "sqlite" else None
        is_new = file is not None and not Path(file).exists()
        try:
            ensure_schema(app, migrate=migrate)
        except OSError as error:
            raise Failure(f"Cannot use the folder of the database: {error}.") from None
        if is_new:
            # A user in the wrong folder has to notice that this is another instance.
            write_line(f"codeintel: created a new database, {file}", err=True)
        yield services_of(app)


def write(text: str, *, err: bool = False) -> None:
    """Write text unchanged and flush it. Escape characters that the stream cannot encode."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    # Keep the colors: the caller has decided about them, and click would decide again.
    click.echo(text, nl=False, err=err, color=True)


def write_line(text: str, *, err: bool = False) -> None:
    """Write a line with untrusted text. Control characters are escaped."""
    write(printable(text) + "\n", err=err)


def write_json(document: Any) -> None:
    """Write a JSON document in ASCII, which is safe for terminals and for every encoding."""
    write(json_text(document))


def json_text(document: Any) -> str:
    """Return an indented JSON document in ASCII with a final line break."""
    import msgspec  # `serve` does not need it

    text = json.dumps(msgspec.to_builtins(document), indent=2, ensure_ascii=True)
    return text.replace("\x7f", "\\u007f") + "\n"


def wants_colour(stream: IO[str]) -> bool:
    """Return whether to color the stream: it is a terminal, and NO_COLOR is not set
    (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_live(stream: IO[str]) -> bool:
    """Return whether lines of the stream can be rewritten: it is a terminal with cursor control."""
    return stream.isatty() and os.environ.get("TERM") not in {None, "", "dumb"}


def terminal_width() -> int | None:
    """Return the columns of the terminal, or None if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """Return the rows in aligned columns under headers in capitals.

    :param width: columns of the terminal. The last cell is wrapped to it.
    """
    cells = [[header.upper() for header in headers]]
    cells += [[printable(cell) for cell in row] for row in rows]
    widths = [max(columns(row[i]) for row in cells) for i in range(len(headers))]
    return "".join(_row(row, widths, width) for row in cells)


def columns(text: str) -> int:
    """Return the number of terminal columns that the text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _row(row: Sequence[str], widths: Sequence[int], width: int | None) -> str:
    *head, last = row
    start = "".join(
        cell + " " * (size - columns(cell)) + GAP for cell, size in zip(head, widths, strict=False)
    )
    room = (width or 0) - columns(start)
    lines = textwrap.wrap(last, room) if room >= _MINIMUM_WRAP else [last]
    lines = lines or [""]
    indent = " " * columns(start)
    return "".join(
        ((start if i == 0 else indent) + line).rstrip() + "\n" for i, line in enumerate(lines)
    )
