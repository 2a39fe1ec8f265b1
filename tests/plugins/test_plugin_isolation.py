"""Plugins that are broken, and names that two of them want."""

from __future__ import annotations

import logging
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from dropins import HEADER, drop, hook, says
from pluggy import PluginValidationError
from plugin_loading import PYTHON, STATIC, dropped_in, load, record

from codeintel.platform.plugins import discovery
from codeintel.platform.plugins.discovery import ENTRY_POINT_GROUP, Origin
from codeintel.platform.plugins.registry import DuplicateNameError

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
        "without a name as analyzer",
    ),
    "no_text": (hook("register(Says(7))"), "without a name as analyzer"),
    "empty_name": (hook("register(Says(''))"), "without a name as analyzer"),
    "misspelt": (hook("pass", "register_analyzerz"), "register_analyzerz"),
    "unknown_argument": (hook("pass", arguments="register, settings"), "settings"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_listed_and_leaves_nothing(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "codeintel.platform.plugins")
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
    assert (logged.name, str(file) in logged.getMessage()) == (
        "codeintel.platform.plugins.manager",
        True,
    )
    assert logged.exc_info is None
    assert "\n" not in logged.getMessage()
    details = [each for each in caplog.records if each.levelno == logging.DEBUG]
    assert any(each.exc_info for each in details), "its traceback is for who wants to see it"
    if "import" in name:
        assert not [each for each in set(sys.modules) - modules if "dropin_b" in each]


def test_no_other_implementation_of_it_is_called(tmp_path: Path) -> None:
    """A plugin may implement a hook twice. Which comes first is pluggy's business."""
    named = "@hookimpl(specname='register_settings', {order})\ndef {name}(register):\n    {body}\n"
    register = "register(Setting(name='MINE', default='', parse=str, help=''))"
    for order, name in (("tryfirst=True", "first"), ("trylast=True", "last")):
        folder = tmp_path / name
        other = {"tryfirst=True": "trylast=True"}.get(order, "tryfirst=True")
        broken = named.format(order=order, name="fails", body="raise KeyError")
        whole = named.format(order=other, name="works", body=register)
        manager = load(drop(folder, a=broken + whole))
        assert record(manager, "a").error
        assert "MINE" not in manager.registry.settings


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
    broken = EntryPoint("shipped_and_broken", "shipped_and_broken", ENTRY_POINT_GROUP)
    points = (*discovery.shipped(), broken)
    monkeypatch.setattr(discovery, "shipped", lambda: points)
    try:
        with pytest.raises(error):
            load(tmp_path)
    finally:
        sys.modules.pop("shipped_and_broken", None)


def test_an_interrupt_is_not_taken_for_a_fault_of_a_plugin(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load(drop(tmp_path, a="raise KeyboardInterrupt"))
