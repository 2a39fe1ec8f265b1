"""`codeintel backup`, `restore`, `accounts export` and `delete`."""

from __future__ import annotations

import json
import re
import shutil
import stat
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeintel.cli import main

EMAIL = "ann@example.org"


pytestmark = pytest.mark.usefixtures("instance")


def run(*arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=answer)


def ok(*arguments: str, answer: str | None = None) -> str:
    result = run(*arguments, answer=answer)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: str) -> str:
    """Return the message of a command that must fail without a traceback."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert isinstance(result.exception, SystemExit)
    return result.stderr


def emails() -> list[str]:
    return [each["email"] for each in json.loads(ok("accounts", "list", "--json"))["accounts"]]


def test_a_restore_drill(instance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ok("accounts", "create", EMAIL)
    ok("keys", "create", EMAIL, "--name", "ci", "--scope", "api:v1")
    told = ok("backup", "day.zip", "--with-secrets")
    assert re.match(r"Wrote day.zip \([\d.]+ KiB\): 7 rows of ", told)
    assert "revision 0016, with the key pepper.\n" in told
    assert stat.S_IMODE(Path("day.zip").stat().st_mode) == 0o600
    assert "The file day.zip already exists" in refused("backup", "day.zip")
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(tmp_path / "drill"))
    told = ok("restore", "day.zip")
    assert told.splitlines()[0].startswith("Restored 7 rows of ")
    assert emails() == [EMAIL]
    assert (tmp_path / "drill" / "key_pepper").read_text() == (instance / "key_pepper").read_text()
    audit = json.loads(ok("audit", "--json"))["events"]
    assert audit[0]["kind"] == "database.restored"
    assert "database.restored" in ok("audit")


def test_replacing_is_asked_for(instance: Path) -> None:
    ok("accounts", "create", EMAIL)
    ok("backup", "day.zip")
    ok("accounts", "create", "later@example.org")
    assert "--replace" in refused("restore", "day.zip")
    kept = run("restore", "day.zip", "--replace", answer="n\n")
    assert kept.exit_code == 1
    assert emails() == [EMAIL, "later@example.org"]
    told = ok("restore", "day.zip", "--replace", answer="y\n")
    assert emails() == [EMAIL]
    [aside] = instance.glob("codeintel.db.before-restore-*.bak")
    assert str(aside) in told
    ok("restore", "day.zip", "--replace", "--yes")


def test_who_may_come_in_again_is_told() -> None:
    ok("accounts", "create", EMAIL)
    ok("keys", "create", EMAIL, "--name", "ci", "--scope", "api:v1")
    ok("backup", "day.zip")
    [key] = json.loads(ok("keys", "list", EMAIL, "--json"))["keys"]
    ok("keys", "revoke", EMAIL, key["id"])
    told = ok("restore", "day.zip", "--replace", "--yes")
    assert re.search(r"keys that were revoked or rotated after \d{4}-\S+ \S+ UTC work again", told)
    assert "restore with --revoke-keys.\nAccounts that were deleted after " in told
    assert "Queued 0 jobs again and cancelled 0 jobs.\n" in told
    assert json.loads(ok("keys", "list", EMAIL, "--json"))["keys"][0]["revokedAt"] is None
    told = ok("restore", "day.zip", "--replace", "--yes", "--revoke-keys")
    assert "Revoked 1 API key.\nAccounts that were deleted after " in told
    assert "work again" not in told


def test_wrong_places_and_files(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "does not exist" in refused("backup", "day.zip")
    Path("notes.txt").write_text("hello")
    assert "This is not a complete codeintel backup" in refused("restore", "notes.txt")
    assert "does not exist" in run("restore", "none.zip").stderr
    ok("accounts", "create", EMAIL)
    ok("backup", "day.zip")
    assert "does not exist" in refused("backup", "none/day.zip")
    shutil.rmtree(instance)
    assert "a different key pepper" in refused("restore", "day.zip")
    assert not (instance / "codeintel.db").exists()
    ok("restore", "day.zip", "--revoke-keys")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    monkeypatch.delenv("CODEINTEL_INSTANCE")
    assert "The instance folder " in refused("restore", "../day.zip")
    monkeypatch.setenv("DATABASE_URL", "mysql://h/d")
    assert refused("backup", "x.zip").startswith("Error: DATABASE_URL")


def test_export_and_deletion_of_a_person() -> None:
    ok("accounts", "create", EMAIL)
    ok("accounts", "create", "bob@example.org")
    token = ok("keys", "create", EMAIL, "--name", "ci", "--scope", "api:v1").strip()
    ok("accounts", "export", EMAIL)
    mine = Path(f"{EMAIL}.zip")
    assert stat.S_IMODE(mine.stat().st_mode) == 0o600
    with zipfile.ZipFile(mine) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
        assert json.loads(archive.read("account.json"))["email"] == EMAIL
    assert token.encode() not in everything
    assert "already exists" in refused("accounts", "export", EMAIL)
    assert "Cannot write" in refused("accounts", "export", EMAIL, "none/x.zip")
    kinds = [each["kind"] for each in json.loads(ok("audit", "--json"))["events"]]
    assert kinds.count("account.exported") == 1  # only what was begun is noted
    assert "No account exists for" in refused("accounts", "export", "nobody@example.org")
    assert run("accounts", "delete", EMAIL, answer="n\n").exit_code == 1
    assert emails() == [EMAIL, "bob@example.org"]
    assert ok("accounts", "delete", EMAIL, answer="y\n").startswith(f"Deleted {EMAIL}.")
    assert emails() == ["bob@example.org"]
    assert "No account exists for" in refused("accounts", "delete", EMAIL, "--yes")
    ok("accounts", "create", EMAIL)
    assert EMAIL not in ok("audit").split("account.deleted")[1].splitlines()[0]
