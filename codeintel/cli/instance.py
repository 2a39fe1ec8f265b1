"""Open the application of an instance for a command."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from codeintel.cli.output import write_line
from codeintel.server.opening import Failure, open_app, services_of

if TYPE_CHECKING:
    from flask import Flask

    from codeintel.app import Services
    from codeintel.platform.config import Settings


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


def keep_jobs_quiet() -> None:
    """Drop the job queue's own messages about stopped workers, which belong to a server's log."""
    logging.getLogger("huey").addHandler(logging.NullHandler())
