"""A byte that went wrong in a backup's file: it is refused, or it was none that matters."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from backup_places import Places, close
from stored_samples import fill

from codeintel.operations.backups.archive import ArchiveReader, ForeignFileError
from codeintel.operations.backups.saving import save

Contents = dict[str, bytes]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of a backup with its secrets."""
    place = Places(tmp_path_factory.mktemp("good"), lambda: "").make("sqlite")
    app = place.app()
    fill(app.extensions["codeintel"])
    close(app)
    path = tmp_path_factory.mktemp("backup") / "good.zip"
    save(place.settings, path, with_secrets=True)
    return path.read_bytes()


def contents(path: Path) -> Contents | None:
    """Return the contents that a restore would use, or None if the file is refused."""
    try:
        with ArchiveReader(path) as archive:
            archive.check()
            manifest = archive.manifest
            assert manifest.secrets is not None
            parts = {table.path: table for table in manifest.tables}
            found = {name: b"".join(archive.lines(name, part)) for name, part in parts.items()}
            return found | {"manifest": repr(manifest).encode(), "secrets": secrets_of(archive)}
    except ForeignFileError:
        return None


def secrets_of(archive: ArchiveReader) -> bytes:
    return repr(archive.secrets()).encode()


def with_damage(whole: bytes, position: int, bits: int) -> bytes:
    damaged = bytearray(whole)
    damaged[position] ^= bits
    return bytes(damaged)


def test_a_wrong_byte_never_changes_what_is_restored(whole: bytes, tmp_path: Path) -> None:
    """Check every position in the archive: in its data, its headers and its directory."""
    path, rng = tmp_path / "backup.zip", random.Random(20)
    path.write_bytes(whole)
    good, refused = contents(path), 0
    assert good is not None
    for position in range(len(whole)):
        path.write_bytes(with_damage(whole, position, rng.choice((0xFF, 0x01, 0x80, 0x20))))
        found = contents(path)
        assert found in (None, good), position
        refused += found is None
    assert refused > len(whole) / 2  # the others are times, attributes and padding
