"""Finding and loading plugins: those that ship, and drop-ins."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from dropins import drop, hook, says
from plugin_loading import PYTHON, STATIC, added, dropped_in, load, record

from codeintel.platform.plugins.discovery import Origin


def test_what_ships_is_there_with_its_owner(tmp_path: Path) -> None:
    manager = load(tmp_path)
    registry = manager.registry
    assert added(manager) == []
    for shipped in manager.records:
        assert (shipped.origin, shipped.location) == (Origin.BUILT_IN, shipped.name)
        assert shipped.error is None
        assert shipped.provides
    assert registry.analyzers.owner("ruff") == PYTHON
    assert registry.detectors.owner("grammars") == "codeintel_plugins.grammars"
    assert registry.engines.owner("static") == STATIC
    assert set(record(manager, PYTHON).provides["analyzer"]) == {"ruff", "bandit", "metrics"}
    assert record(manager, STATIC).provides == {"engine": ("static",)}


def test_drop_ins_are_loaded_in_sorted_order(tmp_path: Path) -> None:
    drop(tmp_path, c=says("third"), a=says("first", "second"), B=says("zeroth"))
    (tmp_path / "plugins" / "notes.txt").write_text("not Python")
    manager = load(tmp_path)
    assert dropped_in(manager) == ["zeroth", "first", "second", "third"]
    assert [each.name for each in added(manager)] == ["B", "a", "c"]
    mine = record(manager, "a")
    assert (mine.origin, mine.error) == (Origin.DROP_IN, None)
    assert mine.location == str(tmp_path / "plugins" / "a.py")
    assert mine.provides == {"analyzer": ("first", "second")}


def test_a_plugin_without_hooks_is_one(tmp_path: Path) -> None:
    manager = load(drop(tmp_path, empty=""))
    assert record(manager, "empty").error is None
    assert record(manager, "empty").provides == {}


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("", "registers nothing. Is @hookimpl missing?"),
        (says("x").replace("@hookimpl", ""), "registers nothing. Is @hookimpl missing?"),
        (hook("pass"), ""),
        (says("x"), ""),
    ],
)
def test_one_that_registers_nothing_is_told_why(tmp_path: Path, source: str, advice: str) -> None:
    assert record(load(drop(tmp_path, mine=source)), "mine").advice == advice


def test_a_misspelt_hook_is_named_with_the_right_one(tmp_path: Path) -> None:
    manager = load(drop(tmp_path, mine=hook("pass", "register_analysers")))
    found = record(manager, "mine")
    assert found.location == str(tmp_path / "plugins" / "mine.py")
    assert found.error == "unknown hook register_analysers: did you mean register_analyzers?"


def test_objects_of_each_kind_may_share_a_name(tmp_path: Path) -> None:
    each = (
        hook("register(Says('x'))")
        + hook("register(Tells('x'))", "register_language_detectors")
        + hook("register(Thinks('x'))", "register_engines")
    )
    manager = load(drop(tmp_path, each=each))
    assert record(manager, "each").provides == {
        "analyzer": ("x",),
        "detector": ("x",),
        "engine": ("x",),
    }


def test_two_managers_do_not_share(tmp_path: Path) -> None:
    source = "seen = []\n" + hook("seen.append(config['X']); register(Says(str(seen)))")
    source = source.replace("(register)", "(register, config)")
    first, second = (drop(tmp_path / name, mine=source) for name in ("first", "second"))
    managers = [load(first, X=1), load(second, X=2), load(first, X=3)]
    assert [dropped_in(manager) for manager in managers] == [["[1]"], ["[2]"], ["[3]"]]
    ones = [manager.registry.analyzers["ruff"] for manager in managers]
    assert len(set(map(id, ones))) == 3


def test_config_is_read_only(tmp_path: Path) -> None:
    given = {"CODEINTEL_X": "x"}
    reads = hook("register(Says(config['CODEINTEL_X']))", arguments="config, register")
    writes = hook("config['CODEINTEL_X'] = 'y'", arguments="register, config")
    manager = load(drop(tmp_path, a=writes, b=reads), **given)
    assert "does not support item assignment" in (record(manager, "a").error or "")
    assert dropped_in(manager) == ["x"]
    assert given == {"CODEINTEL_X": "x"}


def test_a_drop_in_shadows_nothing_and_is_a_whole_module(tmp_path: Path) -> None:
    source = """
from dataclasses import dataclass
from typing import ClassVar
import msgspec

@dataclass
class Pair:
    kind: ClassVar[str]
    left: Says

class Shape(msgspec.Struct):
    inner: Inner | None = None

class Inner(msgspec.Struct):
    x: int

msgspec.json.decode(b'{"inner": {"x": 1}}', type=Shape)
""" + hook("register(Says('whole'))")
    manager = load(drop(tmp_path, json=source, codeintel="", ruff=""))
    assert [each.error for each in added(manager)] == [None] * 3
    assert sys.modules["json"] is json
    assert dropped_in(manager) == ["whole"]
