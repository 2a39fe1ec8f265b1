"""The file of a backup: a zip archive that is written and read in pieces."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec


class BackupError(Exception):
    """A backup cannot be created or restored, and nothing was changed. The message gives the reason
    and the fix.
    """


class ForeignFileError(BackupError):
    """The file is not a backup, is truncated or was changed."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This is not a complete codeintel backup: {reason}. Nothing was changed.")


FORMAT = "codeintel backup"
VERSION = 1
MANIFEST = "manifest.json"
SECRETS = "secrets.json"


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file in the archive. `sha256` is the digest of its unpacked bytes."""

    sha256: str
    bytes: int


def table_path(name: str) -> str:
    """Return the name of a table's file in the archive."""
    return f"tables/{name}.jsonl"


class TablePart(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rows of a table, each a JSON list on a line. A list has the values of `columns` in order,
    with bytes in base64.
    """

    name: str
    columns: tuple[str, ...]
    rows: int

    @property
    def path(self) -> str:
        """The name in the archive."""
        return table_path(self.name)


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the archive. It is written last, so a truncated backup has no manifest."""

    format: str
    version: int
    product: str
    """The version of codeintel that created the backup."""
    revision: str
    """The revision of the schema, as in the migrations."""
    database: str
    """The source: `sqlite` or `postgresql`. It can be restored to either."""
    made_ms: int
    tables: tuple[TablePart, ...]
    secrets: Part | None = None


class Secrets(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The optional secrets of a backup."""

    key_pepper: str


MAX_MANIFEST_BYTES = 1024 * 1024
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


class ArchiveWriter:
    """Adds files to an archive."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=3)

    def add(self, name: str, pieces: Iterable[bytes]) -> Part:
        """Add a file and return its entry for the manifest."""
        digest, size = hashlib.sha256(), 0
        with self._zip.open(name, "w", force_zip64=True) as member:
            for piece in pieces:
                digest.update(piece)
                size += len(piece)
                member.write(piece)
        return Part(sha256=digest.hexdigest(), bytes=size)

    def finish(self, manifest: Manifest) -> None:
        """Add the manifest and close the archive."""
        self._zip.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
        self._zip.close()


class ArchiveReader:
    """Reads an archive.

    :raises ForeignFileError: if the file is not a backup. Methods raise it for a damaged one.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise ForeignFileError(f"the file {path} does not exist") from None
        except _BROKEN:
            raise ForeignFileError("it is not a zip archive, or is truncated") from None
        try:
            self.manifest = self._manifest()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    def check(self) -> None:
        """Read the whole archive once, and compare it with the manifest."""
        for table in self.manifest.tables:
            rows = sum(1 for _ in self.lines(table.path, table))
            if rows != table.rows:
                raise ForeignFileError(f"{table.path} has {rows} rows, not {table.rows}")
        self.secrets()

    def secrets(self) -> Secrets | None:
        """Return the packed secrets, or None."""
        part = self.manifest.secrets
        if part is None:
            return None
        data = b"".join(self.lines(SECRETS, part))
        try:
            return msgspec.json.decode(data, type=Secrets)
        except msgspec.MsgspecError:
            raise ForeignFileError(f"{SECRETS} is damaged") from None

    def lines(self, name: str, part: Part) -> Iterator[bytes]:
        """Yield the lines of a file, then compare the file with the manifest."""
        digest, size = hashlib.sha256(), 0
        try:
            if self._zip.getinfo(name).file_size > part.bytes:  # nothing beyond that is unpacked
                raise ForeignFileError(f"{name} is longer than in the manifest")
            with self._zip.open(name) as member:
                for line in member:
                    digest.update(line)
                    size += len(line)
                    yield line
        except KeyError:
            raise ForeignFileError(f"{name} is missing") from None
        except _BROKEN:
            raise ForeignFileError(f"{name} is damaged") from None
        if size != part.bytes or digest.hexdigest() != part.sha256:
            raise ForeignFileError(f"{name} was changed")

    def _manifest(self) -> Manifest:
        try:
            with self._zip.open(MANIFEST) as member:
                manifest = msgspec.json.decode(member.read(MAX_MANIFEST_BYTES), type=Manifest)
        except KeyError:
            raise ForeignFileError("it has no manifest") from None
        except (*_BROKEN, msgspec.MsgspecError):
            raise ForeignFileError("its manifest is invalid") from None
        if manifest.format != FORMAT:
            raise ForeignFileError(f"its format is {manifest.format!r}")
        if manifest.version != VERSION:
            raise ForeignFileError(
                f"its format has version {manifest.version}, but this codeintel reads {VERSION}. "
                f"Use codeintel {manifest.product}, which created it"
            )
        return manifest
