"""The order of hook calls, which a broken plugin does not change."""

from __future__ import annotations

from pathlib import Path

import pytest
from dropins import drop, hook, says
from plugin_loading import dropped_in, load, record

from codeintel.platform.plugins.registry import DuplicateNameError


def marked(mark: str, name: str) -> str:
    return says(name).replace("@hookimpl", f"@hookimpl({mark}=True)")


def test_first_then_found_then_last(tmp_path: Path) -> None:
    drop(
        tmp_path,
        a=marked("trylast", "at_the_end"),
        b=says("one"),
        c=marked("tryfirst", "at_the_beginning"),
        d=says("two"),
    )
    manager = load(tmp_path)
    assert next(iter(manager.registry.analyzers)) == "at_the_beginning"
    assert dropped_in(manager) == ["at_the_beginning", "one", "two", "at_the_end"]
    assert [each.name for each in manager.records[-4:]] == ["a", "b", "c", "d"]


def test_each_hook_has_an_order_of_its_own(tmp_path: Path) -> None:
    thinks = hook("register(Thinks({!r}))", "register_engines")
    drop(
        tmp_path,
        a=says("one") + thinks.format("first").replace("@hookimpl", "@hookimpl(trylast=True)"),
        b=says("two") + thinks.format("second"),
    )
    manager = load(tmp_path)
    assert dropped_in(manager) == ["one", "two"]
    assert list(manager.registry.engines) == ["static", "second", "first"]


def test_settings_of_one_that_comes_first_are_known_to_the_next(tmp_path: Path) -> None:
    setting = "register(Setting('CODEINTEL_{}', {}, 'x'))"
    later = hook(
        setting.format("LATER", "str(config.get('CODEINTEL_EARLIER'))"),
        "register_settings",
        "register, config",
    )
    earlier = hook(setting.format("EARLIER", "'known'"), "register_settings")
    drop(tmp_path, a=later, b=earlier.replace("@hookimpl", "@hookimpl(tryfirst=True)"))
    assert load(tmp_path).config["CODEINTEL_LATER"] == "known"


@pytest.mark.parametrize("mark", ["tryfirst", "trylast"])
def test_one_that_breaks_in_its_turn_takes_nobody_along(tmp_path: Path, mark: str) -> None:
    breaks = hook("register(Says('half')); 1 / 0").replace("@hookimpl", f"@hookimpl({mark}=True)")
    manager = load(drop(tmp_path, a=says("before"), b=breaks, c=says("after")))
    assert dropped_in(manager) == ["before", "after"]
    assert "ZeroDivisionError" in (record(manager, "b").error or "")


def test_a_name_is_free_if_its_owner_breaks_at_a_later_hook(tmp_path: Path) -> None:
    breaks = says("mine") + hook("1 / 0", "register_engines")
    manager = load(drop(tmp_path, a=breaks, b=says("mine")))
    assert manager.registry.analyzers.owner("mine") == "b"
    assert "ZeroDivisionError" in (record(manager, "a").error or "")
    assert record(manager, "a").provides == {}


def test_one_that_breaks_is_not_called_again(tmp_path: Path) -> None:
    file = tmp_path / "called"
    calls = hook("1 / 0") + hook(f"open({str(file)!r}, 'w')", "register_engines")
    assert record(load(drop(tmp_path, a=calls)), "a").error
    assert not file.exists()


def test_settings_of_one_that_breaks_are_as_they_were_given(tmp_path: Path) -> None:
    declares = "register(Setting('CODEINTEL_{}', 5, 'x', parse=int))"
    breaks = hook(
        f"{declares.format('OURS')}; {declares.format('MINE')}", "register_settings"
    ) + hook("1 / 0")
    works = hook(declares.format("OURS"), "register_settings")
    drop(tmp_path, a=breaks, b=works)
    manager = load(tmp_path, CODEINTEL_OURS="1", CODEINTEL_MINE="2")
    assert manager.config["CODEINTEL_OURS"] == 1
    assert manager.config["CODEINTEL_MINE"] == "2"
    assert manager.registry.settings.owner("CODEINTEL_OURS") == "b"
    assert "CODEINTEL_MINE" not in manager.registry.settings


def test_a_setting_for_two_raises(tmp_path: Path) -> None:
    same = hook("register(Setting('CODEINTEL_SAME', 5, 'x', parse=int))", "register_settings")
    with pytest.raises(DuplicateNameError, match="registered by both 'a' and 'b'"):
        load(drop(tmp_path, a=same, b=same))


@pytest.mark.parametrize("mark", ["wrapper", "hookwrapper"])
def test_a_wrapper_is_told_what_to_use(tmp_path: Path, mark: str) -> None:
    wraps = hook("yield").replace("@hookimpl", f"@hookimpl({mark}=True)")
    manager = load(drop(tmp_path, a=wraps, b=says("works")))
    assert "Use tryfirst or trylast" in (record(manager, "a").error or "")
    assert dropped_in(manager) == ["works"]
