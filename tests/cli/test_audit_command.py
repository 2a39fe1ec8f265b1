"""`codeintel audit`, against a real application on SQLite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codeintel.cli import main
from codeintel.cli.instance import open_services
from codeintel.cli.keys import audit
from codeintel.identity.audit import Actor

ANN, BEN = "ann@example.org", "ben@example.org"


@pytest.fixture
def _lives(instance: Path) -> None:
    """Create two accounts with events."""
    assert not instance.exists()
    for email in (ANN, BEN):
        run("accounts", "create", email, "--credits", "5")
    run("keys", "create", ANN, "--name", "ci\x1b[2J", "--scope", "api:v1")
    with open_services() as services:
        account = services.accounts.find(ANN)
        (key,) = services.keys.list(account.id)
        services.keys.revoke(account.id, key.id, actor=Actor("session:ses_1", "192.0.2.7"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def told(*arguments: str) -> Result:
    return CliRunner().invoke(audit, arguments)


def events(*arguments: str) -> list[dict[str, Any]]:
    result = told("--json", *arguments)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["events"]
    return found


@pytest.mark.usefixtures("_lives")
def test_what_was_done_newest_first() -> None:
    found = events(ANN)
    assert [each["kind"] for each in found][:2] == ["key.revoked", "key.created"]
    assert {each["kind"] for each in found[2:]} == {"account.made", "credits.grant"}
    revoked, created = found[:2]
    assert (revoked["actor"], revoked["address"]) == ("session:ses_1", "192.0.2.7")
    assert (created["actor"], created["address"]) == ("command line", "")
    assert created["subject"] == revoked["subject"]
    assert created["details"]["scopes"] == "api:v1"
    assert {each["email"] for each in found} == {ANN}
    assert {each["email"] for each in events()} == {ANN, BEN}


@pytest.mark.usefixtures("_lives")
def test_a_list_for_people() -> None:
    result = told(ANN)
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["TIME", "ACCOUNT", "WHAT", "BY", "ADDRESS", "SUBJECT", "DETAILS"]
    assert "192.0.2.7" in lines[1]
    assert "name ci\\x1b[2J" in lines[1]
    assert "\x1b" not in result.stdout
    assert "amount 5" in result.stdout


@pytest.mark.usefixtures("_lives")
def test_pages() -> None:
    everything = events()
    seen: list[dict[str, Any]] = []
    page = events("--limit", "2")
    while page:
        seen += page
        page = events("--limit", "2", "--before", page[-1]["at"])
    assert seen == everything
    assert events("--before", "2020-01-31") == []
    assert told("--before", "2020-01-31T12:00").stdout == "No events yet.\n"
    assert len(events("--limit", "1")) >= 1


@pytest.mark.usefixtures("_lives")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            ["nobody@example.org"],
            "for nobody@example.org. Create one with `codeintel accounts create nobody@",
        ),
        (["--limit", "0"], "0 is not in the range"),
        (["--limit", "501"], "501 is not in the range"),
        (["--before", "yesterday"], "'yesterday' is not a time. Example: 2026-01-31T12:00:00Z."),
    ],
)
def test_refusals(arguments: list[str], text: str) -> None:
    result = told(*arguments)
    assert result.exit_code == 2
    assert text in result.stderr
    assert isinstance(result.exception, SystemExit)
