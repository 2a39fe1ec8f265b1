"""`codeintel accounts export|delete`: what is stored of a person."""

from __future__ import annotations

import os
from pathlib import Path

import click

from codeintel.cli import common
from codeintel.server.opening import Failure


@click.command(short_help="Export what is stored of a person.")
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


@click.command(short_help="Delete an account.")
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
