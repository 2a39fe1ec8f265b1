"""Who else signs in to an account that somebody is about to be invited to."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from codeintel.base.wording import printable
from codeintel.cli import common
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.app import Services
    from codeintel.identity.accounts import Account


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
