"""`codeintel doctor`: settings."""

from __future__ import annotations

import pytest
from doctor_scenes import PEPPER, Scene

from codeintel.operations.doctor import settings
from codeintel.operations.doctor.installation import Installation
from codeintel.server.application import Application

POSTGRES = {"DATABASE_URL": "postgresql://u@h/db", "CODEINTEL_KEY_PEPPER": PEPPER}


def test_all_is_well_without_any(scene: Scene) -> None:
    for look in (
        settings.look_at_values,
        settings.look_at_names,
        settings.look_at_secrets,
        settings.look_at_addresses,
        settings.look_at_sharing,
    ):
        (found,) = scene.look(look)
        assert (found.status, found.fix) == ("ok", "")


def test_every_wrong_value_is_named_with_where_it_is_set(scene: Scene) -> None:
    cfg = scene.folder / "codeintel.cfg"
    cfg.write_text("CODEINTEL_HOLD_TTL = 0\nCODEINTEL_AI_RETRIES = 'often'\n")
    scene.environ = {
        "CODEINTEL_RUN_TIMEOUT": "soon",
        "CODEINTEL_KEY_PEPPER": "canary-short",
        "CODEINTEL_GITHUB_URL": "ftp://h",
        "DATABASE_URL": "mysql://u:canary@h/db",
    }
    found = scene.look(settings.look_at_values)
    told = sorted(each.found for each in found)
    assert [each.status for each in found] == ["error"] * 6
    assert [line.split(" must ")[0] for line in told] == [
        f"CODEINTEL_AI_RETRIES (set in {cfg})",
        "CODEINTEL_GITHUB_URL (set in the environment)",
        f"CODEINTEL_HOLD_TTL (set in {cfg})",
        "CODEINTEL_KEY_PEPPER",
        "CODEINTEL_RUN_TIMEOUT (set in the environment)",
        "DATABASE_URL (set in the environment)",
    ]
    assert "canary" not in str(found)


def test_postgresql_without_a_pepper(scene: Scene) -> None:
    scene.environ = {"DATABASE_URL": "postgresql://u@h/db"}
    (found,) = scene.look(settings.look_at_values)
    assert found.status == "error"
    assert "CODEINTEL_KEY_PEPPER must be set" in found.found


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("CODEINTEL_KEY_PEPPER = canary_without_quotes", "NameError."),
        ("\nCODEINTEL_KEY_PEPPER = 'canary", "SyntaxError, line 2."),
    ],
)
def test_a_file_that_cannot_be_read_is_not_quoted(scene: Scene, line: str, told: str) -> None:
    cfg = scene.folder / "codeintel.cfg"
    cfg.write_text(line)
    (found,) = scene.look(settings.look_at_values)
    assert (found.status, found.found) == ("error", f"{cfg} cannot be read: {told}")


def test_the_other_settings_are_used_though_one_is_wrong(scene: Scene) -> None:
    scene.environ = {"CODEINTEL_RUN_TIMEOUT": "soon", "CODEINTEL_PUBLIC_URL": "http://x.test"}
    assert scene.look(settings.look_at_addresses).bad == {settings.ADDRESSES: "warning"}


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("CODEINTEL_RUN_TIMEUOT", "Did you mean CODEINTEL_RUN_TIMEOUT?"),
        ("CODEINTEL_GITHUB_TOKN", "Did you mean CODEINTEL_GITHUB_TOKEN?"),
        ("CODEINTEL_DATABASE_URL", "Did you mean DATABASE_URL?"),
        ("CODEINTEL_UR", "Did you mean CODEINTEL_URL?"),
        ("CODEINTEL_ACME", "Remove it, or"),
    ],
)
@pytest.mark.parametrize("place", ["environment", "file"])
def test_unknown_names(scene: Scene, name: str, fix: str, place: str) -> None:
    if place == "file":
        (scene.folder / "codeintel.cfg").write_text(f"{name} = 'canary'\n")
    else:
        scene.environ = {name: "canary"}
    (found,) = scene.look(settings.look_at_names)
    assert found.status == "warning"
    assert found.found.startswith(f"{name} in ")
    assert found.fix.startswith(fix)
    assert "canary" not in str(found)


def test_names_of_the_client_and_of_plugins_are_known(scene: Scene) -> None:
    scene.environ = {
        "CODEINTEL_URL": "http://x.test",
        "CODEINTEL_API_KEY": "k",
        "CODEINTEL_AI_RETRIES": "1",
        "CODEINTEL_REQUIRE_SERVICES": "1",
    }
    assert not scene.look(settings.look_at_names).bad


