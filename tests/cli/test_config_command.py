"""`codeintel config`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from codeintel_plugins.openai.settings import SETTINGS as AI_SETTINGS

from codeintel.cli import main
from codeintel.cli.operating.installation import masked
from codeintel.platform.config import SETTINGS


@pytest.fixture(autouse=True)
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "instance"
    folder.mkdir()
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(folder))
    return folder


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["config", *arguments])
    assert result.exit_code == 0
    return result


def shown() -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in json.loads(run("--json").stdout)["settings"]}


def test_secrets_of_plugins_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_AI_API_KEY", "a-key-that-nobody-may-see")
    assert "nobody-may-see" not in run().stdout
    assert shown()["CODEINTEL_AI_API_KEY"]["value"] == "***"


def test_every_setting_is_there_with_its_origin(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (instance / "codeintel.cfg").write_text("CODEINTEL_RUN_TIMEOUT = 90\nCODEINTEL_HOLD_TTL = 30\n")
    monkeypatch.setenv("CODEINTEL_HOLD_TTL", "45.5")
    rows = shown()
    assert list(rows)[: len(SETTINGS)] == [info.name for info in SETTINGS]
    of_plugins = list(rows)[len(SETTINGS) :]
    names = [setting.name for setting in AI_SETTINGS]
    assert of_plugins[: len(names)] == names
    assert {"CODEINTEL_GITHUB_URL", "CODEINTEL_NPM_REGISTRY"} <= {*of_plugins}
    assert rows["CODEINTEL_AI_FALLBACK_STATIC"]["value"] == "true"
    assert all(row["help"] for row in rows.values())
    settings = {name: (row["value"], row["origin"]) for name, row in rows.items()}
    assert settings["CODEINTEL_RUN_TIMEOUT"] == ("90", str(instance / "codeintel.cfg"))
    assert settings["CODEINTEL_HOLD_TTL"] == ("45.5", "the environment")
    assert settings["CODEINTEL_TIER_LIMITS_FREE"] == ("30,20,20", "default")
    assert settings["DATABASE_URL"] == ("", "default")
    table = run().stdout
    assert table.startswith("NAME ")
    assert all(name in table for name in rows)


def test_secrets_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_KEY_PEPPER", "hidden" * 6)
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:hidden@h/db")
    monkeypatch.setenv("REDIS_URL", "redis://:hidden@h:6379/0")
    assert "hidden" not in run().output + run("--json").output
    assert shown()["DATABASE_URL"]["value"] == "postgresql://ann:***@h/db"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", ""),
        ("secret", "***"),
        ("postgresql://u@h/db", "postgresql://u@h/db"),
        ("postgresql://u:s@h/db", "postgresql://u:***@h/db"),
        ("postgresql://u:s@s/s:s@h/db", "postgresql://u:***@h/db"),
        ("postgresql+psycopg://u:s?s#s@h/db", "postgresql+psycopg://u:***@h/db"),
        ("postgresql://h/db?user=u&password=s&x=1", "postgresql://h/db?user=u&password=***&x=1"),
        ("rediss://:s@h:6379/0", "rediss://:***@h:6379/0"),
        ("redis://[::1]:6379/0", "redis://[::1]:6379/0"),
        ("sqlite:////var/lib/x.db", "sqlite:////var/lib/x.db"),
    ],
)
def test_masks(value: str, text: str) -> None:
    assert masked(value) == text


def test_names_in_the_file_that_are_no_settings(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (instance / "codeintel.cfg").write_text(
        "CODEINTEL_RUN_TIMEUOT = 5\nCODEINTEL_ACME_TOKEN = 'hidden'\n"
    )
    monkeypatch.setenv("CODEINTEL_API_KEY", "hidden")
    result = run()
    where = f"in {instance / 'codeintel.cfg'}"
    assert result.stderr.splitlines() == [
        f"Unknown setting CODEINTEL_ACME_TOKEN {where}. Only a plugin can use it.",
        f"Unknown setting CODEINTEL_RUN_TIMEUOT {where}. Did you mean CODEINTEL_RUN_TIMEOUT?",
    ]
    assert "hidden" not in result.output


def test_a_file_that_cannot_be_read(instance: Path) -> None:
    (instance / "codeintel.cfg").write_text("not python\n")
    result = CliRunner().invoke(main, ["config"])
    assert result.exit_code == 2
    assert "codeintel.cfg cannot be read" in result.stderr
