"""`codeintel search`: search registries from a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from codeintel.base.wording import printable
from codeintel.cli.common import write, write_json, write_line
from codeintel.cli.output.outcome import as_count, as_object, as_objects, as_text
from codeintel.cli.remote import new_client, service_options, told_failures

EXIT_NO_SOURCE = 3
_COUNTS = (("stars", "stars"), ("downloads", "downloads"))


@click.command(short_help="Search registries.")
@click.argument("query")
@click.option("--sources", help="Names with commas between them; see `codeintel sources`.")
@click.option("--limit", type=click.IntRange(1, 50), help="Most results of each source.")
@service_options
@click.option("--json", "as_json", is_flag=True, help="Print what the service answers as JSON.")
def search(
    query: str, sources: str | None, limit: int | None, url: str, key: str | None, as_json: bool
) -> None:
    """Ask the service to search registries for QUERY. A key is needed only for sources whose
    results may be private.

    \b
    Exit status:
      0    at least one source answered, be it that it found nothing
      2    nothing was searched: wrong usage, or the service refused
      3    no source could be asked
    """
    with told_failures():
        found = new_client(url, key).search(query, sources=sources, limit=limit)
    if as_json:
        write_json(found)
    else:
        write("".join(f"{line}\n" for line in lines(found)))
    for notice in notices(found):
        write_line(notice, err=True)
    if not _has_answer(found):
        sys.exit(EXIT_NO_SOURCE)


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The results, by source. Harmless for a terminal."""
    total = 0
    for source, rows in as_object(found.get("results")).items():
        for position, row in enumerate(as_objects(rows)):
            if position == 0:
                yield from ([""] if total else [])
                yield printable(source)
            total += 1
            yield from (f"  {printable(line)}" for line in _row(row))
    if not total:
        yield "Nothing was found." if _has_answer(found) else "No registry has answered."


def _has_answer(found: Mapping[str, Any]) -> bool:
    """Whether any source was asked and has answered."""
    asked = found.get("sources")
    failed = {as_text(each.get("source")) for each in as_objects(found.get("unavailable"))}
    return isinstance(asked, list) and not failed.issuperset(asked)


def _row(row: Mapping[str, Any]) -> Iterator[str]:
    counts = [f"{as_count(row[key]):,} {unit}" for key, unit in _COUNTS if key in row]
    yield "  ".join([as_text(row.get("name")), *counts])
    if row.get("description"):
        yield f"  {as_text(row.get('description'))}"
    yield f"  {as_text(row.get('url'))}"


def notices(found: Mapping[str, Any]) -> Iterator[str]:
    """What the results lack."""
    for each in as_objects(found.get("unavailable")):
        pause = as_count(each.get("retryAfter"))
        again = f" Try again in {pause} s." if pause else ""
        yield f"{_cause(each)}: {as_text(each.get('message'))}{again}"
    for each in as_objects(found.get("stale")):
        yield f"{_cause(each)}: these are results of {as_text(each.get('asOf'))}."


def _cause(each: Mapping[str, Any]) -> str:
    return f"{as_text(each.get('source'))}: {as_text(each.get('code'))}"
