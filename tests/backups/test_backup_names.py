"""The name that a backup gets, where the file system has hard links and where it has none."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from backup_places import Place, Places, close
from stored_samples import fill

from codeintel.operations.backups import saving
from codeintel.operations.backups.archive import ArchiveReader, BackupError
from codeintel.operations.backups.saving import save


@pytest.fixture
def place(places: Places) -> Place:
    made = places.make("sqlite")
    app = made.app()
    fill(app.extensions["codeintel"])
    close(app)
    return made


@pytest.fixture
def no_links(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Simulate a file system that refuses hard links with the error of the parameter."""

    def link(source: Path, target: Path) -> None:
        raise OSError(request.param, os.strerror(request.param), str(source), None, str(target))

    monkeypatch.setattr(os, "link", link)


@pytest.mark.parametrize("no_links", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS], indirect=True)
@pytest.mark.usefixtures("no_links")
def test_without_hard_links_no_file_is_replaced_either(
    place: Place, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(place.settings, file)
    with ArchiveReader(file) as archive:
        archive.check()
    assert file.stat().st_mode & 0o777 == 0o600
    later = file.with_name("later.zip")
    # Another process creates the file while the backup is written.
    monkeypatch.setattr(saving, "_keep", lambda _: later.write_text("theirs"))
    with pytest.raises(BackupError, match="already exists"):
        save(place.settings, later)
    assert later.read_text() == "theirs"
    assert list(file.parent.glob(".*.part")) == []


@pytest.mark.parametrize("no_links", [errno.EPERM], indirect=True)
@pytest.mark.usefixtures("no_links")
def test_an_empty_file_does_not_stay(
    place: Place, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace(*_: object) -> None:
        raise OSError(errno.EIO, "the disk fails")

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(OSError, match="the disk fails"):
        save(place.settings, file)
    assert not file.exists()
    assert list(file.parent.glob(".*.part")) == []


@pytest.mark.parametrize("no_links", [errno.ENOSPC], indirect=True)
@pytest.mark.usefixtures("no_links")
def test_other_errors_are_told(place: Place, file: Path) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        save(place.settings, file)
    assert not file.exists()
