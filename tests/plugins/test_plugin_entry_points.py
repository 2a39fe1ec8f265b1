"""Plugins that installed packages name as entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from dropins import drop, says
from plugin_loading import PYTHON, added, dropped_in, load, record

from codeintel import hookimpl
from codeintel.contracts import Analyzer, Note
from codeintel.platform.plugins import discovery
from codeintel.platform.plugins.discovery import Origin


class Point:
    """An entry point that has something else than an installed module to load."""

    def __init__(self, name: str, plugin: Any) -> None:
        self.name, self.value, self._plugin = name, f"{name}_package:plugin", plugin

    def load(self) -> Any:
        if isinstance(self._plugin, BaseException):
            raise self._plugin
        return self._plugin


class Speaker(Analyzer):
    languages = None

    def __init__(self, name: str) -> None:
        self.name = name

    def analyze(self, _: Any) -> Any:
        yield Note("said")


def plugin_with(name: str) -> ModuleType:
    @hookimpl
    def register_analyzers(register: Any) -> None:
        register(Speaker(name))

    module = ModuleType(f"plugin_{name}")
    module.register_analyzers = register_analyzers  # type: ignore[attr-defined]
    return module


def install(monkeypatch: pytest.MonkeyPatch, *points: Point | EntryPoint) -> None:
    def entry_points(*, group: str) -> list[Point | EntryPoint]:
        assert group == "codeintel.plugins"
        return list(points)

    monkeypatch.setattr(discovery, "entry_points", entry_points)


def test_entry_points_come_between_in_order_of_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(
        monkeypatch,
        Point("zed", plugin_with("last")),
        Point("broken", ImportError("half installed")),
        Point("gone", SystemExit(2)),
        Point("acme", plugin_with("first")),
        EntryPoint("missing", "no_such_module_anywhere", "codeintel.plugins"),
    )
    manager = load(drop(tmp_path, a=says("dropped")))
    assert dropped_in(manager) == ["first", "last", "dropped"]
    names = [each.name for each in added(manager)]
    assert names == ["acme", "broken", "gone", "missing", "zed", "a"]
    acme, broken = record(manager, "acme"), record(manager, "broken")
    assert (acme.origin, acme.location) == (Origin.ENTRY_POINT, "acme_package:plugin")
    assert (broken.error, broken.provides) == ("ImportError: half installed", {})
    assert (record(manager, "gone").error or "").startswith("SystemExit")
    assert "no_such_module_anywhere" in (record(manager, "missing").error or "")


def test_a_second_plugin_of_a_name_does_not_take_the_first_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, Point("acme", plugin_with("first")))
    manager = load(drop(tmp_path, acme=says("second"), **{PYTHON: says("third")}))
    assert dropped_in(manager) == ["first"]
    assert manager.registry.analyzers.owner("ruff") == PYTHON
    assert [(each.name, each.origin, each.error is None) for each in added(manager)] == [
        ("acme", Origin.ENTRY_POINT, True),
        ("acme", Origin.DROP_IN, False),
        (PYTHON, Origin.DROP_IN, False),
    ]


def test_one_module_under_two_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = plugin_with("once")
    install(monkeypatch, Point("a", module), Point("b", module))
    manager = load(tmp_path)
    assert dropped_in(manager) == ["once"]
    assert manager.registry.analyzers.owner("once") == "a"
    assert record(manager, "b").error
