"""Files below one folder, read and written so that nothing outside is ever touched.

A path is followed folder by folder, each opened from the one before and never through a symbolic
link: whoever names the path, or changes the folder meanwhile, cannot lead out of it."""

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
"""Those that the library unpacks no further than it is asked to; the service uses no other."""
_BAD = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
"""What the library raises for archives that are broken or made to do harm."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1024 * 1024
_IN_THE_WAY = frozenset(
    {errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENOTDIR, errno.ENOTEMPTY, errno.ENXIO}
)
"""What the system says where something else stands than is looked for; the rest it says of itself,
such as that the disk is full."""
TEMPORARY = re.compile(r"\.codeintel-[0-9a-f]{16}\.tmp")
"""Names of files that are being written."""


class BadContent(Exception):  # noqa: N818 - says what happened
    """The service sent another file than it had listed."""


def unpacked(data: bytes) -> dict[str, bytes]:
    """All files of an archive by the SHA-256 of their bytes, whatever the archive calls them. Never
    more than a workspace may have.

    :raises BadContent: if it cannot be read, or is too large.
    """
    found: dict[str, bytes] = {}
    left = MAX_TOTAL_BYTES + MAX_FILE_BYTES  # the bridge file is in it, too
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.filelist) > 2 * MAX_FILES:
                raise BadContent("The service sent an archive of more files than it had listed.")
            for info in archive.filelist:
                if info.compress_type not in _METHODS:
                    raise BadContent("The service sent an archive that cannot be read.")
                with archive.open(info) as stream:
                    content = stream.read(min(left, MAX_FILE_BYTES) + 1)
                left -= len(content)
                if left < 0:
                    raise BadContent("The service sent an archive that is far too large.")
                found[hashlib.sha256(content).hexdigest()] = content
    except _BAD:
        raise BadContent("The service sent an archive that cannot be read.") from None
    return found


class Blocked(Exception):  # noqa: N818 - says what happened
    """A path cannot be read or written; the text says what is in the way."""


class TooLarge(Blocked):
    """A file has more bytes than are wanted."""


class Found(NamedTuple):
    """A file: the SHA-256 of its bytes in hexadecimal, and its permissions."""

    sha256: str
    mode: int


class Disk:
    """One folder. Paths begin with `/`, which stands for it.

    :param root: the folder itself, which must be there.
    :raises OSError: if it cannot be opened.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._root)

    def look(self, path: str) -> Found | None:
        """What stands at a path; None for nothing.

        :raises Blocked: for a link, a folder, and below what is no folder.
        """
        with self._opened(path) as descriptor:
            if descriptor is None:
                return None
            digest = hashlib.sha256()
            while piece := os.read(descriptor, _CHUNK):
                digest.update(piece)
            return Found(digest.hexdigest(), os.fstat(descriptor).st_mode & 0o777)

    def read(self, path: str, most: int) -> bytes | None:
        """The bytes of a file; None if there is none.

        :raises Blocked: as :meth:`look`; `TooLarge` for more bytes than `most`.
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
        """Put bytes into a file, all or nothing. Its permissions stay; a new one, for which folders
        are made, is never executable.

        :raises Blocked: as :meth:`look`, and if the system refuses.
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
        """Delete a file, and the folders above it that are empty then.

        :raises Blocked: as :meth:`look`, and if the system refuses.
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
        """Whether a symbolic link stands at a path itself; one on the way to it does not count."""
        try:
            with self._parent(path) as (folder, name):
                mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        except Blocked:
            return False
        return stat.S_ISLNK(mode)

    def move_link(self, path: str, to: str) -> None:
        """Move a symbolic link itself, never what it leads to, where nothing stands yet.

        :raises Blocked: if it cannot be moved, or is none any more.
        """
        if self.look(to) is not None:
            raise Blocked(f"{to} is in the way")
        with self._parent(to, make=True) as (there, new), self._parent(path) as (folder, name):
            target = os.readlink(name, dir_fd=folder)
            os.symlink(target, new, dir_fd=there)
            os.unlink(name, dir_fd=folder)

    @contextmanager
    def _opened(self, path: str) -> Iterator[int | None]:
        """A file open for reading; None if there is none."""
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
        """The folder of a path, open, and the name in it. What the system refuses is `Blocked`."""
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
    """The components of a path. The service's were checked before; this is what all rests on."""
    first, *parts = path.split("/")
    if first or not parts or any(part in {"", ".", ".."} or "\0" in part for part in parts):
        raise Blocked("its path leads elsewhere")
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
    return "a file" if stat.S_ISREG(mode) else "something that is no file"