@pytest.mark.parametrize(
    ("environ", "status", "word"),
    [
        ({"CODEINTEL_KEY_PEPPER": "ab" * 20}, "warning", "CODEINTEL_KEY_PEPPER"),
        ({"CODEINTEL_SESSION_KEY": "-" * 40}, "warning", "CODEINTEL_SESSION_KEY"),
        ({"CODEINTEL_ISSUER_KEY": "canary no key"}, "error", "CODEINTEL_ISSUER_KEY"),
        ({"CODEINTEL_KEY_PEPPER": PEPPER}, "ok", ""),
    ],
)
def test_secrets(scene: Scene, environ: dict[str, str], status: str, word: str) -> None:
    scene.environ = environ
    (found,) = scene.look(settings.look_at_secrets)
    assert found.status == status
    assert word in found.found
    assert not any(value in str(found) for value in environ.values())


@pytest.mark.parametrize(
    ("environ", "status", "word"),
    [
        ({"PUBLIC_URL": "http://code.test"}, "warning", "plain HTTP"),
        ({"PUBLIC_URL": "http://127.0.0.1:8000"}, "ok", ""),
        ({"PUBLIC_URL": "http://[::1]:8000"}, "ok", ""),
        ({"PUBLIC_URL": "https://code.test"}, "warning", "TRUSTED_PROXIES"),
        ({"PUBLIC_URL": "https://code.test", "TRUSTED_PROXIES": "10.0.0.0/8"}, "ok", ""),
        ({"TRUSTED_PROXIES": "10.0.0.0/8"}, "warning", "neither"),
        ({"TRUSTED_PROXIES": "10.0.0.0/8", "ALLOWED_HOSTS": ".code.test"}, "ok", ""),
        (
            {"PUBLIC_URL": "https://code.test", "TRUSTED_PROXIES": "::/0"},
            "error",
            "clients can fake their address",
        ),
        ({"ALLOWED_HOSTS": "https://code.test/"}, "error", "no request matches"),
        ({"ALLOWED_HOSTS": "*.code.test"}, "error", "no request matches"),
    ],
)
def test_addresses(scene: Scene, environ: dict[str, str], status: str, word: str) -> None:
    scene.environ = {f"CODEINTEL_{name}": value for name, value in environ.items()}
    (found,) = scene.look(settings.look_at_addresses)
    assert found.status == status
    assert word in found.found


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        ({"WEB_CONCURRENCY": "4"}, "warning"),
        ({"WEB_CONCURRENCY": "4", "SERVER_WORKERS": "1"}, "ok"),
        ({"WEB_CONCURRENCY": "1"}, "ok"),
        ({"GUNICORN_CMD_ARGS": "--bind :80 --workers=3"}, "warning"),
        ({"GUNICORN_CMD_ARGS": "-w 3", "REDIS_URL": "redis://h"}, "ok"),
        ({"SERVER_WORKERS": "2"}, "error"),
        ({**POSTGRES, "SERVER_WORKERS": "2"}, "error"),
        ({"SERVER_WORKERS": "2", "REDIS_URL": "redis://h"}, "ok"),
        ({"SERVER_WORKERS": "1"}, "ok"),
        ({"SERVER_WORKERS": "many"}, "ok"),
        (POSTGRES, "warning"),
        ({**POSTGRES, "REDIS_URL": "redis://h"}, "ok"),
    ],
)
def test_sharing(scene: Scene, environ: dict[str, str], status: str) -> None:
    scene.environ = environ
    assert scene.look(settings.look_at_sharing).status(settings.SHARING) == status


@pytest.mark.parametrize("name", ["WEB_CONCURRENCY", "GUNICORN_CMD_ARGS"])
def test_serve_does_not_read_what_gunicorn_does(
    monkeypatch: pytest.MonkeyPatch, scene: Scene, name: str
) -> None:
    value = {"WEB_CONCURRENCY": "4", "GUNICORN_CMD_ARGS": "--workers 4"}[name]
    monkeypatch.setenv(name, value)
    assert Application({"workers": 1}).cfg.workers == 1
    scene.environ = {name: value}
    found = scene.look(settings.look_at_sharing)[settings.SHARING].found
    assert name in found
    assert "`codeintel serve` ignores" in found


def test_a_check_that_fails_takes_no_other_down(scene: Scene) -> None:
    def broken(_: Installation) -> None:
        raise ValueError("canary")

    scene.environ = {"CODEINTEL_KEY_PEPPER": "canary"}
    found = scene.look(broken)  # type: ignore[arg-type]
    assert (found.status("checked"), found["checked"].found) == (
        "error",
        "The check failed: ValueError: ***.",
    )
