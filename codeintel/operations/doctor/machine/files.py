"""The instance folder: whether it is there, who may read its secrets, who may change its code."""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path

from codeintel.operations.doctor.connecting import sqlite_path
from codeintel.operations.doctor.machine.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, or_ok, warning

FOLDER, SECRETS, CODE, OWNERS = "files.folder", "files.secrets", "files.code", "files.owners"
OTHERS = stat.S_IRWXG | stat.S_IRWXO
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
MIN_PEPPER = 32


def look_at_folder(installation: Installation) -> Iterator[Finding]:
    """The folder and all that is directly in it, and in `plugins`."""
    folder = installation.settings.instance
    if not folder.is_dir():
        yield _no_folder(folder)
        return
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield error(
            FOLDER,
            f"{folder} cannot be read and written by {_name(os.geteuid())}.",
            "Run this as the user of the service, or give the folder to it with `chown`.",
        )
        return
    yield ok(FOLDER, f"{folder}")
    files = [each for each in folder.iterdir() if each.is_file() or each.is_symlink()]
    yield from or_ok(
        [*_open_secrets(installation, files), *_bad_pepper(folder / "key_pepper")],
        SECRETS,
        "Nobody else can read them.",
    )
    yield from or_ok(_open_code(folder), CODE, "Nobody else can change what the service runs.")
    yield from _owners(folder, files)


def _no_folder(folder: Path) -> Finding:
    if folder.exists():
        return error(
            FOLDER, f"{folder} is no folder.", "Set CODEINTEL_INSTANCE to a folder, or remove it."
        )
    return warning(
        FOLDER,
        f"There is no instance folder {folder}: nothing was started here yet.",
        "Go to the folder in which you start `codeintel serve`, set CODEINTEL_INSTANCE, or start "
        "it: that makes one.",
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
            f"Others on this machine can read or write {', '.join(open_)}.",
            f"chmod go= {' '.join(open_)}",
        )


def _is_secret(path: Path, database: Path | None) -> bool:
    """Whether a file has a secret in it, or what people have stored."""
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
            f"{path} has {size} bytes, and should have {MIN_PEPPER} or more.",
            "Restore it from a backup. Without API keys in the database, remove it: a new one is "
            "made at the next start.",
        )


def _open_code(folder: Path) -> Iterator[Finding]:
    """What others can change and the service runs or reads as its settings."""
    paths = [folder, folder / "codeintel.cfg", folder / "plugins"]
    paths += (folder / "plugins").glob("*.py")
    open_ = [str(each) for each in paths if each.exists() and _mode(each) & OTHERS_WRITE]
    if open_:
        yield error(
            CODE,
            f"Others on this machine can change {', '.join(open_)}, which the service runs.",
            f"chmod go-w {' '.join(open_)}",
        )


def _owners(folder: Path, files: list[Path]) -> Iterator[Finding]:
    owner = folder.stat().st_uid
    foreign = sorted(each.name for each in files if each.lstat().st_uid != owner)
    if foreign:
        yield warning(
            OWNERS,
            f"{', '.join(foreign)} in {folder} do not belong to {_name(owner)}, who has the "
            "folder: maybe a command was run as another user.",
            f"chown -R {_name(owner)} {folder}, and run commands as that user.",
        )
    else:
        yield ok(OWNERS, f"All belongs to {_name(owner)}.")


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
