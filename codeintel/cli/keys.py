"""`codeintel keys`, `token`, `credits` and `audit`: manage access and credits, and show the log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from codeintel.base.entitlements import Scope
from codeintel.base.wording import counted, printable
from codeintel.cli import instance, output
from codeintel.cli.accounts import MAX_CREDITS
from codeintel.cli.suggestions import Choice
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.app import Services
    from codeintel.identity.accounts import Account
    from codeintel.identity.audit import AuditEvent


MAX_TTL_DAYS = 3650
MAX_OVERLAP_SECONDS = 604_800
DEFAULT_SCOPES = (Scope.API_V1.value, Scope.WORKSPACE_WRITE.value)
"""Scopes that all client commands together need."""
HEADERS = ("id", "name", "status", "preview", "created", "expires", "last used", "scopes")
MAX_SECONDS = 3_600
MAX_REASON_CHARACTERS = 200
_AUDIT_HEADERS = ("time", "account", "what", "by", "address", "subject", "details")
MAX_EVENTS = 500


def _email_and_key(
    context: click.Context, parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str | None, str]:
    """Return the address, or None for the operator's account, and the ID of a key."""
    if not names or (len(names) == 1 and "@" in names[0]):
        raise click.MissingParameter("Name a key.", context, parameter, "'KEY_ID'", "argument")
    if len(names) > 2:
        raise click.UsageError(f"Name one key at a time: {', '.join(names[1:])}", context)
    return (names[0] if len(names) == 2 else None), names[-1]


def _account(services: Services, email: str | None) -> Account:
    """Return the account of an address. Without one, return the operator's account.

    :raises Failure: if there are no accounts.
    """
    account = services.accounts.find(email) if email else services.accounts.first()
    if account is None:
        raise Failure("There are no accounts. Create one with `codeintel accounts create EMAIL`.")
    return account


@click.group(short_help="Manage API keys.")
def keys() -> None:
    """Create, list, rotate and revoke API keys."""


@keys.command(short_help="Create an API key.")
@click.argument("email", required=False)
@click.option("--name", default="cli", show_default=True, help="A name to recognize the key by.")
@click.option(
    "--scope",
    "scopes",
    type=Choice([scope.value for scope in Scope]),
    multiple=True,
    default=DEFAULT_SCOPES,
    show_default=True,
    help="What the key may do. Repeat the option for more scopes.",
)
@click.option(
    "--ttl-days",
    type=click.IntRange(1, MAX_TTL_DAYS),
    default=365,
    show_default=True,
    metavar="DAYS",
    help="How many days the key is valid.",
)
def create(email: str | None, name: str, scopes: tuple[str, ...], ttl_days: int) -> None:
    """Create an API key for the account EMAIL.

    Without EMAIL, the key belongs to the operator's account, which is also the account that the
    sign-in link of `codeintel serve` opens. The account is created if it does not exist.

    Only the key goes to standard output, so that you can store it in a variable:

    \b
      export CODEINTEL_API_KEY=$(codeintel keys create)

    The key is shown only once. You cannot display it again.
    """
    with instance.open_services(may_make=email is None) as services:
        account = services.accounts.find(email) if email else services.accounts.operator()
        record, token = services.keys.create(account.id, name, list(scopes), ttl_days)
    scope_names = ", ".join(record.scopes)
    output.write(
        f"Created the key {printable(record.name)} ({record.id}) for {account.email}. Scopes: "
        f"{scope_names}. Valid until {_day(record.expires_at)}. The key is shown only once.\n",
        err=True,
    )
    output.write(token + "\n")


