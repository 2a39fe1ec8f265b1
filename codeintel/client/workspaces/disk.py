"""Read and write files below one folder, without ever touching files outside.

Each folder of a path is opened relative to its parent and without following symbolic links. Neither
the path nor a concurrent change of the folder can lead out of it.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import secrets
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from codeintel.contracts.workspaces.records import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES

MAX_ARCHIVE_BYTES = 32 * 1024 * 1024
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Methods for which the library limits the unpacked size. The service uses no other."""
_BAD = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
"""Exceptions of the library for broken or malicious archives."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1024 * 1024
_IN_THE_WAY = frozenset(
    {errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENOTDIR, errno.ENOTEMPTY, errno.ENXIO}
)
"""Errors of the system for an unexpected kind of file. The system describes all others itself, such
as a full disk.
"""
TEMPORARY = re.compile(r"\.codeintel-[0-9a-f]{16}\.tmp")
"""The names of temporary files."""


class BadContent(Exception):  # noqa: N818 - says what happened
    """The service sent a different file than it listed."""


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return all files of an archive by their SHA-256 digests, regardless of their names. Never
    return more than a workspace may have.

    :raises BadContent: if the archive cannot be read, or is too large.
    """
    found: dict[str, bytes] = {}
    left = MAX_TOTAL_BYTES + MAX_FILE_BYTES  # the bridge file is in it, too
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.filelist) > 2 * MAX_FILES:
                raise BadContent("The service sent an archive with more files than it listed.")
            for info in archive.filelist:
                if info.compress_type not in _METHODS:
                    raise BadContent("The service sent an invalid archive.")
                with archive.open(info) as stream:
                    content = stream.read(min(left, MAX_FILE_BYTES) + 1)
                left -= len(content)
                if left < 0:
                    raise BadContent("The service sent an archive that exceeds the size limit.")
                found[hashlib.sha256(content).hexdigest()] = content
    except _BAD:
        raise BadContent("The service sent an invalid archive.") from None
    return found


class Blocked(Exception):  # noqa: N818 - says what happened
    """A path cannot be read or written. The text names the obstacle."""


class TooLarge(Blocked):
    """A file exceeds the size limit."""


class Found(NamedTuple):
    """A file: the SHA-256 of its bytes in hexadecimal, and its permissions."""

    sha256: str
    mode: int


class Disk:
    """A folder on the disk. Paths begin with `/`, which is the folder itself.

    :param root: the folder, which must exist.
    :raises OSError: if the folder cannot be opened.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._root)

    def look(self, path: str) -> Found | None:
        """Return digest and permissions of the file at a path, or None.

        :raises Blocked: for a link, a folder, or a path below a file.
        """
        with self._opened(path) as descriptor:
            if descriptor is None:
                return None
            digest = hashlib.sha256()
            while piece := os.read(descriptor, _CHUNK):
                digest.update(piece)
            return Found(digest.hexdigest(), os.fstat(descriptor).st_mode & 0o777)

    def read(self, path: str, most: int) -> bytes | None:
        """Return the bytes of a file, or None if it does not exist.

        :raises Blocked: as :meth:`look`. `TooLarge` for more bytes than `most`.
        """
        with self._opened(path) as descriptor:
            if descriptor is None:
                return None
            data = bytearray()
            while piece := os.read(descriptor, _CHUNK):
                data += piece
                if len(data) > most:
                    raise TooLarge(f"it has more than {most:,} bytes")
            return bytes(data)

    def write(self, path: str, data: bytes) -> None:
        """Write a file, completely or not at all. Keep its permissions. A new file gets missing
        folders and is never executable.

        :raises Blocked: as :meth:`look`, and for errors of the system.
        """
        found = self.look(path)
        with self._parent(path, make=True) as (folder, name):
            temporary = f".codeintel-{secrets.token_hex(8)}.tmp"
            descriptor = os.open(temporary, _NEW, 0o666, dir_fd=folder)
            try:
                with os.fdopen(descriptor, "wb") as stream:
                    stream.write(data)
                    if found is not None:
                        os.fchmod(descriptor, found.mode)
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=folder)
                raise

    def delete(self, path: str) -> None:
        """Delete a file, and parent folders that become empty.

        :raises Blocked: as :meth:`look`, and for errors of the system.
        """
        if self.look(path) is not None:
            with self._parent(path) as (folder, name):
                os.unlink(name, dir_fd=folder)
        above = path.rpartition("/")[0]
        while above:
            try:
                with self._parent(above) as (folder, name):
                    os.rmdir(name, dir_fd=folder)
            except Blocked:
                return  # not empty
            above = above.rpartition("/")[0]

    def is_link(self, path: str) -> bool:
        """Return whether a path is a symbolic link itself. A link in its folders does not count."""
        try:
            with self._parent(path) as (folder, name):
                mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        except Blocked:
            return False
        return stat.S_ISLNK(mode)

    def move_link(self, path: str, to: str) -> None:
        """Move a symbolic link itself, without its target, to a free path.

        :raises Blocked: if it cannot be moved, or is no longer a link.
        """
        if self.look(to) is not None:
            raise Blocked(f"{to} is in the way")
        with self._parent(to, make=True) as (there, new), self._parent(path) as (folder, name):
            target = os.readlink(name, dir_fd=folder)
            os.symlink(target, new, dir_fd=there)
            os.unlink(name, dir_fd=folder)

    @contextmanager
    def _opened(self, path: str) -> Iterator[int | None]:
        """Open a file for reading. Yield None if it does not exist."""
        try:
            with self._parent(path) as (folder, name):
                descriptor = os.open(name, _READ, dir_fd=folder)
        except Blocked as blocked:
            if isinstance(blocked.__cause__, FileNotFoundError):
                yield None
                return
            raise
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Blocked(f"{_kind(os.fstat(descriptor).st_mode)} is in the way")
            yield descriptor
        except OSError as error:
            raise Blocked(error.strerror or "it cannot be read") from error
        finally:
            os.close(descriptor)

    @contextmanager
    def _parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """Open the folder of a path, and yield it with the file's name. Errors of the system become
        `Blocked`.
        """
        *folders, last = _parts(path)
        descriptor = os.dup(self._root)
        try:
            for name in folders:
                inner = self._step(descriptor, name, make=make)
                os.close(descriptor)
                descriptor = inner
            try:
                yield descriptor, last
            except OSError as error:
                raise Blocked(_why(descriptor, last, error)) from error
        finally:
            os.close(descriptor)

    def _step(self, folder: int, name: str, *, make: bool) -> int:
        try:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=folder)
            return os.open(name, _FOLDER, dir_fd=folder)
        except OSError as error:
            raise Blocked(_why(folder, name, error)) from error


def _parts(path: str) -> list[str]:
    """Split a path into its components. All access relies on this check, though the service's paths
    are checked before.
    """
    first, *parts = path.split("/")
    if first or not parts or any(part in {"", ".", ".."} or "\0" in part for part in parts):
        raise Blocked("its path leads out of the folder")
    return parts


def _why(folder: int, name: str, error: OSError) -> str:
    if error.errno in _IN_THE_WAY:
        with suppress(OSError, ValueError):
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            return f"{_kind(mode)} is in the way"
    return error.strerror or "the system refuses"


def _kind(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a file" if stat.S_ISREG(mode) else "a special file"
