"""A backup or a migration that is killed leaves nothing that others can read, and the next one
deletes what was left."""

from __future__ import annotations

import json
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from backup_places import Place, Places, close

from codeintel.operations.backups import databases
from codeintel.operations.backups.saving import save
from codeintel.platform.db.migrate import _back_up

SCRIPT = """
import json, os, signal, sys
from pathlib import Path

os.umask(0)  # whatever is not made private is everybody's
from codeintel.operations.backups import databases, saving
from codeintel.platform.config import load_settings
from codeintel.platform.db import migrate

config, at, target = json.loads(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
die = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)

class Dying:
    '''A copy that does not come to its end.'''

    def __init__(self, module):
        self._module = module

    def connect(self, path):
        opened = self._module.connect(path)
        if os.fspath(path).endswith((".part", ".snapshot")):
            opened.execute("CREATE TABLE begun (x)")
            die()
        return opened

    def __getattr__(self, name):
        return getattr(self._module, name)

if at == "migration":
    from sqlalchemy import create_engine

    migrate.sqlite3 = Dying(migrate.sqlite3)
    migrate._back_up(create_engine(load_settings(config, {}).settings.database), "0001", "0002")
settings = load_settings(config, {}).settings
if at == "copy":
    databases.sqlite3 = Dying(databases.sqlite3)
if at == "archive":
    saving._write = die
saving.save(settings, target)
"""


@pytest.fixture
def place(places: Places) -> Place:
    made = places.make("sqlite")
    close(made.app())
    return made


def killed(place: Place, at: str, target: Path) -> None:
    config = json.dumps({name: str(value) for name, value in place.config.items()})
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, config, at, str(target)], check=False, timeout=60
    )
    assert done.returncode == -signal.SIGKILL


def left(folder: Path) -> list[Path]:
    return [each for each in folder.iterdir() if each.is_file() and each.name.startswith(".")]


@pytest.mark.parametrize(("at", "files"), [("copy", 2), ("archive", 2)])
def test_what_a_killed_backup_leaves_is_private_and_goes_with_the_next(
    place: Place, file: Path, at: str, files: int
) -> None:
    killed(place, at, file)
    found = left(file.parent)
    assert len(found) >= files
    assert {stat.S_IMODE(each.stat().st_mode) for each in found} == {0o600}
    save(place.settings, file)
    assert left(file.parent) == []


def test_what_a_killed_migration_leaves_is_private_and_goes_with_the_next(
    place: Place, file: Path
) -> None:
    database = place.settings.sqlite_file
    assert database is not None
    killed(place, "migration", file)
    [found] = [each for each in left(database.parent) if ".before-0002-" in each.name]
    assert stat.S_IMODE(found.stat().st_mode) == 0o600
    assert list(database.parent.glob("*.bak")) == []
    _back_up(place.engine(), "0001", "0002")
    assert not found.exists()
    [kept] = database.parent.glob("*.bak")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_backup_under_way_is_left_alone(place: Place, file: Path) -> None:
    with databases.reading(place.settings, file):
        [copy] = left(file.parent)
        databases.sweep(file.parent)
        assert left(file.parent) == [copy]
    assert left(file.parent) == []


def test_other_files_stay(place: Place, file: Path) -> None:
    others = [file.with_name(name) for name in (".x.part", ".x.12345678.zip", "x.12345678.part")]
    for each in others:
        each.write_text("theirs")
    file.with_name(".x.12345678.part").symlink_to(others[0])
    save(place.settings, file)
    assert all(each.read_text() == "theirs" for each in others)
    assert file.with_name(".x.12345678.part").is_symlink()
