"""Plugins that a setting leaves out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from dropins import drop, hook, says
from plugin_loading import BUILT_INS, PYTHON, dropped_in, load, record
from test_plugin_entry_points import Point, install, plugin_with

from codeintel.base.setting_values import SettingError
from codeintel.platform.config import load_settings
from codeintel.platform.plugins.manager import load_plugins

GITLAB = "codeintel_plugins.registries.gitlab"


def without(instance: Path, *names: str) -> Any:
    return load(instance, CODEINTEL_PLUGINS_DISABLED=names)


def test_nothing_of_it_is_registered(tmp_path: Path) -> None:
    manager = without(tmp_path, PYTHON, GITLAB)
    assert "ruff" not in manager.registry.analyzers
    assert "gitlab" not in manager.registry.sources
    found = record(manager, PYTHON)
    assert (found.disabled, found.error, found.provides) == (True, None, {})
    assert [each.name for each in manager.records] == list(BUILT_INS)
    assert [each.name for each in manager.records if each.disabled] == [PYTHON, GITLAB]


def test_a_drop_in_is_not_even_imported(tmp_path: Path) -> None:
    drop(tmp_path, bad="raise SystemExit('imported')", good=says("works"))
    before = set(sys.modules)
    manager = without(tmp_path, "bad")
    assert dropped_in(manager) == ["works"]
    assert (record(manager, "bad").error, record(manager, "bad").disabled) == (None, True)
    assert not [each for each in set(sys.modules) - before if "dropin_bad" in each]


def test_an_entry_point_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(
        monkeypatch, Point("acme", AssertionError("loaded")), Point("other", plugin_with("works"))
    )
    manager = without(tmp_path, "acme")
    assert dropped_in(manager) == ["works"]
    assert record(manager, "acme").error is None


def test_patterns_stand_for_many(tmp_path: Path) -> None:
    manager = without(drop(tmp_path, mine=says("x")), "*.registries.*", "min?")
    off = [each.name for each in manager.records if each.disabled]
    assert off == [*(each for each in BUILT_INS if ".registries." in each), "mine"]
    assert len(off) > 5
    assert len(manager.registry.sources) == 0


def test_a_name_that_it_held_is_free(tmp_path: Path) -> None:
    manager = without(drop(tmp_path, mine=says("ruff")), PYTHON)
    assert manager.registry.analyzers.owner("ruff") == "mine"


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("openai", "Did you mean codeintel_plugins.openai?"),
        ("codeintel_plugins.opnai", "Did you mean codeintel_plugins.openai?"),
        ("registries.gitlap", f"Did you mean {GITLAB}?"),
        ("shoutin", "Did you mean shouting?"),
        ("*.nowhere.*", "Run `codeintel plugins` without this setting to list them."),
    ],
)
def test_an_unknown_name_stops_the_start(tmp_path: Path, wrong: str, hint: str) -> None:
    drop(tmp_path, shouting=says("x"))
    environ = {"CODEINTEL_PLUGINS_DISABLED": f"{GITLAB}, {wrong}"}
    loaded = load_settings({"CODEINTEL_INSTANCE": tmp_path}, environ)
    with pytest.raises(SettingError) as caught:
        load_plugins(loaded)
    assert str(caught.value) == (
        "CODEINTEL_PLUGINS_DISABLED (set in the environment) names the unknown plugin "
        f"{wrong}. {hint}"
    )


def test_a_preview_tells_what_it_would_bring(tmp_path: Path) -> None:
    drop(tmp_path, mine=says("ruff", "other"))
    manager = without(tmp_path, "mine")
    seen = manager.preview("mine")
    assert (seen.disabled, seen.error) == (True, None)
    assert seen.provides == {"analyzer": ("ruff", "other")}
    assert manager.registry.analyzers.owner("ruff") == PYTHON
    assert dropped_in(manager) == []


@pytest.mark.parametrize(
    "source", ["raise SystemExit('bye')", hook("1 / 0"), says("x", "x"), "import nowhere_at_all"]
)
def test_a_preview_survives_a_broken_one(
    tmp_path: Path, source: str, caplog: pytest.LogCaptureFixture
) -> None:
    manager = without(drop(tmp_path, mine=source), "mine")
    seen = manager.preview("mine")
    assert seen.error
    assert seen.provides == {}
    assert caplog.records == []


def test_a_preview_survives_a_broken_built_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = without(tmp_path, GITLAB)
    monkeypatch.setitem(sys.modules, GITLAB, None)
    assert "ModuleNotFoundError" in (manager.preview(GITLAB).error or "")
