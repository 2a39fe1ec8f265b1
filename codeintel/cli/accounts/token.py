"""`codeintel token`: a short-lived token for the API."""

from __future__ import annotations

import click

from codeintel.cli import common

MAX_SECONDS = 3_600


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
