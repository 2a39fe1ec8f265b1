"""`codeintel trust cohort`: what ranks are against."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import click

from codeintel.cli.common import open_services, terminal_width, write, write_json, write_line
from codeintel.cli.output.text import table
from codeintel.cli.trust.lists import read_targets
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.trust.cohorts import Cohort

_HEADERS = ("id", "ecosystem", "size", "made at", "scorer", "digest")


@click.group(short_help="Freeze scores that ranks are against.")
def cohort() -> None:
    """Cohorts: the scores of many packages at one moment. A rank against them holds still until a
    new one is built, whatever becomes of the packages in it."""


@cohort.command(short_help="Freeze the scores of now.")
@click.argument("ecosystem", default="npm")
@click.option(
    "--from",
    "names",
    type=click.File("rb"),
    help="Packages of it, one a line (- for standard input; lines that begin with # are passed "
    "over); without it all that are stored.",
)
def build(ecosystem: str, names: IO[bytes] | None) -> None:
    """Build the cohort of ECOSYSTEM from the scores that its packages have now, which
    `codeintel trust refresh` brings up to date."""
    from codeintel.contracts import Ecosystem
    from codeintel.trust.cohorts import CohortError

    if ecosystem not in set(Ecosystem):
        raise Failure(
            f"There is no ecosystem {ecosystem}; there are: {', '.join(sorted(Ecosystem))}."
        )
    keys = None if names is None else read_targets(names, ecosystem)
    with open_services() as services:
        network = services.trust
        version = network.snapshots.scorer_version
        try:
            made = network.cohorts.build(Ecosystem(ecosystem), version, keys)
        except CohortError as error:
            raise Failure(str(error)) from None
    write_line(f"{made.id}: {made.size:,} packages of {made.ecosystem}, SHA-256 {made.digest}")


@cohort.command("list", short_help="List the cohorts.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(*, as_json: bool) -> None:
    """List the cohorts, the newest first: of each ecosystem the first counts."""
    with open_services() as services:
        found = services.trust.cohorts.all()
    if as_json:
        write_json({"cohorts": found})
    else:
        rows = [_row(each) for each in found]
        write(table(_HEADERS, rows, terminal_width()) if rows else "No cohorts.\n")


def _row(each: Cohort) -> tuple[str, ...]:
    at = f"{each.created_at:%Y-%m-%d %H:%M:%S}"
    return each.id, each.ecosystem, f"{each.size:,}", at, each.scorer_version, each.digest
