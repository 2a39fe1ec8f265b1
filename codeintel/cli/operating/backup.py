"""`codeintel backup` and `codeintel restore`: save the database to a file and restore it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codeintel.base.timestamps import from_milliseconds
from codeintel.base.wording import counted, size
from codeintel.cli import output
from codeintel.server.opening import Failure, database_message

if TYPE_CHECKING:
    from codeintel.operations.backups.restoring import Restored
    from codeintel.platform.config import Settings


@contextmanager
def settings_for_backups() -> Iterator[Settings]:
    """Yield the settings. Errors end the command with a message.

    :raises output.Failure: for an invalid setting, and for errors of the backup or the database.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from codeintel.operations.backups.archive import BackupError
    from codeintel.platform.config import SettingError, load_settings

    try:
        yield load_settings().settings
    except (SettingError, BackupError) as error:
        raise Failure(str(error)) from None
    except SQLAlchemyError as error:
        raise Failure(database_message(error)) from None
    except OSError as error:
        raise Failure(f"{error.filename or 'The file'}: {error.strerror}.") from None


@click.command(short_help="Back up the database.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--with-secrets",
    is_flag=True,
    help="Include the key pepper. Anyone who has the file can then act as the service.",
)
def backup(file: Path, with_secrets: bool) -> None:
    """Write a backup of the database to FILE. The service can keep running.

    The backup contains all tables as of one moment. You can restore it to SQLite and to PostgreSQL.
    It contains addresses, code and results, so only your user can read the file.

    The key pepper is not included unless you add --with-secrets. Store it elsewhere. Without it,
    the API keys of a restored database do not work. Settings, plugins and the content of Redis are
    never included.
    """
    with settings_for_backups() as settings:
        from codeintel.operations.backups.saving import save

        manifest = save(settings, file, with_secrets=with_secrets)
    rows = sum(table.rows for table in manifest.tables)
    secrets = "with the key pepper" if with_secrets else "without the key pepper"
    output.write_line(
        f"Wrote {file} ({size(file.stat().st_size)}): {counted(rows, 'row')} of "
        f"{counted(len(manifest.tables), 'table')}, revision {manifest.revision}, {secrets}."
    )


@click.command(short_help="Restore a backup.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Replace a database that is not empty.")
@click.option(
    "--revoke-keys",
    is_flag=True,
    help="Revoke all API keys. Then the key pepper of the backup is not needed.",
)
@click.option("--yes", is_flag=True, help="Do not ask before replacing a database.")
def restore(file: Path, replace: bool, revoke_keys: bool, yes: bool) -> None:
    """Restore the backup in FILE to the configured database, SQLite or PostgreSQL.

    Stop the service first. The whole file is checked before anything changes. Either all of it is
    restored, or nothing. A backup of an older version is migrated.

    Sign-in links and sessions end. Runs that had not ended fail without a charge, and their
    reserved credits are returned. Running jobs are queued again.

    API keys that were revoked or rotated after the backup work again. Accounts that were deleted
    after the backup exist again. Revoke and delete them again, or use --revoke-keys.

    A backup made with --with-secrets puts its key pepper into the instance folder. For other
    backups, the pepper must already be there or in CODEINTEL_KEY_PEPPER, or use --revoke-keys.
    """
    if replace and not yes:
        click.confirm(
            "The current content of the database will be lost. Replace it?", abort=True, err=True
        )
    with settings_for_backups() as settings:
        from codeintel.operations.backups.restoring import restore as restore_file

        _refuse_unexpected_folder(settings)
        done = restore_file(settings, file, replace=replace, revoke_keys=revoke_keys)
    output.write(_told(done))


def _refuse_unexpected_folder(settings: Settings) -> None:
    """Create an instance only in a folder that exists, or that CODEINTEL_INSTANCE names."""
    folder = settings.instance
    if not (folder.exists() or settings.database_url or "CODEINTEL_INSTANCE" in os.environ):
        raise Failure(
            f"The instance folder {folder} does not exist. Create it, or set CODEINTEL_INSTANCE to "
            "the folder for the restored database."
        )
    folder.mkdir(parents=True, exist_ok=True)


def _told_of_access(done: Restored) -> Iterator[str]:
    """Return warnings about access that was withdrawn after the backup."""
    made = f"{from_milliseconds(done.manifest.made_ms):%Y-%m-%d %H:%M} UTC"
    if done.settled.keys is not None:
        yield f"Revoked {counted(done.settled.keys, 'API key')}."
    else:
        yield (
            f"API keys that were revoked or rotated after {made} work again. Revoke them again, or "
            "restore with --revoke-keys."
        )
    yield f"Accounts that were deleted after {made} exist again. Delete them again."


def _told(done: Restored) -> str:
    manifest, settled = done.manifest, done.settled
    rows = sum(table.rows for table in manifest.tables)
    migrated = (
        f", migrated from revision {manifest.revision} to {done.revision}"
        if manifest.revision != done.revision
        else ""
    )
    lines = [
        f"Restored {counted(rows, 'row')} of {counted(len(manifest.tables), 'table')}{migrated}.",
        f"Ended {counted(settled.runs, 'run')} and {counted(settled.sessions, 'session')}.",
        f"Returned {counted(settled.credits, 'reserved credit')}.",
        f"Queued {counted(settled.jobs, 'job')} again and cancelled "
        f"{counted(settled.cancelled_jobs, 'job')}.",
        *_told_of_access(done),
    ]
    if done.aside is not None:
        lines.append(f"The previous database is in {done.aside}.")
    return "".join(f"{line}\n" for line in lines)
