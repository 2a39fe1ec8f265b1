"""`codeintel accounts`: create, invite, list, show, change, export and delete accounts."""

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
from codeintel.base.wording import counted, printable
from codeintel.cli import instance, output
from codeintel.cli.suggestions import Choice
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.app import Services
    from codeintel.identity.accounts import Account

_Command = TypeVar("_Command", bound=Callable[..., None])
MAX_CREDITS = 1_000_000_000
SHOWN_ENTRIES = 20


@click.group(short_help="Manage accounts.")
def accounts() -> None:
    """Create, invite, list, show, change, export and delete accounts."""


def _new_account_options(command: _Command) -> _Command:
    """Add the options of a new account."""
    for option in (
        click.option("--unlimited", is_flag=True, help="Never charge the account."),
        click.option(
            "--credits",
            "amount",
            type=click.IntRange(0, MAX_CREDITS),
            help="Initial credits. Default: the setting CODEINTEL_DEFAULT_CREDITS.",
        ),
        click.option(
            "--tier",
            type=Choice([tier.value for tier in Tier], case_sensitive=False),
            help="The tier, which sets the hourly limits. Default: the setting "
            "CODEINTEL_DEFAULT_TIER.",
        ),
    ):
        command = option(command)
    return command


@accounts.command(short_help="Create an account.")
@click.argument("email")
@_new_account_options
def create(email: str, tier: str | None, amount: int | None, unlimited: bool) -> None:
    """Create an account for EMAIL."""
    with instance.open_services(may_make=True) as services:
        made = _made(services, email, tier, amount, unlimited)
    output.write(made)


def _made(
    services: Services, email: str, tier: str | None, amount: int | None, unlimited: bool
) -> str:
    """Create an account. Return the message for the user."""
    account = services.accounts.create(
        email,
        Tier(tier) if tier else services.settings.default_tier,
        services.settings.default_credits if amount is None else amount,
        unlimited,
    )
    available = services.ledger.balance(account.id).available
    credit = "" if account.unlimited else f" with {counted(available, 'credit')}"
    return f"Created the account {_summary(account)}{credit}.\n"


