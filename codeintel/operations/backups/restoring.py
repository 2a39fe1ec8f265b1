"""Restoring a backup: all of it in one transaction, or nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec
from sqlalchemy import Connection

from codeintel.operations.backups import databases, schema
from codeintel.operations.backups.archive import ArchiveReader
from codeintel.operations.backups.errors import BackupError, ForeignFileError
from codeintel.operations.backups.manifest import Manifest
from codeintel.operations.backups.pepper import installed, pepper_to_install
from codeintel.operations.backups.rows import store_lines
from codeintel.operations.backups.settling import Settled, settle
from codeintel.platform.config import Settings
from codeintel.platform.db.migrate import revisions
from codeintel.platform.db.models import now_ms


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What was done. `aside` is the copy of the database that was there, where one was made."""

    manifest: Manifest
    revision: str
    settled: Settled
    aside: Path | None


def restore(
    settings: Settings, file: Path, *, replace: bool = False, revoke_keys: bool = False
) -> Restored:
    """Put a backup into the database of the settings.

    :param replace: also where the database is not empty: what is there is lost, but for a copy of
        SQLite's file.
    :param revoke_keys: give up all API keys, so that the pepper need not be that of the backup.
    :raises BackupError: and nothing was changed: for a file that is no whole backup, one of a newer
        version, a database that is not empty or in use, a pepper that is not to be had.
    """
    with ArchiveReader(file) as archive:
        _refuse_newer(archive.manifest)
        archive.check()
        pepper = "" if revoke_keys else pepper_to_install(archive, settings)
        with databases.replacing(settings) as connection:
            is_empty = schema.is_empty(connection)
            _refuse_full(connection, is_empty=is_empty, replace=replace)
            aside = None if is_empty else _set_aside(settings)
            try:
                schema.drop_all(connection)
                _fill(connection, archive)
                schema.upgrade(connection, "head")
                settled = settle(connection, archive.manifest, revoke_keys=revoke_keys)
                databases.check_references(connection)
            except BaseException:
                if aside is not None:  # what it is a copy of is still there
                    aside.unlink()
                raise
            with installed(pepper, settings):
                connection.commit()
    return Restored(
        manifest=archive.manifest, revision=revisions()[-1], settled=settled, aside=aside
    )


def _refuse_newer(manifest: Manifest) -> None:
    if manifest.revision not in revisions():
        raise BackupError(
            f"This backup has revision {manifest.revision}, which this version does not know: it "
            f"was made by codeintel {manifest.product}. Upgrade codeintel. Nothing was changed."
        )


def _refuse_full(connection: Connection, *, is_empty: bool, replace: bool) -> None:
    revision = schema.revision_of(connection)
    if revision is not None and revision not in revisions():
        raise BackupError(
            f"The database has revision {revision}, which this version does not know: a newer "
            "codeintel has used it. Restore into an empty database. Nothing was changed."
        )
    if not is_empty and not replace:
        raise BackupError(
            "The database is not empty: restore into a new one, or give up what it has with "
            "--replace. Nothing was changed."
        )


def _set_aside(settings: Settings) -> Path | None:
    file = settings.sqlite_file
    return databases.set_aside(file, f"before-restore-{now_ms()}") if file is not None else None


def _fill(connection: Connection, archive: ArchiveReader) -> None:
    """Make the tables of the backup's revision, and store its rows."""
    schema.upgrade(connection, archive.manifest.revision)
    parts = {part.name: part for part in archive.manifest.tables}
    tables = [each for each in schema.tables_of(connection) if each.name != schema.VERSION_TABLE]
    if set(parts) != {table.name for table in tables}:
        raise ForeignFileError("its tables are not those of its revision")
    for table in tables:
        part = parts[table.name]
        store_lines(connection, table, part, archive.lines(part.path, part))
    schema.restart_counters(connection)
