"""Read the files of a revision a few megabytes at a time: as texts, and as a zip file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from codeintel.base.greenlets import give_way
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.workspaces.records import in_groups
from codeintel.workspaces.service import Workspaces

_MODE = 0o100644 << 16
_UNIX = 3

Read = Callable[[Collection[str]], Mapping[str, bytes]]
"""Returns contents by digest."""


class Outbox(io.RawIOBase):
    """A write-only target of the zip file."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        self._pieces.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        """Return the bytes that were written since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def zip_pieces(
    files: Iterable[FileEntry], read: Read, moment: datetime, more: Mapping[str, bytes]
) -> Iterator[bytes]:
    """Yield the bytes of a zip file, which are the same for the same arguments.

    Names are the paths without the leading slash, so all files are unpacked below the target
    folder.

    :param moment: the modification time of all files in the zip file.
    :param more: contents of further files by path.
    """
    outbox = Outbox()
    with zipfile.ZipFile(outbox, "w") as archive:
        for path, data in more.items():
            _add(archive, path, data, moment)
        for some in in_groups(files):
            contents = read([entry.sha256 for entry in some])
            for entry in some:
                _add(archive, entry.path, contents[entry.sha256], moment)
                yield outbox.taken()
                give_way()
    yield outbox.taken()


def _add(archive: zipfile.ZipFile, path: str, data: bytes, moment: datetime) -> None:
    info = zipfile.ZipInfo(path.lstrip("/"), moment.timetuple()[:6])
    info.create_system = _UNIX
    info.external_attr = _MODE
    archive.writestr(info, data, zipfile.ZIP_DEFLATED, 1)


class Texts(Mapping[str, str]):
    """Texts by path, without a cache. Each access lets other greenlets run for a moment."""

    def __init__(
        self, workspaces: Workspaces, account_id: str, entries: Iterable[FileEntry]
    ) -> None:
        self._workspaces = workspaces
        self._account_id = account_id
        self._entries = {entry.path: entry for entry in entries}

    def __getitem__(self, path: str) -> str:
        ((_, text),) = self.of([self._entries[path]])
        return text

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def size(self, path: str) -> int:
        """Return the size of a file in bytes, without reading it."""
        return self._entries[path].size

    def all(self) -> Iterator[tuple[str, str]]:
        """Yield all paths with their texts, sorted by path."""
        yield from self.of([self._entries[path] for path in sorted(self._entries)])

    def of(self, entries: Sequence[FileEntry]) -> Iterator[tuple[str, str]]:
        """Yield some files' paths with their texts, read in parts of a limited size.

        Deleted contents are skipped.
        """
        for some in in_groups(entries):
            digests = {entry.sha256 for entry in some}
            found = self._workspaces.contents(self._account_id, digests)
            for entry in some:
                give_way()
                if entry.sha256 in found:
                    yield entry.path, found[entry.sha256].decode("utf-8", "replace")
