"""`codeintel accounts change`."""

from __future__ import annotations

import click

from codeintel.base.entitlements import Tier
from codeintel.cli import common


@click.command(short_help="Change an account's tier.")
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
