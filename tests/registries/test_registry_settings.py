"""Which registries there are, by what the operator has set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from codeintel_plugins.registries.shipped import token, url, visibility
from hypothesis import given, strategies as st
from registry_bodies import PLACES

from codeintel.base.setting_values import SettingError
from codeintel.contracts import SearchSource
from codeintel.platform.config import LoadedSettings, load_settings
from codeintel.platform.plugins.manager import load_plugins
from codeintel.platform.plugins.registry import DuplicateNameError

WORK = {"name": "work", "kind": "gitlab", "base_url": "https://git.example.test/gl/"}
YARN = "https://registry.yarnpkg.com"


def started(
    instance: Path, config: Mapping[str, Any]
) -> tuple[LoadedSettings, Mapping[str, SearchSource]]:
    """Return all settings and sources of an application with these settings."""
    loaded = load_settings({"CODEINTEL_INSTANCE": instance, **config}, {})
    settings, manager = load_plugins(loaded)
    return settings, manager.registry.sources


def sources(instance: Path, **config: Any) -> Mapping[str, SearchSource]:
    return started(instance, {f"CODEINTEL_{name}": value for name, value in config.items()})[1]


def test_what_ships(tmp_path: Path) -> None:
    found = {
        name: (each.kind, each.title, each.base_url, each.is_on)
        for name, each in sources(tmp_path).items()
    }
    shipped = {
        "github": ("github", "GitHub", "https://api.github.com", True),
        "npm": ("npm", "npm", YARN, True),
        "docker": ("docker", "Docker Hub", "https://hub.docker.com", True),
        "gitlab": ("gitlab", "GitLab", "https://gitlab.com", False),
        "codeberg": ("gitea", "Codeberg", "https://codeberg.org", False),
        "crates": ("crates", "crates.io", "https://crates.io", False),
        "huggingface": ("huggingface", "Hugging Face", "https://huggingface.co", False),
    }
    assert found == shipped, "add a new registry here, in docs/search.md and in README.md"


def test_nothing_is_private_without_a_token(tmp_path: Path) -> None:
    for each in sources(tmp_path).values():
        assert (each.token, each.visibility) == ("", "public")


WITH_TOKEN = ("GITHUB", "NPM", "GITLAB", "CODEBERG", "HUGGINGFACE")


def test_their_settings(tmp_path: Path) -> None:
    settings, _ = started(tmp_path, {})
    names = {
        *(f"CODEINTEL_{name}_{of}" for name in WITH_TOKEN for of in ("TOKEN", "VISIBILITY")),
        *(f"CODEINTEL_{name}_URL" for name in (*WITH_TOKEN, "DOCKER", "CRATES") if name != "NPM"),
        "CODEINTEL_NPM_REGISTRY",
    }
    prefixes = {name.split("_")[1] for name in names}
    assert {name for name in settings.values if name.split("_")[1] in prefixes} == names
    hidden = settings.values.keys() - settings.without_secrets().keys()
    assert {name for name in names if name.endswith("_TOKEN")} == names & hidden


@pytest.mark.parametrize(
    ("told", "on"),
    [
        ("", set()),
        ("gitlab", {"gitlab"}),
        ("codeberg, crates,huggingface", {"codeberg", "crates", "huggingface"}),
        ("github,npm", set()),
    ],
)
def test_which_are_on(tmp_path: Path, told: str, on: set[str]) -> None:
    found = {name for name, each in sources(tmp_path, SOURCES=told).items() if each.is_on}
    assert found == {"github", "npm", "docker"} | on


@pytest.mark.parametrize(
    ("config", "seen_by"),
    [
        ({}, "public"),
        ({"TOKEN": "t"}, "accounts"),
        ({"TOKEN": " t ", "VISIBILITY": "Public "}, "public"),
        ({"TOKEN": "t", "VISIBILITY": "accounts"}, "accounts"),
        ({"VISIBILITY": "accounts"}, "accounts"),
    ],
)
@pytest.mark.parametrize("prefix", WITH_TOKEN)
def test_who_sees_what_a_token_finds(
    tmp_path: Path, prefix: str, config: dict[str, str], seen_by: str
) -> None:
    found = sources(tmp_path, **{f"{prefix}_{name}": value for name, value in config.items()})
    source = found[prefix.lower()]
    assert (source.token, source.visibility) == (config.get("TOKEN", "").strip(), seen_by)
    assert all(each.visibility == "public" for each in found.values() if each is not source)
    assert not [each for each in found.values() if each is not source and each.token]


@pytest.mark.parametrize(
    ("variable", "told", "setting", "expected"),
    [
        ("npm_config_registry", "", None, YARN),
        ("npm_config_registry", "https://npm.example.test/", None, "https://npm.example.test"),
        ("NPM_CONFIG_REGISTRY", "https://npm.example.test", None, "https://npm.example.test"),
        ("npm_config_registry", "https://npm.example.test", "http://own:4873", "http://own:4873"),
        ("npm_config_registry", "no URL", "http://own:4873", "http://own:4873"),
    ],
)
def test_npm_s_own_registry(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    told: str,
    setting: str | None,
    expected: str,
) -> None:
    monkeypatch.setenv(variable, told)
    config = {} if setting is None else {"NPM_REGISTRY": setting}
    assert sources(tmp_path, **config)["npm"].base_url == expected


def test_npm_s_own_registry_must_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that an invalid URL fails, because a wrong registry must not receive the queries."""
    monkeypatch.setenv("npm_config_registry", "https://user:hid-den@npm.example.test")
    with pytest.raises(
        SettingError, match=r"^CODEINTEL_NPM_REGISTRY must be .*without user"
    ) as told:
        sources(tmp_path)
    assert "hid-den" not in str(told.value)


