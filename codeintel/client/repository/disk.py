"""Files below a root on the disk. No symbolic link below the root is followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
_NO_NAMES = frozenset({"", ".", "..", ".git"})


class Kind(Enum):
    """The kind of file at a path."""

    FILE = "file"
    LINK = "a symbolic link"
    SUBMODULE = "a submodule, or another repository"
    SPECIAL = "not a regular file"
    ABSENT = "not checked out"
    VENDORED = "others' code, vendored"
    UNREADABLE = "the folder cannot be read"
    TOO_DEEP = "the path is too long"
    INVALID = "the path is not valid"


def is_plain(path: str) -> bool:
    """Return whether a path leads to something below its root, and not into the Git folder.

    An index or a commit can be written to have other names.
    """
    return _NO_NAMES.isdisjoint(path.lower().split("/"))


def kind_of(root: Path, path: str) -> Kind | None:
    """Return what is at a path, or None if nothing is there, it is a folder, or below a link.

    It is unreadable if the permission for its folder is missing. After another error, such as one
    of the disk, it counts as a file, because reading it tells that it cannot be read.
    """
    try:
        with _folder_of(root, path) as (folder, name):
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except PermissionError:
        return Kind.UNREADABLE
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError:
        return Kind.FILE
    if stat.S_ISDIR(mode):
        return None
    if stat.S_ISLNK(mode):
        return Kind.LINK
    return Kind.FILE if stat.S_ISREG(mode) else Kind.SPECIAL


def is_there(path: Path) -> bool:
    """Return whether anything is at a path. Without permission to check, it counts as present."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def read_file(root: Path, path: str, limit: int) -> bytes | None:
    """Return the bytes of a regular file, at most one more than the limit, or None."""
    try:
        with _folder_of(root, path) as (folder, name):
            descriptor = os.open(name, _READ, dir_fd=folder)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            return stream.read(limit + 1)
        except OSError:
            return None


@contextmanager
def _folder_of(root: Path, path: str) -> Iterator[tuple[int, str]]:
    """Open the folder of a path. Yield it with the last name of the path.

    :raises OSError: if it cannot be opened. A link in the path is no directory.
    """
    *folders, name = path.split("/")
    at = os.open(root, _FOLDER)
    try:
        for folder in folders:
            inner = os.open(folder, _FOLDER | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = inner
        yield at, name
    finally:
        os.close(at)
