"""`codeintel doctor`: what is wrong with an installation, and how to put it right."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from codeintel.cli import common
from codeintel.cli.output.text import table

if TYPE_CHECKING:
    from codeintel.operations.doctor.results import Finding, Status

_HEADERS = ("status", "check", "found")
FAILED = 1


@click.command(short_help="Find out what is wrong, and how to fix it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--offline", is_flag=True, help="Ask no registry, model or identity provider.")
@click.option("--strict", is_flag=True, help="Let warnings count as errors.")
def doctor(*, as_json: bool, offline: bool, strict: bool) -> None:
    """Look at the settings, the instance folder, the database, Redis, plugins, what the service
    asks over HTTP, the machine, and what is stored, and say what is wrong and what to do.

    It changes nothing, shows no secret, and takes ten seconds at most. Run it as the user of the
    service, with the service's environment. The exit status is 1 if there is an error.
    """
    from codeintel.operations.doctor.checks import CHECKS, counts, examine
    from codeintel.operations.doctor.installation import look_at
    from codeintel.operations.doctor.results import Status

    findings = examine(look_at(offline=offline), CHECKS)
    found = counts(findings)
    bad = found[Status.ERROR] + (found[Status.WARNING] if strict else 0)
    if as_json:
        common.write_json(_document(findings, found))
    else:
        common.write(table(_HEADERS, [*_rows(findings)], common.terminal_width()))
        common.write_line(_summary({str(status): found[status] for status in Status}))
    if bad:
        sys.exit(FAILED)


def _document(findings: Sequence[Finding], found: Mapping[Status, int]) -> dict[str, object]:
    return {
        "counts": found,
        "findings": [
            {
                "check": each.check,
                "status": each.status,
                "found": each.found,
                "fix": each.fix or None,
            }
            for each in findings
        ],
    }


def _rows(findings: Sequence[Finding]) -> Iterator[tuple[str, ...]]:
    """Each finding, and below it what to do; once below several that have the same to do."""
    for each, following in zip_longest(findings, findings[1:]):
        yield each.status, each.check, each.found
        if each.fix and (following is None or following.fix != each.fix):
            yield "", "", f"-> {each.fix}"


def _summary(found: Mapping[str, int]) -> str:
    errors, warnings = found["error"], found["warning"]
    told = f"{errors} {'error' if errors == 1 else 'errors'}, {warnings} "
    told += f"{'warning' if warnings == 1 else 'warnings'}, {found['skipped']} skipped"
    return f"{told}." if errors or warnings else f"Nothing is wrong ({told})."
