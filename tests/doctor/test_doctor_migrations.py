"""`codeintel doctor`: the schema's revision and the pepper's fingerprint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from doctor_scenes import PEPPER, Scene
from flask import Flask
from sqlalchemy import text

from codeintel.operations.doctor.database import (
    PEPPER as PEPPER_CHECK,
    REVISION,
    look_at_migrations,
)
from codeintel.platform.db import db


@pytest.fixture
def scene(scene: Scene, database_config: dict[str, Any]) -> Scene:
    """Return an installation over each kind of database."""
    scene.environ = database_config
    return scene


@contextmanager
def changed(scene: Scene, statement: str) -> Iterator[None]:
    def work(_: Flask) -> None:
        with db.engine.connect().execution_options(write=True) as connection:
            connection.execute(text(statement))
            connection.commit()

    scene.filled(work)
    yield


def test_the_newest(scene: Scene) -> None:
    scene.filled()
    found = scene.look(look_at_migrations)
    assert [(each.check, str(each.status)) for each in found] == [
        (REVISION, "ok"),
        (PEPPER_CHECK, "ok"),
    ]


@pytest.mark.parametrize(("revision", "status"), [("0001", "warning"), ("9999", "error")])
def test_another_revision(scene: Scene, revision: str, status: str) -> None:
    with changed(scene, f"UPDATE alembic_version SET version_num = '{revision}'"):
        found = scene.look(look_at_migrations)
    assert found.bad == {REVISION: status}
    assert revision in found[REVISION].found


def test_a_database_whose_pepper_is_not_known_yet(scene: Scene) -> None:
    with changed(scene, "DELETE FROM facts"):
        assert scene.look(look_at_migrations).status(PEPPER_CHECK) == "skipped"


def test_another_pepper(scene: Scene) -> None:
    scene.filled()
    scene.environ = {**scene.environ, "CODEINTEL_KEY_PEPPER": PEPPER[::-1]}
    found = scene.look(look_at_migrations)
    assert found.bad == {PEPPER_CHECK: "error"}
    assert PEPPER[::-1] not in str(found)


def test_a_pepper_that_was_lost(scene: Scene) -> None:
    scene.filled()
    scene.environ = {k: v for k, v in scene.environ.items() if k != "CODEINTEL_KEY_PEPPER"}
    (scene.folder / "key_pepper").unlink(missing_ok=True)
    assert "does not have it" in scene.look(look_at_migrations)[PEPPER_CHECK].found
    assert not (scene.folder / "key_pepper").exists()
