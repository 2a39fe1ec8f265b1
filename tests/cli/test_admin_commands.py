"""The commands that manage a service, against a real application on SQLite."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy.exc import OperationalError

from codeintel.cli import keys as cli_keys
from codeintel.cli import main
from codeintel.keys import service as key_service
from codeintel.keys.tokens import is_well_formed

EMAIL = "ann@example.org"


@pytest.fixture(autouse=True)
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An instance folder of its own, and no plugins but those that a test drops in."""
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setattr("codeintel_plugins.BUILTIN_MODULES", ())
    return tmp_path / "instance"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def ok(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: str) -> str:
    """The message of a command that must fail without a traceback."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert isinstance(result.exception, SystemExit)
    return result.stderr


def make_key(*more: str) -> str:
    return ok("keys", "create", EMAIL, "--name", "ci", "--scope", "analysis:write", *more)


def test_an_account_and_its_credits() -> None:
    made = ok("accounts", "create", "Ann@Example.org", "--tier", "pro", "--credits", "5")
    assert made.startswith(f"Made the account {EMAIL} (PRO, acc_")
    assert made.endswith("with 5 credits.\n")
    granted = ok("credits", "grant", EMAIL, "7", "--reason", "thanks")
    assert granted == f"Granted 7 credits to {EMAIL}: 12 are available now.\n"
    shown = json.loads(ok("accounts", "show", EMAIL, "--json"))
    assert (shown["email"], shown["tier"], shown["unlimited"]) == (EMAIL, "PRO", False)
    assert shown["credits"] == {"balance": 12, "held": 0, "available": 12}
    assert [(entry["amount"], entry["reason"]) for entry in shown["entries"]] == [
        (7, "thanks"),
        (5, "account created"),
    ]
    table = ok("accounts", "show", EMAIL)
    assert "available  12\n" in table
    assert "thanks\n" in table


def test_an_account_as_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_DEFAULT_TIER", "TEAM")
    monkeypatch.setenv("CODEINTEL_DEFAULT_CREDITS", "0")
    assert "(TEAM, unlimited, acc_" in ok("accounts", "create", EMAIL, "--unlimited")
    assert "No entries yet." in ok("accounts", "show", EMAIL)


def test_the_life_of_a_key() -> None:
    ok("accounts", "create", EMAIL)
    assert "has no API keys" in ok("keys", "list", EMAIL)
    result = run(
        *("keys", "create", EMAIL, "--name", "ci\x1b[2J", "--ttl-days", "1"),
        *("--scope", "analysis:write", "--scope", "search:read"),
    )
    token = result.stdout.removesuffix("\n")
    assert is_well_formed(token)
    assert token not in result.stderr
    assert "\\x1b[2J" in result.stderr
    listed = run("keys", "list", EMAIL, "--json").stdout
    (key,) = json.loads(listed)["keys"]
    assert key["scopes"] == ["search:read", "analysis:write"]
    assert (key["status"], key["lastUsedAt"]) == ("active", None)
    assert ok("keys", "revoke", EMAIL, key["id"]).startswith("Revoked the key ci\\x1b[2J (key_")
    assert "ci\\x1b[2J" in (again := ok("keys", "revoke", EMAIL, key["id"]))
    assert "was revoked already, on 20" in again
    table = ok("keys", "list", EMAIL)
    assert table.startswith("ID ")
    assert "revoked" in table
    assert "\x1b" not in table
    assert token not in table + listed


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("accounts create nobody", "'nobody' is not an e-mail address."),
        (f"accounts create {EMAIL}", f"There is an account for {EMAIL} already."),
        ("accounts create b@x --credits -1", "-1 is not in the range"),
        ("accounts create b@x --tier GOLD", "'GOLD' is not one of"),
        ("accounts show b@x", "There is no account for b@x."),
        ("credits grant b@x 5 --reason r", "There is no account for b@x."),
        (f"credits grant {EMAIL} 0 --reason r", "0 is not in the range"),
        (f"credits grant {EMAIL} 9999999999 --reason r", "is not in the range"),
        (f"credits grant {EMAIL} many --reason r", "'many' is not a valid integer"),
        (f"credits grant {EMAIL} 5", "Missing option '--reason'"),
        (f"keys create {EMAIL} --name n", "Missing option '--scope'"),
        (f"keys create {EMAIL} --scope api:v1", "Missing option '--name'"),
        (f"keys create {EMAIL} --name n --scope all", "'all' is not one of 'api:v1'"),
        (f"keys create {EMAIL} --name n --scope api:v1 --ttl-days 0", "1<=x<=3650"),
        (f"keys create {EMAIL} --name n --scope api:v1 --ttl-days 3651", "1<=x<=3650"),
        (f"keys create {EMAIL} --name {'n' * 101} --scope api:v1", "1 to 100 characters"),
        ("keys create b@x --name n --scope api:v1", "There is no account for b@x."),
        ("keys list b@x", "There is no account for b@x."),
        (f"keys revoke {EMAIL} key_1", "There is no API key 'key_1'."),
    ],
)
def test_refusals(arguments: str, text: str) -> None:
    ok("accounts", "create", EMAIL)
    assert text in refused(*arguments.split(" "))


@pytest.mark.parametrize("reason", ["", "  ", "r" * 201])
def test_reasons(reason: str) -> None:
    message = refused("credits", "grant", EMAIL, "5", "--reason", reason)
    assert "--reason: must have 1 to 200 characters" in message


def test_the_longest_life_is_the_services() -> None:
    """The command cannot import it: that would load the database's libraries for `--help`."""
    assert cli_keys.MAX_TTL_DAYS == key_service.MAX_TTL_DAYS


