"""`codeintel credits`: grant credits."""

from __future__ import annotations

import click

from codeintel.cli import common
from codeintel.cli.accounts.commands import MAX_CREDITS

MAX_REASON_CHARACTERS = 200


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
