"""Check the instance folder: its permissions and its disk space."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import func, select, text

from codeintel.base.wording import lasting, size
from codeintel.operations.doctor.connecting import sqlite_path
from codeintel.operations.doctor.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, or_ok, skipped, warning
from codeintel.platform.db.models import Account

FOLDER, SECRETS, CODE, OWNERS = "files.folder", "files.secrets", "files.code", "files.owners"
OTHERS = stat.S_IRWXG | stat.S_IRWXO
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
MIN_PEPPER = 32


def look_at_folder(installation: Installation) -> Iterator[Finding]:
    """Check the folder, its direct content and its `plugins` folder."""
    folder = installation.settings.instance
    if not folder.is_dir():
        yield _no_folder(folder)
        return
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield error(
            FOLDER,
            f"{_name(os.geteuid())} cannot read and write {folder}.",
            "Run this command as the service's user, or change the folder's owner with `chown`.",
        )
        return
    yield ok(FOLDER, f"{folder}")
    files = [each for each in folder.iterdir() if each.is_file() or each.is_symlink()]
    yield from or_ok(
        [*_open_secrets(installation, files), *_bad_pepper(folder / "key_pepper")],
        SECRETS,
        "Other users cannot read them.",
    )
    yield from or_ok(_open_code(folder), CODE, "Other users cannot change the service's code.")
    yield from _owners(folder, files)


def _no_folder(folder: Path) -> Finding:
    if folder.exists():
        return error(
            FOLDER,
            f"{folder} is not a folder.",
            "Set CODEINTEL_INSTANCE to a folder, or remove the setting.",
        )
    return warning(
        FOLDER,
        f"The instance folder {folder} does not exist, because the service was not started here "
        "yet.",
        "Go to the folder in which you start `codeintel serve`, set CODEINTEL_INSTANCE, or start "
        "the service to create the folder.",
    )


def _open_secrets(installation: Installation, files: list[Path]) -> Iterator[Finding]:
    database = sqlite_path(installation.settings)
    if database is not None and database.parent != installation.settings.instance:
        files = [*files, *database.parent.glob(f"{database.name}*")]
    open_ = sorted(
        str(each) for each in files if _is_secret(each, database) and _mode(each) & OTHERS
    )
    if open_:
        yield error(
            SECRETS,
            f"Other users on this machine can read or write {', '.join(open_)}.",
            f"chmod go= {' '.join(open_)}",
        )


def _is_secret(path: Path, database: Path | None) -> bool:
    """Return whether a file holds a secret or the data of users."""
    is_data = database is not None and path.name.startswith(database.name)
    # `.serve-lock` is empty.
    return path.name in {"key_pepper", "codeintel.cfg"} or (
        is_data and not path.name.endswith("-lock")
    )


def _bad_pepper(path: Path) -> Iterator[Finding]:
    try:
        size = path.stat().st_size
    except OSError:
        return
    if size < MIN_PEPPER:
        yield error(
            SECRETS,
            f"{path} has {size} bytes, but needs at least {MIN_PEPPER}.",
            "Restore it from a backup. If the database has no API keys, delete the file. The next "
            "start creates a new one.",
        )


def _open_code(folder: Path) -> Iterator[Finding]:
    """Report code and settings of the service that other users can change."""
    paths = [folder, folder / "codeintel.cfg", folder / "plugins"]
    paths += (folder / "plugins").glob("*.py")
    open_ = [str(each) for each in paths if each.exists() and _mode(each) & OTHERS_WRITE]
    if open_:
        yield error(
            CODE,
            f"Other users on this machine can change {', '.join(open_)}, which the service runs.",
            f"chmod go-w {' '.join(open_)}",
        )


def _owners(folder: Path, files: list[Path]) -> Iterator[Finding]:
    owner = folder.stat().st_uid
    foreign = sorted(each.name for each in files if each.lstat().st_uid != owner)
    if foreign:
        yield warning(
            OWNERS,
            f"{', '.join(foreign)} in {folder} do not belong to the folder's owner, "
            f"{_name(owner)}. Maybe a command was run as another user.",
            f"chown -R {_name(owner)} {folder}, and run commands as that user.",
        )
    else:
        yield ok(OWNERS, f"All files belong to {_name(owner)}.")


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError:
        return 0


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


SPACE, SYSTEM, GROWTH = "disk.space", "disk.file_system", "disk.growth"
LITTLE_BYTES, LITTLE = 1024**3, 0.05
HARDLY_ANY_BYTES = 200 * 1024**2
FEW_FILES = 0.02
DAY = 86_400.0
MIN_DAYS = 3.0
"""The growth of a younger database is not meaningful."""
SOON_DAYS = 30.0
NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.glusterfs", "ceph"})


def look_at_disk(installation: Installation) -> Iterator[Finding]:
    """Check the disk of an SQLite database, or of the instance folder, even before that exists."""
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
    fix = (
        "Free some space: delete old `*.bak` copies of the database or logs, or use a larger disk."
    )
    if usage.free < HARDLY_ANY_BYTES:
        return error(SPACE, told, fix)
    if files.f_files and files.f_favail < FEW_FILES * files.f_files:
        return warning(SPACE, f"{told} But the file system has almost no free inodes.", fix)
    if usage.free < LITTLE_BYTES or usage.free < LITTLE * usage.total:
        return warning(SPACE, told, fix)
    return ok(SPACE, told)


def _file_system(folder: Path) -> Finding:
    kind = _kind_of(folder, Path("/proc/mounts").read_text())
    if kind in NETWORK:
        return error(
            SYSTEM,
            f"{folder} is on a network drive ({kind}), where SQLite's locks and shared memory are "
            "unreliable.",
            "Move the database to a local disk, or use PostgreSQL.",
        )
    return ok(SYSTEM, f"{kind or 'Unknown'}.")


def _kind_of(folder: Path, mounts: str) -> str:
    """Return the kind of a folder's file system.

    :param mounts: the content of `/proc/mounts`. A later entry overrides an earlier one.
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
    """Report the average growth of the database, and when the disk is full at that rate."""
    path = sqlite_path(installation.settings)
    with installation.connection() as connection:
        if path is not None:
            bytes_ = sum(
                each.stat().st_size for each in (path, Path(f"{path}-wal")) if each.exists()
            )
        else:
            bytes_ = connection.scalar(text("SELECT pg_database_size(current_database())")) or 0
        since = connection.scalar(select(func.min(Account.created_ms)))
    has = f"The database has {size(bytes_)}"
    if path is not None:
        has = f"The file and its write-ahead log have {size(bytes_)} together"
    days = (time.time() - since / 1000) / DAY if since else 0.0
    if days < MIN_DAYS:
        return skipped(GROWTH, f"{has}. The database is new.")
    told = f"{has} after {lasting(days * DAY)}."
    left = free / (bytes_ / days) if bytes_ else float("inf")
    if path is not None and left < SOON_DAYS:
        return warning(
            GROWTH,
            f"{told} At this rate, the disk will be full in {left:.0f} days.",
            "Use a larger disk, or keep runs for less time with CODEINTEL_RUN_RETENTION.",
        )
    return ok(GROWTH, told)
