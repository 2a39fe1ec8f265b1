"""`codeintel demo`: load demo data into an account, or remove it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from codeintel.cli.instance import keep_jobs_quiet, open_services
from codeintel.cli.output import write_line
from codeintel.server import INTERRUPTED
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.app import Services
    from codeintel.identity.accounts import Account

LOAD_SECONDS = 900.0
WATCH_SECONDS = 0.2
STOP_SECONDS = 3.0


@click.command(short_help="Load demo data, or remove it.")
@click.argument("email", required=False)
@click.option("--remove", is_flag=True, help="Delete the demo data again.")
def demo(email: str | None, *, remove: bool) -> None:
    """Load a sample project with its reports and runs, and recorded evidence about 50 packages.

    The data goes to the account EMAIL. Default: the operator's account, the one that `codeintel
    serve` prints a link for. The project is analyzed on this machine. Loading needs no network and
    costs no credits. The evidence is left out if the trust network already has packages.
    """
    with open_services(may_make=not remove) as services:
        account = services.accounts.find(email) if email else services.accounts.operator()
        if remove:
            _remove(services, account)
        else:
            _load(services, account)


def _remove(services: Services, account: Account) -> None:
    from codeintel.operations.demo.service import DemoState

    is_there = services.demo.state(account.id) is not DemoState.ABSENT
    services.demo.remove(account.id)
    told = "Removed the demo data" if is_there else "There is no demo data"
    write_line(f"{told} of {account.email}.")


def _load(services: Services, account: Account) -> None:
    from codeintel.operations.demo.service import DemoState

    if services.demo.state(account.id) is DemoState.LOADED:
        write_line(f"{account.email} has the demo data already.")
        return
    keep_jobs_quiet()
    services.demo.load(account.id)
    write_line(
        "Loading the demo data. The sample project is analyzed, which takes about 20 seconds.",
        err=True,
    )
    services.jobs.start(1)
    try:
        _wait(services, account)
    except KeyboardInterrupt:
        write_line("Interrupted. The same command, or `codeintel serve`, continues.", err=True)
        sys.exit(INTERRUPTED)
    finally:
        services.jobs.stop(STOP_SECONDS)
    _tell(services, account)


def _wait(services: Services, account: Account) -> None:
    """Wait until everything is loaded and analyzed."""
    import gevent

    from codeintel.operations.demo.service import DemoState

    deadline = time.monotonic() + LOAD_SECONDS
    while services.demo.state(account.id) is DemoState.LOADING or _is_analyzed(services, account):
        if time.monotonic() > deadline:
            raise Failure("The demo data is not loaded yet. Run `codeintel jobs list` to see why.")
        gevent.sleep(WATCH_SECONDS)


def _is_analyzed(services: Services, account: Account) -> bool:
    """Return whether the newest revision is still being analyzed."""
    session = services.demo.session(account.id)
    return session is not None and services.proof.status(session).status in {"queued", "running"}


def _tell(services: Services, account: Account) -> None:
    session = services.demo.session(account.id)
    if session is None:
        raise Failure("The demo data could not be loaded. Run `codeintel jobs list` to see why.")
    report = services.proof.report(session)
    total = sum(report.summary.counts.values())
    write_line(f"Loaded “{session.name}” with {total} findings for {account.email}.")
    recorded = services.demo.recorded_on()
    if recorded is not None:
        write_line(f"The trust network has evidence that was recorded by {recorded:%B %-d, %Y}.")
    write_line(
        "To see it, sign in to the service. If it is not running, `codeintel serve` prints a link. "
        "To delete it, run `codeintel demo --remove`."
    )
