"""`codeintel backup` and `codeintel restore`: the whole database as one file, and back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codeintel.base.timestamps import moment
from codeintel.base.wording import size
from codeintel.cli import common
from codeintel.server.opening import Failure, database_message

if TYPE_CHECKING:
    from codeintel.operations.backups.restoring import Restored
    from codeintel.platform.config import Settings


@contextmanager
def settings_for_backups() -> Iterator[Settings]:
    """The settings; what is refused ends the command.

    :raises common.Failure: for a wrong setting, and for what a backup or the database refuses.
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


@click.command(short_help="Back the database up.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--with-secrets",
    is_flag=True,
    help="Put the key pepper into it, too: whoever has the file can then do what the service can.",
)
def backup(file: Path, with_secrets: bool) -> None:
    """Write a backup of the database into FILE, while the service runs.

    It has all tables as they are at one moment, and can be restored into SQLite and PostgreSQL
    alike. Only you can read it: it holds addresses, code and results.

    The key pepper, under which API keys are stored, is not in it unless you ask for it. Keep it
    elsewhere: without it the keys of a restored database are void. Settings, plugins and what is
    in Redis are never in it.
    """
    with settings_for_backups() as settings:
        from codeintel.operations.backups.saving import save

        manifest = save(settings, file, with_secrets=with_secrets)
    rows = sum(table.rows for table in manifest.tables)
    secrets = "with the key pepper" if with_secrets else "without the key pepper"
    common.write_line(
        f"Wrote {file}: {rows:,} rows of {len(manifest.tables)} tables, revision "
        f"{manifest.revision}, {secrets}, {size(file.stat().st_size)}."
    )


@click.command(short_help="Restore a backup.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Also where the database is not empty: that is lost.")
@click.option(
    "--revoke-keys",
    is_flag=True,
    help="Revoke all API keys, so that the key pepper of the backup is not needed.",
)
@click.option("--yes", is_flag=True, help="Do not ask before a database is replaced.")
def restore(file: Path, replace: bool, revoke_keys: bool, yes: bool) -> None:
    """Restore the backup in FILE into the database of the settings, SQLite or PostgreSQL.

    Stop the service first. The file is checked as a whole before anything is changed, and all of
    it is restored or nothing. A backup of an older version is brought up to date.

    Sign-in links and browsers' sessions end; runs that were under way fail, free of charge, and
    what they had reserved is given back; jobs that ran wait to be done again.

    API keys that were revoked or rotated after the backup was made are valid again, and accounts
    that were deleted are there again with their keys and identities: revoke and delete them again.
    With --revoke-keys no key is valid.

    A backup made --with-secrets puts its key pepper into the instance folder. For one without, the
    pepper must be there, or in CODEINTEL_KEY_PEPPER, or the keys are given up with --revoke-keys.
    """
    if replace and not yes:
        click.confirm("What is in the database now is lost. Replace it?", abort=True, err=True)
    with settings_for_backups() as settings:
        from codeintel.operations.backups.restoring import restore as restore_file

        _refuse_unexpected_folder(settings)
        done = restore_file(settings, file, replace=replace, revoke_keys=revoke_keys)
    common.write(_told(done))


def _refuse_unexpected_folder(settings: Settings) -> None:
    """A new instance is made where somebody expects it: in a folder that is named, or is there."""
    folder = settings.instance
    if not (folder.exists() or settings.database_url or "CODEINTEL_INSTANCE" in os.environ):
        raise Failure(
            f"There is no instance folder {folder}: make it, or set CODEINTEL_INSTANCE to the "
            "folder that the database is to be restored into."
        )
    folder.mkdir(parents=True, exist_ok=True)


def _told_of_access(done: Restored) -> Iterator[str]:
    """Who may come in again: what was withdrawn since the backup, it does not know."""
    made = f"{moment(done.manifest.made_ms):%Y-%m-%d %H:%M} UTC"
    if done.settled.keys is not None:
        yield f"Revoked {done.settled.keys} API keys."
    else:
        yield (
            f"API keys that were revoked or rotated after {made} are valid again: revoke them "
            "again, or restore with --revoke-keys."
        )
    yield f"Accounts that were deleted after {made} are there again: delete them again."


def _told(done: Restored) -> str:
    manifest, settled = done.manifest, done.settled
    rows = sum(table.rows for table in manifest.tables)
    migrated = (
        f", brought up to date from revision {manifest.revision} to {done.revision}"
        if manifest.revision != done.revision
        else ""
    )
    lines = [
        f"Restored {rows:,} rows of {len(manifest.tables)} tables{migrated}.",
        f"Ended {settled.runs} runs and {settled.sessions} sessions; gave back {settled.credits} "
        f"reserved credits; {settled.jobs} jobs that ran wait again, {settled.cancelled_jobs} that "
        "were to stop are cancelled.",
        *_told_of_access(done),
    ]
    if done.aside is not None:
        lines.append(f"What was there before is in {done.aside}.")
    return "".join(f"{line}\n" for line in lines)
