"""`codeintel trust cohort`: freeze the scores that ranks compare with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import IO, TYPE_CHECKING

import click

from codeintel.base.wording import counted
from codeintel.cli.instance import open_services
from codeintel.cli.output import table, terminal_width, write, write_json, write_line
from codeintel.cli.suggestions import did_you_mean
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.trust.cohorts import Cohort


_SHOWN = 10
"""The number of invalid lines to show."""
_MAX_CHARACTERS = 60
"""The length of an invalid line that is shown. Longer lines are cut."""
_HEADERS = ("id", "ecosystem", "size", "created", "scorer", "digest")


def read_targets(lines: IO[bytes], ecosystem: str = "") -> list[str]:
    """Return the keys of the packages in a list with one package per line. Skip blank lines and
    comments.

    :param ecosystem: the ecosystem of all packages, if the list has only names.
    :raises Failure: if lines are invalid. The first of them are shown.
    """
    found, bad = [], []
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text and not text.startswith("#"):
                found.append(_key(text, ecosystem))
        except UnicodeDecodeError:
            bad.append((number, line.decode("utf-8", "replace"), "The line is not UTF-8."))
        except ValueError as error:
            bad.append((number, text, str(error)))
    if bad:
        name = _name(lines)
        for told in islice(_told(name, bad), _SHOWN):
            write_line(told, err=True)
        more = f" The first {_SHOWN} are shown." if len(bad) > _SHOWN else ""
        raise Failure(
            f"Nothing was done, because {counted(len(bad), 'line')} of {name} could not be read "
            f"as packages.{more}"
        )
    return found


def _key(text: str, ecosystem: str) -> str:
    from codeintel.base.errors import ServiceError
    from codeintel.trust.targets import parse_target

    try:
        return parse_target(f"{ecosystem}:{text}" if ecosystem else text).key
    except ServiceError as error:
        raise ValueError(error.message) from None


def _told(name: str, bad: list[tuple[int, str, str]]) -> Iterator[str]:
    for number, text, reason in bad:
        text = text.strip()
        if len(text) > _MAX_CHARACTERS:
            text = text[: _MAX_CHARACTERS - 3] + "..."
        yield f"{name}, line {number}: {text}: {reason}"


def _name(lines: IO[bytes]) -> str:
    name = getattr(lines, "name", None)
    return name if isinstance(name, str) and name != "-" else "<stdin>"


@click.group(short_help="Freeze the scores that ranks compare with.")
def cohort() -> None:
    """Manage cohorts: frozen scores of many packages. Ranks compare with the newest cohort, so they
    change only when you build a new one."""


@cohort.command(short_help="Freeze the current scores.")
@click.argument("ecosystem", default="npm")
@click.option(
    "--from",
    "names",
    type=click.File("rb"),
    help="A list of packages, one per line (- for standard input). Lines that start with # are "
    "comments. Default: all stored packages.",
)
def build(ecosystem: str, names: IO[bytes] | None) -> None:
    """Build a cohort from the current scores of the packages of ECOSYSTEM.

    Run `codeintel trust refresh` first to update the scores.
    """
    from codeintel.contracts import Ecosystem
    from codeintel.trust.cohorts import CohortError

    if ecosystem not in set(Ecosystem):
        raise Failure(
            f'Unknown ecosystem "{ecosystem}".{did_you_mean(ecosystem, Ecosystem)} Ecosystems: '
            f"{', '.join(sorted(Ecosystem))}."
        )
    keys = None if names is None else read_targets(names, ecosystem)
    with open_services() as services:
        network = services.trust
        version = network.snapshots.scorer_version
        try:
            made = network.cohorts.build(Ecosystem(ecosystem), version, keys)
        except CohortError as error:
            raise Failure(str(error)) from None
    write_line(
        f"{made.id}: {counted(made.size, 'package')} of {made.ecosystem}, SHA-256 {made.digest}"
    )


@cohort.command("list", short_help="List the cohorts.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(*, as_json: bool) -> None:
    """List the cohorts, newest first. Ranks use the newest cohort of each ecosystem."""
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
