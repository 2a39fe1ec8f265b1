"""`codeintel keys`: make, list, rotate and revoke API keys."""

from __future__ import annotations

from datetime import datetime

import click

from codeintel.base.entitlements import Scope
from codeintel.base.wording import printable
from codeintel.cli import common
from codeintel.cli.output.text import table

MAX_TTL_DAYS = 3650
MAX_OVERLAP_SECONDS = 604_800
HEADERS = ("id", "name", "status", "preview", "created", "expires", "last used", "scopes")


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
    common.write(table(HEADERS, rows) if rows else f"{account.email} has no API keys.\n")


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
