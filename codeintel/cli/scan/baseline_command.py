"""`codeintel baseline`: write the current findings of a repository into a file."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from pathlib import Path

import click
from msgspec import UNSET

from codeintel.base.wording import counted
from codeintel.cli.output import write_line
from codeintel.cli.scan.cache import cache_folder
from codeintel.cli.scan.comparing import NO_BASELINE
from codeintel.cli.scan.formats.wording import gap_line
from codeintel.cli.scan.options import where_options
from codeintel.cli.scan.policy import (
    BASELINE_FILE,
    PROJECT_FILE,
    ProjectError,
    Terms,
    read_baseline,
    update_baseline,
)
from codeintel.cli.scan.report import EXIT_INCOMPLETE
from codeintel.cli.scan.running import Job, Scanned, opened_runner, scan_once
from codeintel.cli.source import replace_file
from codeintel.client.repository.discovery import Selection, locate
from codeintel.client.repository.naming import DiscoveryError
from codeintel.server.opening import Failure

EXIT_STALE = 1


class _Day(click.ParamType[date]):
    name = "YYYY-MM-DD"

    def convert(
        self, value: str | date, param: click.Parameter | None, ctx: click.Context | None
    ) -> date:
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f'"{value}" is no day such as 2027-01-31.', param, ctx)


@click.command(short_help="Accept the current findings of a repository.")
@click.option("--reason", default="", help="The reason to accept the new entries.")
@click.option("--owner", default="", help="The owner of the new entries.")
@click.option("--until", type=_Day(), help="The last day on which the new entries count.")
@click.option(
    "--check", is_flag=True, help="Write nothing. Exit with status 1 if the file is out of date."
)
@where_options
def baseline(
    reason: str,
    owner: str,
    until: date | None,
    check: bool,
    local: bool,
    url: str | None,
    key: str | None,
) -> None:
    """Accept the current findings of the repository around the current folder.

    The command scans the repository and writes one line for each finding to
    .codeintel-baseline.jsonl, or to the file that .codeintel.toml names. Commit the file. Later
    scans fail for other findings only. Entries keep their reasons, owners and days. Entries whose
    finding is gone are removed.

    \b
    Exit status:
      0    written, or up to date
      1    with --check: out of date
      2    not scanned: wrong usage or input
      3    written or up to date, but some files could not be checked. Their entries stay.
    """
    job = Job(_whole(), {"baseline": None}, (), None)
    with opened_runner(None if local else url, key, cache_folder(), None) as runner:
        scanned = scan_once(job, runner)
    sys.exit(_update(scanned, _terms(reason, owner, until), check=check))


def _whole() -> Selection:
    """Select all files of the repository around the current folder, or of the folder itself."""
    try:
        return Selection((str(locate(Selection(), Path.cwd()).root),))
    except DiscoveryError as error:
        raise Failure(str(error)) from None


def _terms(reason: str, owner: str, until: date | None) -> Terms:
    return Terms(datetime.now(UTC).date(), reason, owner, until if until is not None else UNSET)


def _update(scanned: Scanned, terms: Terms, *, check: bool) -> int:
    """Write the file and say what changed. Return the exit status."""
    root = scanned.discovery.root
    named = scanned.config.baseline
    path = root / (BASELINE_FILE if named in ("", NO_BASELINE) else named)
    is_of_repository = scanned.config.origins.get("baseline", PROJECT_FILE).startswith(PROJECT_FILE)
    if is_of_repository and not path.resolve().is_relative_to(root.resolve()):
        raise Failure(f"{path} is a link out of the repository. Remove it.")
    try:
        previous = read_baseline(path) if path.exists() else []
    except ProjectError as error:
        raise Failure(str(error)) from None
    update = update_baseline(
        previous,
        scanned.report.findings,
        scanned.discovery.text,
        [each.path for each in scanned.collected.files if each.cause is UNSET],
        terms,
        scanned.discovery.exists,
    )
    told = f"{update.added:,} added, {update.kept:,} kept, {update.removed:,} removed"
    for gap in scanned.report.gaps:
        write_line(f"Not checked: {gap_line(gap)}", err=True)
    if check:
        current = path.read_text("utf-8") if path.exists() else ""
        is_current = update.text == current
        write_line(f"{path.name} is {'up to date' if is_current else f'out of date: {told}'}.")
        if not is_current:
            return EXIT_STALE
        return EXIT_INCOMPLETE if scanned.report.gaps else 0
    replace_file(path, update.text.encode())
    number = counted(update.added + update.kept, "finding")
    write_line(f"{path.name} lists {number}: {told}.")
    return EXIT_INCOMPLETE if scanned.report.gaps else 0
