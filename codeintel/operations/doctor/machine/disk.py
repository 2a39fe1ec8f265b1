"""Room on the disk, and for how long it lasts."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import func, select, text

from codeintel.base.text.quantities import lasting, size
from codeintel.operations.doctor.connecting import sqlite_path
from codeintel.operations.doctor.machine.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, skipped, warning
from codeintel.platform.db.models import Account

SPACE, SYSTEM, GROWTH = "disk.space", "disk.file_system", "disk.growth"
LITTLE_BYTES, LITTLE = 1024**3, 0.05
HARDLY_ANY_BYTES = 200 * 1024**2
FEW_FILES = 0.02
DAY = 86_400.0
MIN_DAYS = 3.0
"""A database that is younger says little of how it will grow."""
SOON_DAYS = 30.0
NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.glusterfs", "ceph"})


def look_at_disk(installation: Installation) -> Iterator[Finding]:
    """The disk of an SQLite database, else that of the instance folder; or of where the folder
    would be made."""
    path = sqlite_path(installation.settings)
    folder = _existing(path.parent if path is not None else installation.settings.instance)
    free = shutil.disk_usage(folder).free
    yield _space(folder)
    if path is not None:
        yield _file_system(folder)
    yield _growth(installation, free)


def _existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


def _space(folder: Path) -> Finding:
    usage, files = shutil.disk_usage(folder), os.statvfs(folder)
    told = f"{size(usage.free)} of {size(usage.total)} are free at {folder}."
    fix = "Make room: old `*.bak` copies beside the database, logs, or a larger disk."
    if usage.free < HARDLY_ANY_BYTES:
        return error(SPACE, told, fix)
    if files.f_files and files.f_favail < FEW_FILES * files.f_files:
        return warning(SPACE, f"{told} But hardly any more files can be made there.", fix)
    if usage.free < LITTLE_BYTES or usage.free < LITTLE * usage.total:
        return warning(SPACE, told, fix)
    return ok(SPACE, told)


def _file_system(folder: Path) -> Finding:
    kind = _kind_of(folder, Path("/proc/mounts").read_text())
    if kind in NETWORK:
        return error(
            SYSTEM,
            f"{folder} is on a network drive ({kind}), where SQLite's locks and shared memory "
            "cannot be relied upon.",
            "Move the database to a disk of this machine, or use PostgreSQL.",
        )
    return ok(SYSTEM, f"{kind or 'Unknown'}.")


def _kind_of(folder: Path, mounts: str) -> str:
    """The kind of file system that a folder is on.

    :param mounts: as `/proc/mounts` has them; of two at one place the later one counts.
    """
    best, kind = -1, ""
    for line in mounts.splitlines():
        parts = line.split()
        if len(parts) < 3:
            continue
        place = parts[1].replace("\\040", " ")
        if folder.resolve().is_relative_to(place) and len(place) >= best:
            best, kind = len(place), parts[2]
    return kind


def _growth(installation: Installation, free: int) -> Finding:
    """How fast the database has grown on average, and how long the room lasts at that."""
    path = sqlite_path(installation.settings)
    with installation.connection() as connection:
        if path is not None:
            bytes_ = sum(
                each.stat().st_size for each in (path, Path(f"{path}-wal")) if each.exists()
            )
        else:
            bytes_ = connection.scalar(text("SELECT pg_database_size(current_database())")) or 0
        since = connection.scalar(select(func.min(Account.created_ms)))
    days = (time.time() - since / 1000) / DAY if since else 0.0
    if days < MIN_DAYS:
        return skipped(GROWTH, f"The database has {size(bytes_)}, and is new.")
    told = f"The database has {size(bytes_)} after {lasting(days * DAY)}."
    left = free / (bytes_ / days) if bytes_ else float("inf")
    if path is not None and left < SOON_DAYS:
        return warning(
            GROWTH,
            f"{told} At that rate the disk is full in {left:.0f} days.",
            "Have a larger disk, or keep runs for less time with CODEINTEL_RUN_RETENTION.",
        )
    return ok(GROWTH, told)
