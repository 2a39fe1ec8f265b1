"""`codeintel accounts` and `codeintel credits`, against a real application on SQLite."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from administering import EMAIL, ok, refused, run

from codeintel.base.errors import ServiceError
from codeintel.cli.instance import open_services
from codeintel.http.served import remember_address
from codeintel.identity.audit import Actor


def test_an_account_and_its_credits() -> None:
    made = ok("accounts", "create", "Ann@Example.org", "--tier", "pro", "--credits", "5")
    assert made.startswith(f"Created the account {EMAIL} (PRO, acc_")
    assert made.endswith("with 5 credits.\n")
    granted = ok("credits", "grant", EMAIL, "7", "--reason", "thanks")
    assert granted == f"Granted 7 credits to {EMAIL}. 12 credits available.\n"
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


def test_a_tier_is_changed() -> None:
    ok("accounts", "create", EMAIL, "--tier", "free", "--credits", "5")
    assert ok("accounts", "change", EMAIL, "--tier", "team") == (
        f"{EMAIL} now has the tier TEAM and 5 credits.\n"
    )
    assert ok("accounts", "change", EMAIL.upper(), "--unlimited") == (
        f"{EMAIL} now has the tier TEAM and unlimited credits.\n"
    )
    ok("accounts", "change", EMAIL, "--unlimited")  # nothing new, and nothing noted
    ok("accounts", "change", EMAIL, "--tier", "pro", "--counted")
    shown = json.loads(ok("accounts", "show", EMAIL, "--json"))
    assert (shown["tier"], shown["unlimited"]) == ("PRO", False)
    told = json.loads(ok("audit", EMAIL, "--json"))["events"]
    changes = [each["details"] for each in told if each["kind"] == "account.changed"]
    assert changes == [
        {"tier": "PRO", "unlimited": False},
        {"unlimited": True},
        {"tier": "TEAM"},
    ]


def test_changes_that_are_none() -> None:
    ok("accounts", "create", EMAIL)
    assert "Nothing to change" in refused("accounts", "change", EMAIL)
    assert "No account exists for" in refused("accounts", "change", "bob@example.org", "--counted")


def test_invitations(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run("accounts", "invite", "Ann@Example.org", "--tier", "pro", "--credits", "5")
    assert result.exit_code == 0
    assert result.stdout.startswith("http://127.0.0.1:8000/signin/")
    assert len(result.stdout.splitlines()) == 1
    assert result.stdout.strip().rpartition("/")[2] not in result.stderr
    assert f"Created the account {EMAIL} (PRO, acc_" in result.stderr
    assert f"sign in as {EMAIL}. It works once, within 10 minutes" in result.stderr

    again = run("accounts", "invite", EMAIL, "--tier", "team", "--url", "http://code.test:9/")
    assert again.stdout.startswith("http://code.test:9/signin/")
    assert "Created the account" not in again.stderr
    assert json.loads(ok("accounts", "show", EMAIL, "--json"))["tier"] == "PRO"
    monkeypatch.setenv("CODEINTEL_URL", "http://other.test")
    assert ok("accounts", "invite", EMAIL).startswith("http://other.test/signin/")
    monkeypatch.setenv("CODEINTEL_PUBLIC_URL", "https://code.example.org")
    assert ok("accounts", "invite", EMAIL).startswith("https://code.example.org/signin/")


def test_the_first_account_needs_no_address(instance: Path) -> None:
    ok("accounts", "create", EMAIL)
    ok("accounts", "create", "ben@example.org")
    remember_address(instance, "http://127.0.0.1:8019", "http://127.0.0.1:8020")
    result = run("accounts", "invite")
    assert result.stdout.startswith("http://127.0.0.1:8019/signin/")
    assert f"sign in as {EMAIL}." in result.stderr


def test_without_an_account_the_operators_is_created() -> None:
    result = run("accounts", "invite")
    assert "sign in as operator@localhost." in result.stderr
    assert "operator@localhost" in ok("accounts", "list")


def test_an_invitation_works_once(instance: Path) -> None:
    older = ok("accounts", "invite", EMAIL).strip().rpartition("/")[2]
    token = ok("accounts", "invite", EMAIL).strip().rpartition("/")[2]
    with open_services() as services:
        account = services.accounts.find(EMAIL)
        for worn_out in (older, "x"):
            with pytest.raises(ServiceError, match="replaced by a newer one"):
                services.links.consume(worn_out)
        assert services.links.email(token) == EMAIL
        assert services.links.consume(token) == account.id
        with pytest.raises(ServiceError):
            services.links.consume(token)
    assert token.encode() not in (instance / "codeintel.db").read_bytes()


def test_an_invitation_to_an_account_that_somebody_signs_in_to() -> None:
    """A stranger may have got it at a provider with sign-up, under the invited person's address."""
    ok("accounts", "create", EMAIL)
    with open_services() as services:
        account_id = services.accounts.find(EMAIL).id
        stranger = Actor("provider:other", "192.0.2.1")
        services.identities.join(account_id, "https://id.example.com", "7", EMAIL, stranger)
        session = services.sessions.open(account_id, "https://id.example.com")
    told = refused("accounts", "invite", EMAIL)
    assert f"is connected to an identity at https://id.example.com as {EMAIL} since 20" in told
    assert "No link was created" in told and "--yes" in told
    assert "0 sessions" in told, "sessions are nobody's business unless they are to end"
    result = run("accounts", "invite", EMAIL, "--yes")
    assert "/signin/" in result.stdout and "is connected to an identity" in result.stderr
    assert "1 session to end" in refused("accounts", "invite", EMAIL, "--sign-out")
    with open_services() as services:
        assert services.sessions.find(session) is not None, "nothing ends without a confirmation"
    result = run("accounts", "invite", EMAIL, "--sign-out", "--yes")
    assert f"Ended 1 session of {EMAIL}." in result.stderr
    with open_services() as services:
        assert services.sessions.find(session) is None


def test_all_accounts() -> None:
    ok("accounts", "create", EMAIL, "--credits", "5")
    ok("accounts", "create", "boss@example.org", "--unlimited", "--tier", "team")
    listed = json.loads(ok("accounts", "list", "--json"))["accounts"]
    assert [(each["email"], each["tier"], each["unlimited"]) for each in listed] == [
        (EMAIL, "FREE", False),
        ("boss@example.org", "TEAM", True),
    ]
    assert listed[0]["available"] == 5
    lines = ok("accounts", "list").splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["EMAIL", "TIER", "CREDITS"],
        [EMAIL, "FREE", "5"],
        ["boss@example.org", "TEAM", "unlimited"],
    ]


def test_no_accounts(instance: Path) -> None:
    assert "There is no codeintel instance" in refused("accounts", "list")
    ok("accounts", "create", EMAIL)
    with sqlite3.connect(instance / "codeintel.db") as database:
        for name in ("audit_events", "ledger_entries", "balances", "accounts"):
            database.execute(f"DELETE FROM {name}")
    database.close()
    assert ok("accounts", "list") == (
        "No accounts yet. Create one with `codeintel accounts create EMAIL`.\n"
    )
