"""Finding, loading and isolating plugins."""

from __future__ import annotations

import json
import logging
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import codeintel_plugins
import pytest
from dropins import HEADER, drop, hook, says
from pluggy import PluginValidationError

from codeintel import hookimpl
from codeintel.contracts import Analyzer, Note
from codeintel.plugins import manager as manager_module
from codeintel.plugins.manager import Origin, PluginManager, PluginRecord
from codeintel.plugins.registry import DuplicateNameError

BUILT_INS = codeintel_plugins.BUILTIN_MODULES
STATIC, PYTHON = "codeintel_plugins.static", "codeintel_plugins.python"


def load(instance: Path, **config: Any) -> PluginManager:
    return PluginManager(config, instance)


def record(manager: PluginManager, name: str) -> PluginRecord:
    (found,) = [each for each in manager.records if each.name == name]
    return found


def dropped_in(manager: PluginManager) -> list[str]:
    analyzers = manager.registry.analyzers
    return [name for name in analyzers if analyzers.owner(name) not in BUILT_INS]


def added(manager: PluginManager) -> list[PluginRecord]:
    """The records of all that did not ship, which come after those that did."""
    assert [each.name for each in manager.records[: len(BUILT_INS)]] == list(BUILT_INS)
    return manager.records[len(BUILT_INS) :]


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
        ("", "registers nothing: is @hookimpl missing?"),
        (says("x").replace("@hookimpl", ""), "registers nothing: is @hookimpl missing?"),
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
    assert found.error == "there is no hook register_analysers: is register_analyzers meant?"


BROKEN = {
    "syntax": ("def", "SyntaxError"),
    "at_import": ("raise RuntimeError('no licence')", "RuntimeError: no licence"),
    "exits_at_import": ("import sys; sys.exit('bye')", "SystemExit: bye"),
    "panics": ("class Panic(BaseException): pass\nraise Panic('rust')", "Panic: rust"),
    "missing_library": ("import no_such_library_anywhere", "No module named"),
    "not_utf8": ("x = '\udcff'", "utf-8"),
    "in_its_hook": (hook("1 / 0"), "ZeroDivisionError"),
    "exits_in_its_hook": (hook("raise SystemExit(1)"), "SystemExit"),
    "half_way": (hook("register(Says('half')); raise KeyError('rest')"), "KeyError: 'rest'"),
    "other_half": (
        hook("register(Says('half'))") + "@hookimpl\ndef register_engines(register): 1 / 0\n",
        "ZeroDivisionError",
    ),
    "wrong_type": (
        hook("register(object())"),
        "expected an instance of codeintel.contracts.analysis.Analyzer",
    ),
    "wrong_shelf": (
        hook("register(Says('says'))", "register_engines"),
        "expected an instance of codeintel.contracts.engines.Engine",
    ),
    "a_class": (hook("register(Says)"), "expected an instance of"),
    "abstract": (hook("register(Analyzer())"), "TypeError: Can't instantiate abstract class"),
    "half_abstract": (
        "class Half(Engine):\n    name = 'half'\n" + hook("register(Half())"),
        "Half",
    ),
    "nameless": (
        "class Nameless(Says):\n    def __init__(self): pass\n"
        "@hookimpl\ndef register_analyzers(register): register(Nameless())\n",
        "a nameless analyzer",
    ),
    "no_text": (hook("register(Says(7))"), "a nameless analyzer"),
    "empty_name": (hook("register(Says(''))"), "a nameless analyzer"),
    "misspelt": (hook("pass", "register_analyzerz"), "register_analyzerz"),
    "unknown_argument": (hook("pass", arguments="register, settings"), "settings"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_listed_and_leaves_nothing(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "codeintel.plugins")
    source, message = BROKEN[name]
    drop(tmp_path, a=says("before"), c=says("after"))
    file = tmp_path / "plugins" / "b.py"
    file.write_bytes((HEADER + source).encode(errors="surrogateescape"))
    modules = set(sys.modules)
    manager = load(tmp_path)
    assert dropped_in(manager) == ["before", "after"]
    assert list(manager.registry.engines) == ["static"]
    broken = record(manager, "b")
    assert message in (broken.error or "")
    assert (broken.origin, broken.location, broken.provides) == (Origin.DROP_IN, str(file), {})
    assert [each.name for each in manager.records if each.error] == ["b"]
    (logged,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert (logged.name, str(file) in logged.getMessage()) == ("codeintel.plugins.manager", True)
    assert logged.exc_info is None
    assert "\n" not in logged.getMessage()
    assert [each.exc_info is not None for each in caplog.records if each.levelno == logging.DEBUG]
    if "import" in name:
        assert not [each for each in set(sys.modules) - modules if "dropin_b" in each]


def test_its_name_is_free_again(tmp_path: Path) -> None:
    half = hook("register(Says('mine')); raise KeyError")
    manager = load(drop(tmp_path, a=half, b=says("mine")))
    assert manager.registry.analyzers.owner("mine") == "b"


@pytest.mark.parametrize(
    ("sources", "taken", "owners"),
    [
        ({"a": says("same"), "b": says("same")}, "same", ("a", "b")),
        ({"mine": says("ruff")}, "ruff", (PYTHON, "mine")),
        ({"mine": says("x", "x")}, "x", ("mine", "mine")),
        ({"mine": hook("register(Thinks('static'))", "register_engines")}, "static", (STATIC,)),
    ],
)
def test_a_name_for_two_raises_and_names_both(
    tmp_path: Path, sources: dict[str, str], taken: str, owners: tuple[str, ...]
) -> None:
    drop(tmp_path, **sources)
    with pytest.raises(DuplicateNameError) as caught:
        load(tmp_path)
    for part in (taken, *owners):
        assert repr(part) in str(caught.value)


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


# Entry points.


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

    monkeypatch.setattr(manager_module, "entry_points", entry_points)


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


# Built-ins are no guests.


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("raise RuntimeError('broken')", RuntimeError),
        ("raise SystemExit(1)", SystemExit),
        (hook("1 / 0"), ZeroDivisionError),
        (hook("register(object())"), TypeError),
        (hook("pass", "register_analyzerz"), PluginValidationError),
    ],
)
def test_a_broken_built_in_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, error: type[BaseException]
) -> None:
    (tmp_path / "shipped_and_broken.py").write_text(HEADER + source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "shipped_and_broken", raising=False)
    modules = (*codeintel_plugins.BUILTIN_MODULES, "shipped_and_broken")
    monkeypatch.setattr(codeintel_plugins, "BUILTIN_MODULES", modules)
    try:
        with pytest.raises(error):
            load(tmp_path)
    finally:
        sys.modules.pop("shipped_and_broken", None)


def test_nobody_else_is_stopped_by_an_interrupt(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load(drop(tmp_path, a="raise KeyboardInterrupt"))