def test_another_accounts_key_is_out_of_reach() -> None:
    ok("accounts", "create", EMAIL)
    ok("accounts", "create", "ben@example.org")
    make_key()
    (key,) = json.loads(ok("keys", "list", EMAIL, "--json"))["keys"]
    assert "There is no API key" in refused("keys", "revoke", "ben@example.org", key["id"])


def test_a_wrong_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_RUN_TIMEOUT", "soon")
    for command in (["accounts", "show", EMAIL], ["plugins"], ["openapi"], ["config"]):
        assert refused(*command).startswith("Error: CODEINTEL_RUN_TIMEOUT (set in the environment)")


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("postgresql://u:hidden@127.0.0.1:1/x", "Connection refused"),
        ("sqlite:////nonexistent/x.db", "folder cannot be used"),
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
    def fail(*_: object) -> None:
        raise OperationalError("SELECT secret", {"digest": "secret"}, Exception("disk\nis full."))

    ok("accounts", "create", EMAIL)
    monkeypatch.setattr("codeintel.db.migrate.ensure_schema", fail)
    message = refused("keys", "list", EMAIL)
    assert message.startswith("Error: The database reports: disk. ")
    assert "secret" not in message


def test_an_instance_folder_that_is_a_file(instance: Path) -> None:
    instance.write_text("")
    assert "The instance folder cannot be used" in refused("keys", "list", EMAIL)


NO_INSTANCE = "There is no instance of codeintel in "


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
    assert result.stderr == f"codeintel: made a new database, {instance / 'codeintel.db'}\n"


@pytest.mark.parametrize("command", ["plugins", "rules", "openapi"])
def test_listings_leave_no_folder_behind(instance: Path, command: str) -> None:
    result = run(command)
    assert result.exit_code == 0
    assert (str(instance) in result.stderr) == (command == "plugins")
    assert not instance.exists()


def test_a_broken_plugin_is_one_line(instance: Path) -> None:
    (instance / "plugins").mkdir(parents=True)
    (instance / "plugins" / "bad.py").write_text("x = 1\nraise ValueError('one\\ntwo')\n")
    (instance / "plugins" / "odd.py").write_text("def f(:\n")
    lines = run("rules").stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].endswith("bad.py) is not in use: ValueError: one two (line 2)")
    assert lines[1].endswith("odd.py) is not in use: SyntaxError: invalid syntax (line 1)")


def test_plugins(instance: Path) -> None:
    folder = instance / "plugins"
    folder.mkdir(parents=True)
    (folder / "bad.py").write_text("raise ValueError('\\x1b[2J')\n")
    (folder / "good.py").write_text("")
    result = run("plugins")
    assert result.exit_code == 0
    assert [line.split()[:3] for line in result.stdout.splitlines()] == [
        ["NAME", "STATUS", "ORIGIN"],
        ["bad", "broken", "drop-in"],
        ["good", "ok", "drop-in"],
    ]
    assert "ValueError: \\x1b[2J" in result.stdout
    assert result.stderr.endswith("Broken and not in use: bad.\n")
    assert "Traceback" not in result.output
    assert "\x1b" not in result.output
    bad, good = json.loads(run("plugins", "--json").stdout)["plugins"]
    assert bad["error"] == "ValueError: \x1b[2J (line 1)"
    assert good == {
        "name": "good",
        "origin": "drop-in",
        "location": str(folder / "good.py"),
        "error": None,
        "provides": {},
        "advice": "registers nothing: is @hookimpl missing?",
    }


def test_no_plugins() -> None:
    assert ok("plugins") == "No plugins.\n"


def test_plugins_that_collide(instance: Path) -> None:
    (instance / "plugins").mkdir(parents=True)
    for name in ("one", "two"):
        (instance / "plugins" / f"{name}.py").write_text(
            "import codeintel\n"
            "from codeintel.contracts import Analyzer\n"
            "class Same(Analyzer):\n"
            "    name, languages = 'same', None\n"
            "    def analyze(self, request): return iter(())\n"
            "@codeintel.hookimpl\n"
            "def register_analyzers(register): register(Same())\n"
        )
    assert "registered by both 'one' and 'two'" in refused("plugins")


def test_openapi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_PUBLIC_URL", "https://code.example.org")
    document = json.loads(ok("openapi"))
    assert document["openapi"].startswith("3.1")
    assert document["servers"] == [{"url": "https://code.example.org"}]
