"""`codeintel keys`, against a real application on SQLite."""

from __future__ import annotations

import json

from administering import EMAIL, make_key, ok, refused, run

from codeintel.base.key_format import is_well_formed
from codeintel.cli import keys as cli_keys
from codeintel.identity.keys import records


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
    assert "was already revoked on 20" in again
    table = ok("keys", "list", EMAIL)
    assert table.startswith("ID ")
    assert "revoked" in table
    assert "\x1b" not in table
    assert token not in table + listed


def test_a_key_without_an_address_is_the_operators() -> None:
    """Check that the account is the one that the sign-in link of `codeintel serve` opens."""
    result = run("keys", "create")
    assert result.exit_code == 0, result.output
    assert is_well_formed(result.stdout.removesuffix("\n"))
    assert "for operator@localhost. Scopes: api:v1, workspace:write." in result.stderr
    (account,) = json.loads(ok("accounts", "list", "--json"))["accounts"]
    assert (account["email"], account["unlimited"]) == ("operator@localhost", True)
    ok("accounts", "create", EMAIL)
    assert "for operator@localhost." in run("keys", "create", "--name", "second").stderr
    (_, key) = json.loads(ok("keys", "list", "operator@localhost", "--json"))["keys"]
    assert key["name"] in {"cli", "second"}


def test_commands_without_an_address_take_the_operators_account() -> None:
    run("keys", "create")
    ok("accounts", "create", EMAIL)
    (key,) = json.loads(ok("keys", "list", "--json"))["keys"]
    assert "for operator@localhost." in run("keys", "rotate", key["id"]).stderr
    assert "of operator@localhost." in ok("keys", "revoke", key["id"])
    assert "revoked" in ok("keys", "list")
    for command in ("rotate", "revoke"):
        assert "Missing argument 'KEY_ID'. Name a key." in refused("keys", command)
        assert "Name a key." in refused("keys", command, EMAIL)
        assert "one key at a time: a, b" in refused("keys", command, EMAIL, "a", "b")


def test_no_account_is_created_for_a_list() -> None:
    ok("accounts", "create", EMAIL)
    ok("accounts", "delete", EMAIL, "--yes")
    assert "There are no accounts." in refused("keys", "list")


def test_a_key_without_an_address_is_of_the_oldest_account() -> None:
    ok("accounts", "create", EMAIL)
    assert f"for {EMAIL}. " in run("keys", "create").stderr


def test_a_key_and_its_replacement() -> None:
    ok("accounts", "create", EMAIL)
    old = make_key("--ttl-days", "3").strip()
    (key,) = json.loads(ok("keys", "list", EMAIL, "--json"))["keys"]
    result = run("keys", "rotate", EMAIL, key["id"], "--overlap", "604800")
    assert result.exit_code == 0
    assert is_well_formed(result.stdout.removesuffix("\n"))
    assert result.stdout.strip() not in {old, result.stderr}
    first, second = json.loads(ok("keys", "list", EMAIL, "--json"))["keys"]
    replaced = next(each for each in (first, second) if each["replacedBy"])
    assert (replaced["id"], replaced["expiresAt"]) == (key["id"], key["expiresAt"])  # not longer
    ends = replaced["expiresAt"].replace("T", " ")[:19]
    assert f"{key['id']} stays valid until {ends} UTC" in result.stderr
    assert "so it cannot be rotated" in refused("keys", "rotate", EMAIL, key["id"])


def test_the_longest_life_is_the_services() -> None:
    """The command cannot import it: that would load the database's libraries for `--help`."""
    assert cli_keys.MAX_TTL_DAYS == records.MAX_TTL_DAYS
    assert cli_keys.MAX_OVERLAP_SECONDS == records.MAX_OVERLAP_SECONDS
    overlap = next(each for each in cli_keys.rotate.params if each.name == "overlap")
    assert overlap.default == records.DEFAULT_OVERLAP_SECONDS


def test_another_accounts_key_is_out_of_reach() -> None:
    ok("accounts", "create", EMAIL)
    ok("accounts", "create", "ben@example.org")
    make_key()
    (key,) = json.loads(ok("keys", "list", EMAIL, "--json"))["keys"]
    assert "does not exist" in refused("keys", "revoke", "ben@example.org", key["id"])
