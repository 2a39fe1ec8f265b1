"""`codeintel accounts`: make, invite, list, show and change accounts, export and delete them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from codeintel.base.entitlements import Tier
from codeintel.base.version import DEFAULT_URL
from codeintel.base.wording import printable
from codeintel.cli import common
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


def confirm_others(services: Services, account: Account, *, signs_out: bool, yes: bool) -> None:
    """Tell the operator about identities that already sign in to the account, and ask; then end
    its sessions if that was asked for.

    A provider with sign-up makes accounts for strangers. An invitation to such an account would
    let the invited person into a place that the stranger can read.

    :raises Failure: if there is nobody to ask and `yes` was not given.
    """
    from codeintel.identity.audit import OPERATOR

    identities = services.identities.list(account.id)
    sessions = services.sessions.list(account.id) if signs_out else []
    for each in identities:
        told = f" as {each.email}" if each.email else ""
        common.write_line(
            f"{account.email}: somebody already signs in at {printable(each.issuer)}"
            f"{printable(told)}, since {each.created_at:%Y-%m-%d}.",
            err=True,
        )
    if (identities or sessions) and not yes:
        _ask(account, len(identities), len(sessions))
    if signs_out:
        ended = services.sessions.end_all(account.id, OPERATOR)
        common.write_line(f"Ended {ended} sessions of {account.email}.", err=True)


def _ask(account: Account, identities: int, sessions: int) -> None:
    """:raises Failure: where nobody can answer."""
    if not sys.stdin.isatty():
        raise Failure(
            f"No link was made: {account.email} already has {identities} identities and "
            f"{sessions} sessions to end. Repeat the command with --yes if that is right, or "
            f"delete the account first: `codeintel accounts delete {account.email}`."
        )
    question = f"Make a link to this account{' and end its sessions' if sessions else ''}?"
    click.confirm(question, abort=True, err=True)


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
    common.write(common.table(headers, rows) if rows else "There are no accounts yet.\n")


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
    ledger = common.table(headers, rows, common.terminal_width()) if rows else "No entries yet.\n"
    return common.table(("account", ""), facts) + "\n" + ledger


@accounts.command(short_help="Change an account's tier.")
@click.argument("email")
@click.option(
    "--tier",
    type=click.Choice([tier.value for tier in Tier], case_sensitive=False),
    help="What it may use per hour.",
)
@click.option(
    "--unlimited/--counted", default=None, help="Whether its credits are never charged, or are."
)
def change(email: str, tier: str | None, unlimited: bool | None) -> None:
    """Change tier and credits of EMAIL's account.

    Keys, sessions and tokens of the account have the new limits within seconds. Runs that are
    under way are charged as they began. With another tier what may be used in this hour begins
    anew. Credits are added by `codeintel credits grant`.
    """
    if tier is None and unlimited is None:
        raise click.UsageError("Nothing to change: give --tier, --unlimited or --counted.")
    with common.open_services() as services:
        account = services.accounts.change(
            email, tier=Tier(tier) if tier else None, unlimited=unlimited
        )
        available = services.ledger.balance(account.id).available
    credit = "unlimited credits" if account.unlimited else f"{available} credits"
    common.write_line(f"{account.email} has tier {account.tier.value} and {credit}.")


@accounts.command(short_help="Export what is stored of a person.")
@click.argument("email")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def export(email: str, file: Path | None) -> None:
    """Write all that is stored of EMAIL into the zip FILE, by default <EMAIL>.zip.

    It has the account, its credits, sign-ins and keys, all without tokens, its runs with results,
    and its workspaces with all their files and reports. Only you can read the file.
    """
    from codeintel.identity.audit import OPERATOR

    target = file or Path(f"{email.strip().lower().replace('/', '-')}.zip")
    with common.open_services() as services:
        account = services.accounts.find(email)
        try:
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise Failure(f"There is a file {target} already: choose another.") from None
        except OSError as error:
            raise Failure(f"{target} cannot be written: {error.strerror}.") from None
        try:
            with os.fdopen(descriptor, "wb") as stream:
                services.personal_data.note_export(account.id, OPERATOR)
                for piece in services.personal_data.export(account.id):
                    stream.write(piece)
        except BaseException:
            target.unlink()
            raise
    common.write_line(f"Wrote {target}: what is stored of {account.email}.")


@accounts.command(short_help="Delete an account.")
@click.argument("email")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(email: str, yes: bool) -> None:
    """Delete the account of EMAIL with all that is stored of it, for good.

    Keys stop working, browsers are signed out, runs end; workspaces, results and the account's
    part of the audit log are deleted; credits are forfeited. The ledger keeps what was charged, of
    an account without a name. The address is free for another account. Backups keep what they have.
    """
    from codeintel.identity.audit import OPERATOR

    with common.open_services() as services:
        account = services.accounts.find(email)
        if not yes:
            question = f"Delete {account.email} and all that is stored of it, for good?"
            click.confirm(question, abort=True, err=True)
        services.personal_data.delete(account.id, OPERATOR)
    common.write_line(
        f"Deleted {account.email}. Its entries in the ledger are of {account.id} now."
    )


def _summary(account: Account) -> str:
    kind = f"{account.tier.value}, unlimited" if account.unlimited else account.tier.value
    return f"{account.email} ({kind}, {account.id})"


def _time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