@accounts.command(short_help="Create a sign-in link.")
@click.argument("email", required=False)
@_new_account_options
@click.option(
    "--url",
    envvar="CODEINTEL_URL",
    show_envvar=True,
    help="The address of the service, if the setting CODEINTEL_PUBLIC_URL is empty. Default: the "
    "address where the service was last started.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option(
    "--sign-out", "signs_out", is_flag=True, help="End the current sessions of the account."
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
    """Create a one-time sign-in link for EMAIL. The account is created if it does not exist.

    Without EMAIL, the link opens the operator's account, the same one as the link that
    `codeintel serve` prints. Only the link goes to standard output. Anyone who has the link can
    use it, once. Send it privately. --tier, --credits and --unlimited apply to a new account.

    The command asks for confirmation if an identity provider is already connected to the account,
    and before --sign-out ends sessions.
    """
    from codeintel.base.errors import ErrorCode, ServiceError
    from codeintel.http.served import last_address
    from codeintel.identity.links import LINK_SECONDS, PATH

    with instance.open_services(may_make=True) as services:
        told = ""
        try:
            account = services.accounts.find(email) if email else services.accounts.operator()
        except ServiceError as error:
            if error.code is not ErrorCode.NOT_FOUND or not email:
                raise
            told = _made(services, email, tier, amount, unlimited)
            account = services.accounts.find(email)
        confirm_others(services, account, signs_out=signs_out, yes=yes)
        token = services.links.make(account.id)
        settings = services.settings
        base = settings.public_url or url or last_address(settings.instance) or DEFAULT_URL
    output.write(
        f"{told}Open this link to sign in as {account.email}. It works once, within "
        f"{LINK_SECONDS // 60} minutes. Earlier links no longer work.\n",
        err=True,
    )
    output.write(f"{base.rstrip('/')}{PATH}{token}\n")


def confirm_others(services: Services, account: Account, *, signs_out: bool, yes: bool) -> None:
    """Show the identities that are connected to the account and ask for confirmation. Then end its
    sessions if `signs_out` is set.

    A provider with open sign-up creates accounts for strangers. An invitation to such an account
    would let the stranger read what the invited person stores there.

    :raises Failure: if confirmation is needed and standard input is not a terminal.
    """
    from codeintel.identity.audit import OPERATOR

    identities = services.identities.list(account.id)
    sessions = services.sessions.list(account.id) if signs_out else []
    for each in identities:
        told = f" as {each.email}" if each.email else ""
        output.write_line(
            f"{account.email} is connected to an identity at {printable(each.issuer)}"
            f"{printable(told)} since {each.created_at:%Y-%m-%d}.",
            err=True,
        )
    if (identities or sessions) and not yes:
        _ask(account, len(identities), len(sessions))
    if signs_out:
        ended = services.sessions.end_all(account.id, OPERATOR)
        output.write_line(f"Ended {counted(ended, 'session')} of {account.email}.", err=True)


def _ask(account: Account, identities: int, sessions: int) -> None:
    """Ask for confirmation.

    :raises Failure: if standard input is not a terminal.
    """
    if not sys.stdin.isatty():
        raise Failure(
            f"No link was created. {account.email} is connected to "
            f"{counted(identities, 'identity provider')} and has {counted(sessions, 'session')} to "
            "end. To continue, repeat the command with --yes. To start over, run `codeintel "
            f"accounts delete {account.email}`."
        )
    question = f"Create a link to this account{' and end its sessions' if sessions else ''}?"
    click.confirm(question, abort=True, err=True)


@accounts.command("list", short_help="List all accounts.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> None:
    """List all accounts, oldest first."""
    from codeintel.identity.accounts import account_lines

    with instance.open_services():
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
        output.write_json({"accounts": documents})
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
    headers = ("email", "tier", "credits", "created", "id")
    output.write(
        output.table(headers, rows)
        if rows
        else "No accounts yet. Create one with `codeintel accounts create EMAIL`.\n"
    )


@accounts.command(short_help="Show an account.")
@click.argument("email")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(email: str, as_json: bool) -> None:
    """Show the tier, the credits and the newest ledger entries of the account EMAIL."""
    with instance.open_services() as services:
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
        output.write_json(document)
        return
    output.write(_shown(document))


def _shown(document: dict[str, Any]) -> str:
    facts = [
        (name, str(document[key]))
        for name, key in (("e-mail", "email"), ("id", "id"), ("tier", "tier"))
    ]
    facts.append(("unlimited", "yes" if document["unlimited"] else "no"))
    facts.append(("created", document["createdAt"]))
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
    ledger = output.table(headers, rows, output.terminal_width()) if rows else "No entries yet.\n"
    return output.table(("account", ""), facts) + "\n" + ledger


@accounts.command(short_help="Change an account's tier.")
@click.argument("email")
@click.option(
    "--tier",
    type=Choice([tier.value for tier in Tier], case_sensitive=False),
    help="The tier, which sets the hourly limits.",
)
@click.option("--unlimited/--counted", default=None, help="Never charge the account, or charge it.")
def change(email: str, tier: str | None, unlimited: bool | None) -> None:
    """Change the tier of the account EMAIL, or whether it is charged.

    The new limits apply to its keys, sessions and tokens within seconds. Runs that have started
    keep their price. A new tier resets the usage of the current hour. To add credits, use
    `codeintel credits grant`.
    """
    if tier is None and unlimited is None:
        raise click.UsageError("Nothing to change. Add --tier, --unlimited or --counted.")
    with instance.open_services() as services:
        account = services.accounts.change(
            email, tier=Tier(tier) if tier else None, unlimited=unlimited
        )
        available = services.ledger.balance(account.id).available
    credit = "unlimited credits" if account.unlimited else counted(available, "credit")
    output.write_line(f"{account.email} now has the tier {account.tier.value} and {credit}.")


@accounts.command(short_help="Export the data of an account.")
@click.argument("email")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def export(email: str, file: Path | None) -> None:
    """Write all data of the account EMAIL to a ZIP file. FILE defaults to <EMAIL>.zip.

    The file contains the account, its credits, sign-ins and keys (without tokens), its runs with
    their results, and its workspaces with all files and reports. Only your user can read the file.
    """
    from codeintel.identity.audit import OPERATOR

    target = file or Path(f"{email.strip().lower().replace('/', '-')}.zip")
    with instance.open_services() as services:
        account = services.accounts.find(email)
        try:
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise Failure(f"{target} already exists. Choose another file.") from None
        except OSError as error:
            raise Failure(f"Cannot write {target}: {error.strerror}.") from None
        try:
            with os.fdopen(descriptor, "wb") as stream:
                services.personal_data.note_export(account.id, OPERATOR)
                for piece in services.personal_data.export(account.id):
                    stream.write(piece)
        except BaseException:
            target.unlink()
            raise
    output.write_line(f"Wrote the data of {account.email} to {target}.")


@accounts.command(short_help="Delete an account.")
@click.argument("email")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def delete(email: str, yes: bool) -> None:
    """Delete the account EMAIL and all its data permanently.

    Its keys stop working, its sessions and runs end, and its credits are lost. Its workspaces,
    results and audit events are deleted. The ledger keeps the charges under the account's id,
    without the address. You can create a new account for the address. Backups are not changed.
    """
    from codeintel.identity.audit import OPERATOR

    with instance.open_services() as services:
        account = services.accounts.find(email)
        if not yes:
            question = f"Delete {account.email} and all its data permanently?"
            click.confirm(question, abort=True, err=True)
        services.personal_data.delete(account.id, OPERATOR)
    output.write_line(
        f"Deleted {account.email}. Its ledger entries are kept under the id {account.id}."
    )


def _summary(account: Account) -> str:
    kind = f"{account.tier.value}, unlimited" if account.unlimited else account.tier.value
    return f"{account.email} ({kind}, {account.id})"


def _time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
