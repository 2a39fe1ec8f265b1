"""Which collectors ship, and where their upstreams lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from codeintel_plugins.trust.collectors import (
    depsdev,
    depsdev_dependencies,
    depsdev_project,
    ecosystems,
    github,
    osv,
    scorecard,
)

from codeintel.contracts import (
    Collector,
    Setting,
)
from codeintel.contracts.settings import SettingError

MODULES = (
    depsdev,
    depsdev_dependencies,
    depsdev_project,
    ecosystems,
    osv,
    scorecard,
    github,
)


def declared() -> list[Setting]:
    found: list[Setting] = []
    for module in MODULES:
        if hasattr(module, "register_settings"):
            module.register_settings(found.append)
    return found


def registered(config: Mapping[str, Any]) -> dict[str, Collector]:
    found: list[Collector] = []
    for module in MODULES:
        module.register_trust_scorers(found.append, config)
    assert len({each.name for each in found}) == len(found)
    return {each.name: each for each in found}


def test_each_setting_is_declared_once() -> None:
    assert {setting.name: setting.default for setting in declared()} == {
        "CODEINTEL_DEPSDEV_URL": "https://api.deps.dev",
        "CODEINTEL_ECOSYSTEMS_URL": "https://packages.ecosyste.ms",
        "CODEINTEL_OSV_URL": "https://api.osv.dev",
        "CODEINTEL_SCORECARD_URL": "https://api.securityscorecards.dev",
    }
    assert len(declared()) == 4
    for setting in declared():
        assert setting.parse(f"{setting.default}/") == setting.default
        with pytest.raises((ValueError, SettingError), match="HTTP URL"):
            setting.parse("example.test")


def test_what_ships() -> None:
    found = registered({})
    assert {name: each.base_url for name, each in found.items()} == {
        "depsdev": "https://api.deps.dev",
        "depsdev-dependencies": "https://api.deps.dev",
        "depsdev-project": "https://api.deps.dev",
        "ecosystems": "https://packages.ecosyste.ms",
        "osv": "https://api.osv.dev",
        "scorecard": "https://api.securityscorecards.dev",
        "github": "https://api.github.com",
        "github-repository": "https://api.github.com",
    }
    assert {name for name, each in found.items() if each.is_registry} == {
        *("depsdev", "ecosystems", "github")
    }
    assert not any(each.token for each in found.values())


def test_settings_are_heeded() -> None:
    names = [setting.name for setting in declared()] + ["CODEINTEL_GITHUB_URL"]
    found = registered({name: f"https://{name.lower()}.test" for name in names})
    assert found["depsdev-project"].base_url == "https://codeintel_depsdev_url.test"
    assert found["github-repository"].base_url == "https://codeintel_github_url.test"
    found = registered({"CODEINTEL_GITHUB_TOKEN": "secret"})
    assert {name for name, each in found.items() if each.token} == {"github", "github-repository"}
