"""`codeintel doctor`: plugins."""

from __future__ import annotations

import pytest
from doctor_scenes import Scene

from codeintel.operations.doctor.checks import CHECKS
from codeintel.operations.doctor.system import ABANDONED, LOADED, look_at_plugins

SETTING = """
from codeintel import hookimpl
from codeintel.contracts import Setting

def refuse(value):
    raise ValueError(f"must be another than {value}")

@hookimpl
def register_settings(register):
    register(Setting("CODEINTEL_ACME", "", "A token.", parse=refuse, secret=True))
"""
SOURCE = """
from codeintel import hookimpl
from codeintel.contracts import SearchSource

class Npm(SearchSource):
    kind = "npm"
    def request(self, query, limit): ...
    def hits(self, answer): ...

@hookimpl
def register_search_sources(register, config):
    register(Npm("npm", "https://npm.test"))
"""


@pytest.fixture
def scene(scene: Scene) -> Scene:
    """Add a folder for plugins."""
    (scene.folder / "plugins").mkdir(mode=0o700)
    return scene


def test_those_that_ship(scene: Scene) -> None:
    assert [str(each.status) for each in scene.look(look_at_plugins)] == ["ok", "ok"]


def test_a_broken_one(scene: Scene) -> None:
    path = scene.folder / "plugins" / "mine.py"
    path.write_text("import nothing_of_that_name\n")
    found = scene.look(look_at_plugins)
    assert found.bad == {LOADED: "error"}
    assert str(path) in found[LOADED].found
    assert "nothing_of_that_name" in found[LOADED].found
    assert [each.name for each in (scene.folder / "plugins").iterdir()] == ["mine.py"]


def test_two_that_collide(scene: Scene) -> None:
    (scene.folder / "plugins" / "mine.py").write_text(SOURCE)
    found = scene.look_all(CHECKS, offline=False)
    assert found.status(LOADED) == "error"
    assert "'npm'" in found[LOADED].found
    assert found.status("upstreams") == "skipped"
    assert found.status("settings.sharing") == "ok"


def test_one_that_registers_nothing_and_what_is_not_loaded(scene: Scene) -> None:
    (scene.folder / "plugins" / "idle.py").write_text("x = 1\n")
    (scene.folder / "plugins" / "old.py.bak").write_text("")
    (scene.folder / "plugins" / "package").mkdir()
    found = scene.look(look_at_plugins)
    told = [each.found for each in found if each.check == ABANDONED]
    assert found.bad == {ABANDONED: "warning"}
    assert "idle" in told[0]
    assert "old.py.bak, package" in told[1]


def test_a_secret_that_its_plugin_quotes(scene: Scene) -> None:
    (scene.folder / "plugins" / "acme.py").write_text(SETTING)
    (scene.folder / "codeintel.cfg").write_text("CODEINTEL_ACME = 'canary-in-the-file'\n")
    found = scene.look_all(CHECKS)
    assert "must be another than ***." in found[LOADED].found
    assert "canary" not in str(found)


def test_one_that_takes_for_ever(scene: Scene) -> None:
    (scene.folder / "plugins" / "slow.py").write_text("import time\ntime.sleep(4)\n")
    found = scene.look_all(CHECKS, seconds=2.0)
    assert found.status("plugins") == "error"
    assert found.status("files.folder") == "ok"
