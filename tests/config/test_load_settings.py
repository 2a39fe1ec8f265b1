"""The sources of settings: overrides, the environment, the file; and their precedence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from settings_loading import configure, load

from codeintel.platform.config import SETTINGS, SettingError, load_settings


@pytest.mark.parametrize(
    ("sources", "value", "origin"),
    [
        ((), 120.0, None),
        (("file",), 1.0, "codeintel.cfg"),
        (("file", "environ"), 2.0, "the environment"),
        (("environ", "create_app"), 3.0, "create_app()"),
        (("file", "create_app"), 3.0, "create_app()"),
        (("file", "environ", "create_app"), 3.0, "create_app()"),
    ],
)
def test_the_nearest_wins(
    instance: Path, sources: tuple[str, ...], value: float, origin: str | None
) -> None:
    name = "CODEINTEL_RUN_TIMEOUT"
    if "file" in sources:
        configure(instance, f"{name} = 1\n")
    environ = {name: "2"} if "environ" in sources else {}
    loaded = load(instance, {name: 3} if "create_app" in sources else {}, environ)
    assert loaded.settings.run_timeout == value
    found = loaded.origins.get(name)
    assert found == origin or (found or "").endswith(f"/{origin}")


def test_a_wrong_value_that_is_overridden_does_no_harm(instance: Path) -> None:
    configure(instance, "CODEINTEL_RUN_TIMEOUT = 'soon'\n")
    assert load(instance, environ={"CODEINTEL_RUN_TIMEOUT": "5"}).settings.run_timeout == 5


def test_the_process_s_environment_is_the_default_one(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(instance))
    monkeypatch.setenv("CODEINTEL_DEFAULT_CREDITS", "7")
    loaded = load_settings()
    assert (loaded.settings.instance, loaded.settings.default_credits) == (instance, 7)
    assert loaded.origins["CODEINTEL_INSTANCE"] == "the environment"


@pytest.mark.parametrize(
    ("overrides", "environ", "expected", "origin"),
    [
        ({}, {}, "instance", "default"),
        ({}, {"CODEINTEL_INSTANCE": ""}, "instance", "default"),
        ({}, {"CODEINTEL_INSTANCE": "a"}, "a", "the environment"),
        ({"CODEINTEL_INSTANCE": "b"}, {"CODEINTEL_INSTANCE": "a"}, "b", "create_app()"),
        ({"CODEINTEL_INSTANCE": Path("b")}, {}, "b", "create_app()"),
        ({"CODEINTEL_INSTANCE": ""}, {"CODEINTEL_INSTANCE": "a"}, "a", "the environment"),
    ],
)
def test_the_instance_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    overrides: Any,
    environ: Any,
    expected: str,
    origin: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / expected).mkdir()
    configure(tmp_path / expected, "CODEINTEL_DEFAULT_CREDITS = 9\nCODEINTEL_INSTANCE = 'other'\n")
    loaded = load_settings(overrides, environ)
    assert loaded.settings.instance == tmp_path / expected, "absolute; the file cannot move itself"
    assert loaded.settings.default_credits == 9
    assert loaded.origins.get("CODEINTEL_INSTANCE", "default") == origin


@pytest.mark.parametrize(
    "text",
    [
        "not python\n",
        "1 / 0\n",
        "import no_such_module_anywhere\n",
        "x = '\0'\n",
        "raise ValueError\n",
    ],
)
def test_a_broken_file_is_named(instance: Path, text: str) -> None:
    path = configure(instance, text)
    with pytest.raises(SettingError, match=r"codeintel\.cfg cannot be read: ") as caught:
        load(instance)
    assert path in str(caught.value)


def test_a_missing_file_or_folder_is_fine(instance: Path) -> None:
    assert load(instance / "missing").settings.instance == instance / "missing"
    assert not (instance / "missing").exists()


def test_the_file_is_python(instance: Path) -> None:
    configure(instance, "import os\nlower = 5\nOTHER = 1\nCODEINTEL_RUN_TIMEOUT = 2 * 30\n")
    loaded = load(instance)
    assert loaded.settings.run_timeout == 60
    assert loaded.unknown == ()


def test_unknown_names_are_kept_for_plugins(instance: Path) -> None:
    configure(instance, "CODEINTEL_ACME_TABLE = {'a': (1, 2)}\nACME = 1\ncodeintel_acme = 2\n")
    loaded = load(
        instance,
        {"CODEINTEL_ACME_OBJECT": instance, "ACME": 1},
        {
            "CODEINTEL_ACME_WORD": "x",
            "PATH": "/bin",
            "CODEINTEL_API_KEY": "k",
            "CODEINTEL_URL": "u",
        },
    )
    assert loaded.unknown == (
        "CODEINTEL_ACME_OBJECT",
        "CODEINTEL_ACME_TABLE",
        "CODEINTEL_ACME_WORD",
    )
    extra = {name: loaded.values[name] for name in loaded.unknown}
    assert extra == {
        "CODEINTEL_ACME_OBJECT": instance,
        "CODEINTEL_ACME_TABLE": {"a": (1, 2)},
        "CODEINTEL_ACME_WORD": "x",
    }
    assert set(loaded.values) - set(extra) == {info.name for info in SETTINGS}
