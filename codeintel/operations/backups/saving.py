"""Create a backup."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import msgspec
from sqlalchemy import Connection, Table

from codeintel.base.version import __version__
from codeintel.operations.backups import content, databases
from codeintel.operations.backups.archive import (
    FORMAT,
    SECRETS,
    VERSION,
    ArchiveWriter,
    BackupError,
    Manifest,
    Part,
    Secrets,
    TablePart,
    table_path,
)
from codeintel.operations.backups.content import row_lines
from codeintel.platform.config import Settings
from codeintel.platform.db.migrate import revisions
from codeintel.platform.db.models import now_ms

_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS}
"""The errors of file systems without hard links, such as FAT and some network shares."""


def save(settings: Settings, target: Path, *, with_secrets: bool = False) -> Manifest:
    """Write a backup of a snapshot of the whole database. The service may continue to run.

    The file is readable by its owner only, and is complete or does not exist.

    :param with_secrets: also save the key pepper.
    :raises BackupError: if the file exists, or if the database is missing or of an unknown version.
    """
    if target.exists():
        raise BackupError(f"The file {target} already exists. Choose another name.")
    if not target.parent.is_dir():
        raise BackupError(f"The folder {target.parent} does not exist.")
    draft = target.with_name(f".{target.name}.{token_hex(4)}.part")
    databases.sweep(target.parent)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with databases.reading(settings, target) as connection:
            manifest = _write(connection, draft, _secrets(settings) if with_secrets else None)
        _keep(draft)
        _name(draft, target)
    except FileExistsError:
        raise BackupError(f"The file {target} already exists. Choose another name.") from None
    finally:
        draft.unlink(missing_ok=True)
        os.close(descriptor)
    return manifest


def pepper_in_use(settings: Settings) -> str:
    """Return the key pepper of the settings or the instance folder, or an empty text."""
    file = settings.instance / "key_pepper"
    return settings.key_pepper or (file.read_text().strip() if file.exists() else "")


def _write(connection: Connection, draft: Path, secrets: Secrets | None) -> Manifest:
    revision = content.revision_of(connection)
    if revision is None:
        raise BackupError("The database is empty.")
    if revision not in revisions():
        raise BackupError(
            f"The database has the unknown revision {revision}, because a newer codeintel has used "
            "it. Create the backup with that version."
        )
    archive = ArchiveWriter(draft)
    parts = [
        _add(archive, connection, table)
        for table in content.tables_of(connection)
        if table.name != content.VERSION_TABLE
    ]
    packed = None if secrets is None else archive.add(SECRETS, [msgspec.json.encode(secrets)])
    manifest = Manifest(
        format=FORMAT,
        version=VERSION,
        product=__version__,
        revision=revision,
        database=connection.dialect.name,
        made_ms=now_ms(),
        tables=tuple(parts),
        secrets=packed,
    )
    archive.finish(manifest)
    return manifest


def _add(archive: ArchiveWriter, connection: Connection, table: Table) -> TablePart:
    rows = 0

    def lines() -> Iterator[bytes]:
        nonlocal rows
        for line in row_lines(connection, table):
            rows += 1
            yield line

    written: Part = archive.add(table_path(table.name), lines())
    return TablePart(
        name=str(table.name),  # what reflection found is more than a text
        columns=tuple(map(str, table.columns.keys())),
        rows=rows,
        sha256=written.sha256,
        bytes=written.bytes,
    )


def _secrets(settings: Settings) -> Secrets:
    pepper = pepper_in_use(settings)
    if not pepper:
        raise BackupError("There is no key pepper yet. Omit --with-secrets.")
    return Secrets(key_pepper=pepper)


def _name(draft: Path, target: Path) -> None:
    """Rename the draft without replacing an existing file.

    :raises FileExistsError: if the file exists.
    """
    try:
        os.link(draft, target)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # reserve the name with an empty file, so that no other file is replaced
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            draft.replace(target)
        except BaseException:
            target.unlink()
            raise


def _keep(file: Path) -> None:
    """Flush a file to disk before it gets its name."""
    with file.open("rb") as stream:
        os.fsync(stream.fileno())
