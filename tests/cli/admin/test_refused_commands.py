"""The arguments, databases and folders that the commands for operators reject, with their
messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from administering import EMAIL, ok, refused, run
from sqlalchemy.exc import OperationalError


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("accounts create nobody", "'nobody' is not an email address."),
        (f"accounts create {EMAIL}", f"An account for {EMAIL} already exists."),
        ("accounts create b@x --credits -1", "-1 is not in the range"),
        ("accounts create b@x --tier GOLD", "'GOLD' is not one of"),
        (
            "accounts show b@x",
            "exists for b@x. Create one with `codeintel accounts create b@x`.",
        ),
        (
            "credits grant b@x 5 --reason r",
            "exists for b@x. Create one with `codeintel accounts create b@x`.",
        ),
        (f"credits grant {EMAIL} 0 --reason r", "0 is not in the range"),
        (f"credits grant {EMAIL} 9999999999 --reason r", "is not in the range"),
        (f"credits grant {EMAIL} many --reason r", "'many' is not a valid integer"),
        (f"credits grant {EMAIL} 5", "Missing option '--reason'"),
        (f"keys create {EMAIL} --name n --scope all", "'all' is not one of 'api:v1'"),
        (f"keys create {EMAIL} --name n --scope api:v1 --ttl-days 0", "1<=x<=3650"),
        (f"keys create {EMAIL} --name n --scope api:v1 --ttl-days 3651", "1<=x<=3650"),
        (f"keys create {EMAIL} --name {'n' * 101} --scope api:v1", "1 to 100 characters"),
        (
            "keys create b@x --name n --scope api:v1",
            "exists for b@x. Create one with `codeintel accounts create b@x`.",
        ),
        ("keys list b@x", "exists for b@x. Create one with `codeintel accounts create b@x`."),
        (f"keys revoke {EMAIL} key_1", "The API key 'key_1' does not exist."),
        (f"keys rotate {EMAIL} key_1", "The API key 'key_1' does not exist."),
        (
            "keys rotate b@x key_1",
            "exists for b@x. Create one with `codeintel accounts create b@x`.",
        ),
        (f"keys rotate {EMAIL} key_1 --overlap 604801", "0<=x<=604800"),
        ("accounts invite nobody", "'nobody' is not an email address."),
        ("accounts invite b@x --credits -1", "-1 is not in the range"),
    ],
)
def test_refusals(arguments: str, text: str) -> None:
    ok("accounts", "create", EMAIL)
    assert text in refused(*arguments.split(" "))


@pytest.mark.parametrize("reason", ["", "  ", "r" * 201])
def test_reasons(reason: str) -> None:
    message = refused("credits", "grant", EMAIL, "5", "--reason", reason)
    assert "--reason: The reason must have 1 to 200 characters" in message


def test_a_wrong_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_RUN_TIMEOUT", "soon")
    for command in (["accounts", "show", EMAIL], ["plugins"], ["openapi"], ["config"]):
        assert refused(*command).startswith("Error: CODEINTEL_RUN_TIMEOUT (set in the environment)")


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("postgresql://u:hidden@127.0.0.1:1/x", "Connection refused"),
        ("sqlite:////nonexistent/x.db", "Cannot use the folder of the database"),
    ],
)
def test_no_database(monkeypatch: pytest.MonkeyPatch, url: str, text: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("CODEINTEL_KEY_PEPPER", "p" * 32)
    message = refused("keys", "list", EMAIL)
    assert text in message
    assert message.count("\n") == 1
    assert "hidden" not in message


def test_a_database_that_is_something_else(instance: Path) -> None:
    instance.mkdir()
    (instance / "codeintel.db").write_text("not a database" * 100)
    assert "file is not a database" in refused("keys", "list", EMAIL)


def test_database_errors_do_not_show_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("SELECT secret", {"digest": "secret"}, Exception("disk\nis full."))

    ok("accounts", "create", EMAIL)
    monkeypatch.setattr("codeintel.platform.db.migrate.ensure_schema", fail)
    message = refused("keys", "list", EMAIL)
    assert message.startswith("Error: The database reports: disk. ")
    assert "secret" not in message


def test_an_instance_folder_that_is_a_file(instance: Path) -> None:
    instance.write_text("")
    assert "The instance folder cannot be used" in refused("keys", "list", EMAIL)


NO_INSTANCE = "There is no codeintel instance in "


@pytest.mark.parametrize(
    "command",
    [
        f"accounts show {EMAIL}",
        f"credits grant {EMAIL} 5 --reason r",
        f"keys create {EMAIL} --name n --scope api:v1",
        f"keys list {EMAIL}",
        f"keys revoke {EMAIL} key_1",
    ],
)
def test_in_a_wrong_folder_nothing_is_made(instance: Path, command: str) -> None:
    message = refused(*command.split())
    assert message.startswith(f"Error: {NO_INSTANCE}{instance}. ")
    assert "CODEINTEL_INSTANCE" in message
    assert not instance.exists()
    instance.mkdir()
    assert NO_INSTANCE in refused(*command.split())
    assert list(instance.iterdir()) == []


def test_an_account_makes_an_instance_only_where_one_is_meant(
    instance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CODEINTEL_INSTANCE")
    monkeypatch.chdir(tmp_path)
    assert NO_INSTANCE in refused("accounts", "create", EMAIL)
    assert not instance.exists()
    instance.mkdir()  # as in a checkout
    result = run("accounts", "create", EMAIL)
    assert result.exit_code == 0
    assert result.stderr == f"codeintel: created a new database, {instance / 'codeintel.db'}\n"
