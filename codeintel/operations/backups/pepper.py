"""Which pepper the API keys of a backup need, and how it gets there."""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from codeintel.operations.backups.archive import ArchiveReader
from codeintel.operations.backups.errors import BackupError
from codeintel.operations.backups.saving import pepper_in_use
from codeintel.platform.config import Settings
from codeintel.platform.db.migrate import PEPPER_FACT, pepper_fingerprint
from codeintel.platform.db.models import now_ms

NEEDED = (
    "The API keys in this backup are stored under another key pepper than this instance's. Put the "
    "former one into the file `key_pepper` of the instance folder or into CODEINTEL_KEY_PEPPER, "
    "restore a backup that was made --with-secrets, or give the keys up with --revoke-keys. "
    "Nothing was changed."
)
NOT_SET = (
    "CODEINTEL_KEY_PEPPER is not the pepper of this backup. Processes that share a PostgreSQL "
    "database have it from their settings: set it to the one in the backup's file secrets.json "
    "(`unzip -p BACKUP secrets.json`), or give the API keys up with --revoke-keys. "
    "Nothing was changed."
)
SET_TO_ANOTHER = (
    "CODEINTEL_KEY_PEPPER is set to another pepper than that of this backup: take it out of the "
    "settings, and the backup's is put into the instance folder; or give the API keys up with "
    "--revoke-keys. Nothing was changed."
)


def pepper_to_install(archive: ArchiveReader, settings: Settings) -> str:
    """The pepper of the backup if it has to be installed; empty if the instance's is the right one.

    :raises BackupError: if the right one is not to be had.
    """
    fingerprint = _fingerprint(archive)
    if fingerprint is None or _fits(pepper_in_use(settings), fingerprint):
        return ""
    secrets = archive.secrets()
    if secrets is None or not _fits(secrets.key_pepper, fingerprint):
        raise BackupError(NEEDED)
    if not settings.database.startswith("sqlite"):
        raise BackupError(NOT_SET)
    if settings.key_pepper:
        raise BackupError(SET_TO_ANOTHER)
    return secrets.key_pepper


@contextmanager
def installed(pepper: str, settings: Settings) -> Iterator[None]:
    """Put a pepper into the instance folder; one that is there is kept under another name. Where
    the block raises, all is as it was."""
    if not pepper:
        yield
        return
    file = settings.instance / "key_pepper"
    aside = file.with_name(f"key_pepper.before-restore-{now_ms()}") if file.exists() else None
    if aside is not None:
        file.rename(aside)
    try:
        _write(file, pepper)
        yield
    except BaseException:
        file.unlink(missing_ok=True)
        if aside is not None:
            aside.rename(file)
        raise


def _write(file: Path, pepper: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(pepper)
        stream.flush()
        os.fsync(stream.fileno())


def _fits(pepper: str, fingerprint: str) -> bool:
    return bool(pepper) and hmac.compare_digest(pepper_fingerprint(pepper.encode()), fingerprint)


def _fingerprint(archive: ArchiveReader) -> str | None:
    """What the backed up database says of its pepper."""
    for part in archive.manifest.tables:
        if part.name == "facts":
            rows: list[dict[str, Any]] = [
                dict(zip(part.columns, msgspec.json.decode(line, type=list[Any]), strict=True))
                for line in archive.lines(part.path, part)
            ]
            found = (row["value"] for row in rows if row["name"] == PEPPER_FACT)
            return next(found, None)
    return None
