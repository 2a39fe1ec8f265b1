"""`codeintel trust cohort`: what ranks are against."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import IO, TYPE_CHECKING

import click

from codeintel.cli.common import open_services, table, terminal_width, write, write_json, write_line
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.trust.cohorts import Cohort


_SHOWN = 10
"""Bad lines that are told."""
_MAX_CHARACTERS = 60
"""Of a bad line that is told."""
_HEADERS = ("id", "ecosystem", "size", "made at", "scorer", "digest")


def read_targets(lines: IO[bytes], ecosystem: str = "") -> list[str]:
    """The keys of the packages in a list with one a line; blank lines and such as begin with `#`
    are passed over.

    :param ecosystem: of which all are, if they are names alone.
    :raises Failure: after the first bad lines were told, if there are any.
    """
    found, bad = [], []
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text and not text.startswith("#"):
                found.append(_key(text, ecosystem))
        except UnicodeDecodeError:
            bad.append((number, line.decode("utf-8", "replace"), "It is not UTF-8."))
        except ValueError as error:
            bad.append((number, text, str(error)))
    if bad:
        name = _name(lines)
        for told in islice(_told(name, bad), _SHOWN):
            write_line(told, err=True)
        more = f", of which the first {_SHOWN} are shown" if len(bad) > _SHOWN else ""
        is_one = len(bad) == 1
        lines_ = f"{len(bad):,} line{'' if is_one else 's'}"
        raise Failure(
            f"{lines_} of {name} name{'s' if is_one else ''} no package{more}: nothing was done."
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