@pytest.mark.parametrize(
    ("more", "token", "seen_by"),
    [
        ({}, "", "public"),
        ({"token": "t"}, "t", "accounts"),
        ({"token": "t", "visibility": "public"}, "t", "public"),
        ({"visibility": "Accounts"}, "", "accounts"),
        ({"token": "", "visibility": ""}, "", "public"),
    ],
)
def test_an_instance_of_the_operator_s(
    tmp_path: Path, more: dict[str, str], token: str, seen_by: str
) -> None:
    found = sources(tmp_path, SOURCE_INSTANCES=json.dumps([{**WORK, **more}]))
    work = found["work"]
    assert (work.kind, work.base_url) == ("gitlab", "https://git.example.test/gl")
    assert (work.token, work.visibility, work.is_on) == (token, seen_by, True)
    assert not found["gitlab"].is_on


def test_every_kind_can_have_instances(tmp_path: Path) -> None:
    entries = [
        {"name": f"{kind}-{number}", "kind": kind, "base_url": f"http://h{number}:81"}
        for kind in PLACES
        for number in (1, 2)
    ]
    found = sources(tmp_path, SOURCE_INSTANCES=entries)
    for entry in entries:
        each = found[entry["name"]]
        assert (each.kind, each.base_url, each.is_on) == (entry["kind"], entry["base_url"], True)
    assert len(found) == len(sources(tmp_path)) + len(entries)


@pytest.mark.parametrize("names", [("github",), ("work", "work")])
def test_names_are_unique(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(DuplicateNameError, match=names[0]):
        sources(tmp_path, SOURCE_INSTANCES=[{**WORK, "name": name} for name in names])


URLS = (
    *("", "example.org", "ftp://h", "https://", "https://[", "https://h:port", "https://h:99999"),
    *("https://h a", "https://h\na", "https://\N{LATIN SMALL LETTER E WITH ACUTE}", "https://h\\a"),
    *("https://u@h", "https://u:hid-den@h", "https://@h", "https://h?hid-den", "https://h?"),
    *("https://h#f", "https://h#"),
)
TOKENS = ("hid\nden", "hid\rden", "hid\x00den", "hid\N{LATIN SMALL LETTER E WITH ACUTE}den")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("URL", value) for value in URLS),
        *(("TOKEN", value) for value in TOKENS),
        ("VISIBILITY", "everybody"),
    ],
)
def test_bad_values_are_told(tmp_path: Path, field: str, value: str) -> None:
    with pytest.raises(SettingError, match=rf"^CODEINTEL_GITHUB_{field} .* must be .*\.$") as told:
        sources(tmp_path, **{f"GITHUB_{field}": value})
    assert "den" not in str(told.value)
    name = {"URL": "base_url"}.get(field, field.lower())
    if value:
        with pytest.raises(SettingError, match=r"_INSTANCES: .*`work` must be .*[.]$") as told:
            sources(tmp_path, SOURCE_INSTANCES=[{**WORK, name: value}])
        assert "den" not in str(told.value)


@given(
    st.none()
    | st.integers()
    | st.text()
    | st.text("h:/@?#[]\\ .0", max_size=9).map("http:".__add__)
)
def test_a_parser_answers_or_says_what_would_be_right(value: Any) -> None:
    for parse in (url, token, visibility):
        try:
            parsed = parse(value)
        except ValueError as error:
            assert str(error).startswith("must ")
        else:
            assert parse(parsed) == parsed
