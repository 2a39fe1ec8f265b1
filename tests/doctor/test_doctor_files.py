"""`codeintel doctor`: the instance folder, and who may do what there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from doctor_scenes import Scene

from codeintel.operations.doctor import files
from codeintel.operations.doctor.database import look_at_database


def test_a_folder_that_is_as_it_should_be(scene: Scene) -> None:
    scene.filled()
    found = scene.look(files.look_at_folder)
    assert not found.bad
    assert [each.check for each in found] == [
        files.FOLDER, files.SECRETS, files.CODE, files.OWNERS,
    ]  # fmt: skip


def test_there_is_none(scene: Scene) -> None:
    scene.folder = scene.folder / "not-there"
    assert scene.look(files.look_at_folder).bad == {files.FOLDER: "warning"}
    assert not scene.folder.exists()
    scene.folder.write_text("a file")
    assert scene.look(files.look_at_folder).bad == {files.FOLDER: "error"}


@pytest.mark.parametrize(
    "name", ["key_pepper", "codeintel.cfg", "codeintel.db", "codeintel.db.bak"]
)
def test_secrets_that_others_can_read(scene: Scene, name: str) -> None:
    path = scene.folder / name
    path.write_text("#" * 40)
    path.chmod(0o640)
    found = scene.look(files.look_at_folder)
    assert found.bad == {files.SECRETS: "error"}
    assert found[files.SECRETS].fix == f"chmod go= {path}"
    os.system(found[files.SECRETS].fix)  # it helps
    assert not scene.look(files.look_at_folder).bad


def test_a_database_elsewhere(scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.db"
    path.touch(mode=0o644)
    scene.environ = {"DATABASE_URL": f"sqlite:///{path}"}
    assert scene.look(files.look_at_folder).bad == {files.SECRETS: "error"}


def test_a_pepper_that_was_cut_off(scene: Scene) -> None:
    path = scene.folder / "key_pepper"
    path.touch(mode=0o600)
    assert "has 0 bytes" in scene.look(files.look_at_folder)[files.SECRETS].found


@pytest.mark.parametrize("name", ["", "plugins", "plugins/mine.py"])
def test_code_that_others_can_change(scene: Scene, name: str) -> None:
    (scene.folder / "plugins").mkdir(mode=0o700)
    (scene.folder / "plugins" / "mine.py").touch(mode=0o600)
    (scene.folder / name).chmod(0o777)
    found = scene.look(files.look_at_folder)
    assert found.bad == {files.CODE: "error"}
    os.system(found[files.CODE].fix)
    assert not scene.look(files.look_at_folder).bad


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_of_another_user(scene: Scene) -> None:
    path = scene.folder / "jobs.db"
    path.touch(mode=0o600)
    os.chown(path, 65_533, 65_533)
    found = scene.look(files.look_at_folder)
    assert found.bad == {files.OWNERS: "warning"}
    assert "jobs.db" in found[files.OWNERS].found


def test_a_folder_of_somebody_else(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.filled()
    monkeypatch.setattr(os, "access", lambda *_: False)  # tests may run as root, who may all
    assert scene.look(files.look_at_folder).bad == {files.FOLDER: "error"}
    assert scene.look(look_at_database).bad == {"database.writable": "error"}
