"""`codeintel keys`, `token`, `credits` and `audit`: what an account may use, and what was done."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from codeintel.base.entitlements import Scope
from codeintel.base.wording import printable
from codeintel.cli import common
from codeintel.cli.accounts import MAX_CREDITS

if TYPE_CHECKING:
    from codeintel.identity.audit import AuditEvent


MAX_TTL_DAYS = 3650
MAX_OVERLAP_SECONDS = 604_800
HEADERS = ("id", "name", "status", "preview", "created", "expires", "last used", "scopes")
MAX_SECONDS = 3_600
MAX_REASON_CHARACTERS = 200
_AUDIT_HEADERS = ("time", "account", "what", "by", "address", "subject", "details")
MAX_EVENTS = 500


@click.group(short_help="Make, list, rotate and revoke API keys.")
def keys() -> None:
    """Make, list, rotate and revoke API keys."""


@keys.command(short_help="Make a key.")
@click.argument("email")
@click.option("--name", required=True, help="What the key is for.")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice([scope.value for scope in Scope]),
    multiple=True,
    required=True,
    help="What the key may do; can be given several times.",
)
@click.option(
    "--ttl-days",
    type=click.IntRange(1, MAX_TTL_DAYS),
    default=365,
    show_default=True,
    help="How long the key is valid.",
)
def create(email: str, name: str, scopes: tuple[str, ...], ttl_days: int) -> None:
    """Make an API key for the account of EMAIL.

    The key alone goes to standard output. It is shown this once and cannot be had again.
    """
    with common.open_services() as services:
        account = services.accounts.find(email)
        record, token = services.keys.create(account.id, name, list(scopes), ttl_days)
    scope_names = ", ".join(record.scopes)
    common.write(
        f"Made the key {printable(record.name)} ({record.id}) of {account.email}: {scope_names}, "
        f"valid until {_day(record.expires_at)}. It is shown only now:\n",
        err=True,
    )
    common.write(token + "\n")


@keys.command("list", short_help="List an account's keys.")
@click.argument("email")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(email: str, as_json: bool) -> None:
    """List the API keys of the account of EMAIL, revoked and expired ones too."""
    with common.open_services() as services:
        account = services.accounts.find(email)
        records = services.keys.list(account.id)
    if as_json:
        common.write_json({"keys": records})
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
    common.write(common.table(HEADERS, rows) if rows else f"{account.email} has no API keys.\n")


@keys.command(short_help="Replace a key.")
@click.argument("email")
@click.argument("key_id")
@click.option(
    "--overlap",
    type=click.IntRange(0, MAX_OVERLAP_SECONDS),
    default=86_400,
    show_default=True,
    metavar="SECONDS",
    help="How long the key goes on beside its replacement; never longer than its own life.",
)
def rotate(email: str, key_id: str, overlap: int) -> None:
    """Make a key that takes the place of KEY_ID of the account of EMAIL.

    It has the same name, scopes and length of life. The new key alone goes to standard output. It
    is shown this once and cannot be had again.
    """
    with common.open_services() as services:
        account = services.accounts.find(email)
        made = services.keys.rotate(account.id, key_id, overlap)
    old = made.previous
    common.write(
        f"Made the key {printable(made.key.name)} ({made.key.id}) of {account.email}, valid until "
        f"{_day(made.key.expires_at)}. {old.id} goes on until "
        f"{old.expires_at:%Y-%m-%d %H:%M:%S} UTC. It is shown only now:\n",
        err=True,
    )
    common.write(made.token + "\n")


@keys.command(short_help="Revoke a key.")
@click.argument("email")
@click.argument("key_id")
def revoke(email: str, key_id: str) -> None:
    """Revoke the key KEY_ID of the account of EMAIL, for good."""
    with common.open_services() as services:
        account = services.accounts.find(email)
        revoked = {key.id for key in services.keys.list(account.id) if key.revoked_at}
        record = services.keys.revoke(account.id, key_id)
    key = f"the key {printable(record.name)} ({record.id}) of {account.email}"
    if record.id in revoked:
        since = _day(record.revoked_at)
        common.write(f"Nothing to do: {key} was revoked already, on {since}.\n")
    else:
        common.write(f"Revoked {key}.\n")


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else "never"


@click.command(short_help="Make a short-lived token.")
@click.argument("email")
@click.option(
    "--ttl",
    type=click.IntRange(1, MAX_SECONDS),
    default=MAX_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long the token is valid.",
)
def token(email: str, ttl: int) -> None:
    """Make a token for the account of EMAIL, with all its rights but managing keys.

    The token alone goes to standard output. Nobody can revoke it: it ends by itself.
    """
    from codeintel.identity.audit import OPERATOR

    with common.open_services() as services:
        account = services.accounts.find(email)
        made, ends = services.own_tokens.issue(account.id, ttl, OPERATOR)
    common.write(
        f"Made a token for {account.email}, valid until {ends:%Y-%m-%d %H:%M:%S} UTC. "
        "Send it as `Authorization: Bearer`:\n",
        err=True,
    )
    common.write(made + "\n")


@click.group("credits", short_help="Grant credits.")
def credits_() -> None:
    """Grant credits."""


@credits_.command(short_help="Add credits to an account.")
@click.argument("email")
@click.argument("amount", metavar="N", type=click.IntRange(1, MAX_CREDITS))
@click.option("--reason", required=True, help="Why; kept in the ledger.")
def grant(email: str, amount: int, reason: str) -> None:
    """Add N credits to the account of EMAIL."""
    reason = reason.strip()
    if not 1 <= len(reason) <= MAX_REASON_CHARACTERS:
        raise click.BadParameter(
            f"must have 1 to {MAX_REASON_CHARACTERS} characters.", param_hint="--reason"
        )
    with common.open_services() as services:
        account = services.accounts.find(email)
        balance = services.ledger.grant(account.id, amount, reason)
    common.write(
        f"Granted {amount} credits to {account.email}: {balance.available} are available now.\n"
    )


class _Time(click.ParamType["datetime"]):
    """A time as the list shows it; without a zone it is UTC."""

    name = "time"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a time such as 2026-01-31T12:00:00Z.", param, ctx)
        return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


@click.command(short_help="Show who did what.")
@click.argument("email", required=False)
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_EVENTS),
    default=50,
    show_default=True,
    help="How many events; more, if the last ones are of one moment.",
)
@click.option("--before", type=_Time(), help="Only what is older, such as the last time shown.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(email: str | None, limit: int, before: datetime | None, as_json: bool) -> None:
    """Show sign-ins, key events and changes of credits, newest first: those of the account of
    EMAIL, or everybody's."""
    with common.open_services() as services:
        account_id = services.accounts.find(email).id if email else None
        before_ms = round(before.timestamp() * 1000) if before else None
        events = services.audit.events(account_id, limit, before_ms)
    if as_json:
        common.write_json({"events": events})
        return
    rows = [_row(event) for event in events]
    common.write(
        common.table(_AUDIT_HEADERS, rows, common.terminal_width())
        if rows
        else "Nothing was done yet.\n"
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