@keys.command("list", short_help="List an account's keys.")
@click.argument("email", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(email: str | None, as_json: bool) -> None:
    """List the API keys of the account EMAIL, including revoked and expired keys.

    Without EMAIL, list the keys of the operator's account.
    """
    with instance.open_services() as services:
        account = _account(services, email)
        records = services.keys.list(account.id)
    if as_json:
        output.write_json({"keys": records})
        return
    rows = [
        (
            record.id,
            record.name,
            record.status,
            record.preview,
            _day(record.created_at),
            _day(record.expires_at),
            _day(record.last_used_at),
            " ".join(record.scopes),
        )
        for record in records
    ]
    output.write(output.table(HEADERS, rows) if rows else f"{account.email} has no API keys.\n")


@keys.command(short_help="Replace a key with a new one.")
@click.argument("names", nargs=-1, metavar="[EMAIL] KEY_ID", callback=_email_and_key)
@click.option(
    "--overlap",
    type=click.IntRange(0, MAX_OVERLAP_SECONDS),
    default=86_400,
    show_default=True,
    metavar="SECONDS",
    help="How long the old key stays valid, at most until it expires.",
)
def rotate(names: tuple[str | None, str], overlap: int) -> None:
    """Create a key that replaces KEY_ID of the account EMAIL.

    Without EMAIL, replace a key of the operator's account.

    The new key has the same name, scopes and lifetime. Only the new key goes to standard output.
    It is shown only once. You cannot display it again.
    """
    email, key_id = names
    with instance.open_services() as services:
        account = _account(services, email)
        made = services.keys.rotate(account.id, key_id, overlap)
    old = made.previous
    output.write(
        f"Created the key {printable(made.key.name)} ({made.key.id}) for {account.email}. Valid "
        f"until {_day(made.key.expires_at)}. The old key {old.id} stays valid until "
        f"{old.expires_at:%Y-%m-%d %H:%M:%S} UTC. The new key is shown only once.\n",
        err=True,
    )
    output.write(made.token + "\n")


@keys.command(short_help="Revoke a key.")
@click.argument("names", nargs=-1, metavar="[EMAIL] KEY_ID", callback=_email_and_key)
def revoke(names: tuple[str | None, str]) -> None:
    """Revoke the key KEY_ID of the account EMAIL permanently.

    Without EMAIL, revoke a key of the operator's account.
    """
    email, key_id = names
    with instance.open_services() as services:
        account = _account(services, email)
        revoked = {key.id for key in services.keys.list(account.id) if key.revoked_at}
        record = services.keys.revoke(account.id, key_id)
    key = f"the key {printable(record.name)} ({record.id}) of {account.email}"
    if record.id in revoked:
        since = _day(record.revoked_at)
        output.write(f"Nothing to do: {key} was already revoked on {since}.\n")
    else:
        output.write(f"Revoked {key}.\n")


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else "never"


@click.command(short_help="Create a short-lived token.")
@click.argument("email")
@click.option(
    "--ttl",
    type=click.IntRange(1, MAX_SECONDS),
    default=MAX_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How many seconds the token is valid.",
)
def token(email: str, ttl: int) -> None:
    """Create a token for the account EMAIL. The token can do everything except manage keys.

    Only the token goes to standard output. A token cannot be revoked. It expires.
    """
    from codeintel.identity.audit import OPERATOR

    with instance.open_services() as services:
        account = services.accounts.find(email)
        made, ends = services.own_tokens.issue(account.id, ttl, OPERATOR)
    output.write(
        f"Created a token for {account.email}. Valid until {ends:%Y-%m-%d %H:%M:%S} UTC. "
        "Send it in the header `Authorization: Bearer TOKEN`.\n",
        err=True,
    )
    output.write(made + "\n")


@click.group("credits", short_help="Grant credits.")
def credits_() -> None:
    """Grant credits."""


@credits_.command(short_help="Add credits to an account.")
@click.argument("email")
@click.argument("amount", metavar="N", type=click.IntRange(1, MAX_CREDITS))
@click.option("--reason", required=True, help="The reason, which is stored in the ledger.")
def grant(email: str, amount: int, reason: str) -> None:
    """Add N credits to the account EMAIL."""
    reason = reason.strip()
    if not 1 <= len(reason) <= MAX_REASON_CHARACTERS:
        raise click.BadParameter(
            f"The reason must have 1 to {MAX_REASON_CHARACTERS} characters.", param_hint="--reason"
        )
    with instance.open_services() as services:
        account = services.accounts.find(email)
        balance = services.ledger.grant(account.id, amount, reason)
    output.write(
        f"Granted {counted(amount, 'credit')} to {account.email}. "
        f"{counted(balance.available, 'credit')} available.\n"
    )


class _Time(click.ParamType["datetime"]):
    """A time in ISO 8601. A time without a zone is UTC."""

    name = "time"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a time. Example: 2026-01-31T12:00:00Z.", param, ctx)
        return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


@click.command(short_help="Show the audit log.")
@click.argument("email", required=False)
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_EVENTS),
    default=50,
    show_default=True,
    help="The number of events. Events of the same millisecond are not split.",
)
@click.option(
    "--before",
    type=_Time(),
    help="Show only events before this time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(email: str | None, limit: int, before: datetime | None, as_json: bool) -> None:
    """Show sign-ins, key changes and credit changes, newest first.

    With EMAIL, show only the events of that account.
    """
    with instance.open_services() as services:
        account_id = services.accounts.find(email).id if email else None
        before_ms = round(before.timestamp() * 1000) if before else None
        events = services.audit.events(account_id, limit, before_ms)
    if as_json:
        output.write_json({"events": events})
        return
    rows = [_row(event) for event in events]
    output.write(
        output.table(_AUDIT_HEADERS, rows, output.terminal_width()) if rows else "No events yet.\n"
    )


def _row(event: AuditEvent) -> tuple[str, ...]:
    details = ", ".join(f"{name} {value}" for name, value in event.details.items() if value != "")
    return (
        event.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        event.email or "-",
        event.kind.value,
        event.actor,
        event.address or "-",
        event.subject or "-",
        details or "-",
    )
