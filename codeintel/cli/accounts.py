"""`codeintel accounts`: make and show accounts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from codeintel.cli import common
from codeintel.cli.text import table
from codeintel.tiers import Tier

if TYPE_CHECKING:
    from codeintel.accounts.service import Account

MAX_CREDITS = 1_000_000_000
SHOWN_ENTRIES = 20


@click.group(short_help="Make and show accounts.")
def accounts() -> None:
    """Make and show accounts."""


@accounts.command(short_help="Make an account.")
@click.argument("email")
@click.option(
    "--tier",
    type=click.Choice([tier.value for tier in Tier], case_sensitive=False),
    help="What it may use per hour; by default, the setting CODEINTEL_DEFAULT_TIER.",
)
@click.option(
    "--credits",
    "amount",
    type=click.IntRange(0, MAX_CREDITS),
    help="Credits to begin with; by default, the setting CODEINTEL_DEFAULT_CREDITS.",
)
@click.option("--unlimited", is_flag=True, help="Never charge it.")
def create(email: str, tier: str | None, amount: int | None, unlimited: bool) -> None:
    """Make an account for EMAIL."""
    with common.open_services(may_make=True) as services:
        account = services.accounts.create(
            email,
            Tier(tier) if tier else services.settings.default_tier,
            services.settings.default_credits if amount is None else amount,
            unlimited,
        )
        available = services.ledger.balance(account.id).available
    credit = "" if account.unlimited else f", with {available} credits"
    common.write(f"Made the account {_summary(account)}{credit}.\n")


@accounts.command(short_help="Show an account.")
@click.argument("email")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(email: str, as_json: bool) -> None:
    """Show the account of EMAIL: tier, credits, newest entries of its ledger."""
    with common.open_services() as services:
        account = services.accounts.find(email)
        balance = services.ledger.balance(account.id)
        entries = services.ledger.entries(account.id, SHOWN_ENTRIES)
    document: dict[str, Any] = {
        "id": account.id,
        "email": account.email,
        "tier": account.tier.value,
        "unlimited": account.unlimited,
        "createdAt": _time(account.created_ms),
        "credits": {
            "balance": balance.posted,
            "held": balance.held,
            "available": balance.available,
        },
        "entries": [
            {
                "createdAt": _time(entry.created_ms),
                "kind": entry.kind,
                "amount": entry.amount,
                "metered": entry.metered,
                "runId": entry.run_id,
                "reason": entry.reason,
            }
            for entry in entries
        ],
    }
    if as_json:
        common.write_json(document)
        return
    common.write(_shown(document))


def _summary(account: Account) -> str:
    kind = f"{account.tier.value}, unlimited" if account.unlimited else account.tier.value
    return f"{account.email} ({kind}, {account.id})"


def _shown(document: dict[str, Any]) -> str:
    facts = [
        (name, str(document[key]))
        for name, key in (("e-mail", "email"), ("id", "id"), ("tier", "tier"))
    ]
    facts.append(("unlimited", "yes" if document["unlimited"] else "no"))
    facts.append(("made", document["createdAt"]))
    facts += [(name, str(value)) for name, value in document["credits"].items()]
    rows = [
        (
            entry["createdAt"],
            entry["kind"],
            str(entry["amount"]),
            str(entry["metered"]),
            entry["runId"] or "-",
            entry["reason"],
        )
        for entry in document["entries"]
    ]
    headers = ("time", "kind", "amount", "metered", "run", "reason")
    ledger = table(headers, rows, common.terminal_width()) if rows else "No entries yet.\n"
    return table(("account", ""), facts) + "\n" + ledger


def _time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
