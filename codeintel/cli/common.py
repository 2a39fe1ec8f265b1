"""What the commands share: writing, text in columns, and opening the application of an instance."""

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
    """Refuse to work on an instance that is not there: who stands in the wrong folder would not
    notice.

    :param may_make: whether a new one is wanted, which must be where somebody expects it: in a
        folder that is named, or is there.
    """
    settings = _settings()
    folder = settings.instance
    if settings.database_url or (folder / "codeintel.db").exists():
        return
    if folder.exists() and not folder.is_dir():
        return  # that is refused with its own words
    named = "CODEINTEL_INSTANCE" in os.environ
    if not may_make or not (named or folder.exists()):
        raise Failure(
            f"There is no instance of codeintel in {folder}. Go to the folder in which you start "
            "`codeintel serve`, start it here first, or set CODEINTEL_INSTANCE to the instance's "
            "folder."
        )


def missing_instance() -> str:
    """A sentence about what cannot be shown where there is no instance folder; nothing where there
    is one."""
    folder = _settings().instance
    return "" if folder.exists() else f"There is no instance folder {folder} with plugins."


@contextmanager
def look_at_app(*, at_plugins: bool) -> Iterator[Flask]:
    """The application, for commands that only show something: where there is no instance folder
    none is left behind.

    :param at_plugins: whether plugins are shown: then it says that there is no folder.
    :raises Failure: as :func:`open_app`.
    """
    folder = _settings().instance
    if folder.exists():
        with open_app() as app:
            yield app
        return
    if at_plugins:
        write_line(f"codeintel: no instance folder {folder}: only what ships is shown", err=True)
    with TemporaryDirectory() as empty, open_app({"CODEINTEL_INSTANCE": empty}) as app:
        yield app


@contextmanager
def open_services(*, may_make: bool = False, migrate: bool = True) -> Iterator[Services]:
    """The application's services, with the database's schema up to date.

    :param may_make: whether to make a new database where there is none.
    :param migrate: whether missing migrations are applied, or refused.
    :raises Failure: as :func:`open_app`, and where there is no database.
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
            raise Failure(f"The database's folder cannot be used: {error}.") from None
        if is_new:
            # Another folder is another instance: who stands in the wrong one must be told.
            write_line(f"codeintel: made a new database, {file}", err=True)
        yield services_of(app)


def write(text: str, *, err: bool = False) -> None:
    """Write text as it is, at once. Characters that the stream's encoding lacks are escaped."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    # The colors in it were asked for: click would otherwise guess again whether to keep them.
    click.echo(text, nl=False, err=err, color=True)


def write_line(text: str, *, err: bool = False) -> None:
    """Write a line that may hold others' words: what a terminal would act upon is made visible."""
    write(printable(text) + "\n", err=err)


def write_json(document: Any) -> None:
    """Write a JSON document in ASCII, which no terminal acts upon and every encoding has."""
    import msgspec  # what starts a server need not load it

    text = json.dumps(msgspec.to_builtins(document), indent=2, ensure_ascii=True)
    write(text.replace("\x7f", "\\u007f") + "\n")


def wants_colour(stream: IO[str]) -> bool:
    """Whether to color what goes to the stream: a terminal, and nobody objects
    (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int | None:
    """Columns of the terminal on standard output; None if that is something else."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """Aligned columns, two spaces apart, under headers in capitals; each row on its line.

    :param width: columns of the terminal: a last cell too long for it goes on in the next line.
    """
    cells = [[header.upper() for header in headers]]
    cells += [[printable(cell) for cell in row] for row in rows]
    widths = [max(columns(row[i]) for row in cells) for i in range(len(headers))]
    return "".join(_row(row, widths, width) for row in cells)


def columns(text: str) -> int:
    """How many columns of a terminal the text takes."""
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
