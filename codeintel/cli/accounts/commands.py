"""`codeintel accounts`: make, invite, list, show and change accounts, export and delete them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from codeintel.base.entitlements import Tier
from codeintel.base.version import DEFAULT_URL
from codeintel.cli import common
from codeintel.cli.accounts.change import change
from codeintel.cli.accounts.data import delete, export
from codeintel.cli.accounts.sessions import confirm_others
from codeintel.cli.output.text import table
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.app import Services
    from codeintel.identity.accounts import Account

_Command = TypeVar("_Command", bound=Callable[..., None])
MAX_CREDITS = 1_000_000_000
SHOWN_ENTRIES = 20


@click.group(short_help="Make, show and invite accounts.")
def accounts() -> None:
    """Make, show and invite accounts."""


accounts.add_command(change)
accounts.add_command(export)
accounts.add_command(delete)


def _new_account_options(command: _Command) -> _Command:
    """What a new account is to be like."""
    for option in (
        click.option("--unlimited", is_flag=True, help="Never charge it."),
        click.option(
            "--credits",
            "amount",
            type=click.IntRange(0, MAX_CREDITS),
            help="Credits to begin with; by default, the setting CODEINTEL_DEFAULT_CREDITS.",
        ),
        click.option(
            "--tier",
            type=click.Choice([tier.value for tier in Tier], case_sensitive=False),
            help="What it may use per hour; by default, the setting CODEINTEL_DEFAULT_TIER.",
        ),
    ):
        command = option(command)
    return command


@accounts.command(short_help="Make an account.")
@click.argument("email")
@_new_account_options
def create(email: str, tier: str | None, amount: int | None, unlimited: bool) -> None:
    """Make an account for EMAIL."""
    with common.open_services(may_make=True) as services:
        made = _made(services, email, tier, amount, unlimited)
    common.write(made)


@accounts.command(short_help="Make a sign-in link.")
@click.argument("email", required=False)
@_new_account_options
@click.option(
    "--url",
    envvar="CODEINTEL_URL",
    show_envvar=True,
    help="Where the service is, if the setting CODEINTEL_PUBLIC_URL does not say it; by default, "
    "where it was last started.",
)
@click.option("--yes", is_flag=True, help="Do not ask about people who already sign in.")
@click.option(
    "--sign-out", "signs_out", is_flag=True, help="End the sessions that the account has now."
)
def invite(
    email: str | None,
    tier: str | None,
    amount: int | None,
    unlimited: bool,
    url: str | None,
    yes: bool,
    signs_out: bool,
) -> None:
    """Make a link that signs EMAIL in, and the account if there is none.

    Without EMAIL it is the account that was made first, such as `codeintel serve` makes one. The
    link alone goes to standard output. Whoever has it can sign in, once: send it in private.
    The options of the account hold for a new one.

    If somebody already signs in to the account at an identity provider, the command says so and
    asks first. --sign-out ends all sessions of the account, after the same question.
    """
    from codeintel.base.errors import ErrorCode, ServiceError
    from codeintel.http.served import last_address
    from codeintel.identity.links import PATH

    with common.open_services(may_make=True) as services:
        told = ""
        try:
            account = services.accounts.find(email) if email else _first(services)
        except ServiceError as error:
            if error.code is not ErrorCode.NOT_FOUND or not email:
                raise
            told = _made(services, email, tier, amount, unlimited)
            account = services.accounts.find(email)
        confirm_others(services, account, signs_out=signs_out, yes=yes)
        token = services.links.make(account.id)
        settings = services.settings
        base = settings.public_url or url or last_address(settings.instance) or DEFAULT_URL
    common.write(
        f"{told}A link that signs in to {account.email}. It works once, for ten minutes, and those "
        "before it have ended:\n",
        err=True,
    )
    common.write(f"{base.rstrip('/')}{PATH}{token}\n")


def _first(services: Services) -> Account:
    account = services.accounts.first()
    if account is None:
        raise Failure("There is no account yet: say for which e-mail address to make one.")
    return account


@accounts.command("list", short_help="List all accounts.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> None:
    """List all accounts, the one made first before the others."""
    from codeintel.identity.accounts import account_lines

    with common.open_services():
        from codeintel.platform.db import db

        lines = account_lines(db.engine)
    if as_json:
        documents = [
            {
                "id": line.id,
                "email": line.email,
                "tier": line.tier,
                "unlimited": line.unlimited,
                "createdAt": _time(line.created_ms),
                "available": line.available,
            }
            for line in lines
        ]
        common.write_json({"accounts": documents})
        return
    rows = [
        (
            line.email,
            line.tier.value,
            "unlimited" if line.unlimited else str(line.available),
            _time(line.created_ms),
            line.id,
        )
        for line in lines
    ]
    headers = ("e-mail", "tier", "credits", "made", "id")
    common.write(table(headers, rows) if rows else "There are no accounts yet.\n")


def _made(
    services: Services, email: str, tier: str | None, amount: int | None, unlimited: bool
) -> str:
    """Make an account, and say so."""
    account = services.accounts.create(
        email,
        Tier(tier) if tier else services.settings.default_tier,
        services.settings.default_credits if amount is None else amount,
        unlimited,
    )
    available = services.ledger.balance(account.id).available
    credit = "" if account.unlimited else f", with {available} credits"
    return f"Made the account {_summary(account)}{credit}.\n"


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
