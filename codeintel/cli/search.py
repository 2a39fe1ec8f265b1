"""`codeintel search` and `codeintel sources`: search registries and list them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codeintel.base.wording import counted, printable
from codeintel.cli.instance import look_at_app
from codeintel.cli.outcome import as_count, as_object, as_objects, as_text
from codeintel.cli.output import table, terminal_width, write, write_json, write_line
from codeintel.cli.remote import new_client, service_options, told_failures
from codeintel.server.opening import services_of

if TYPE_CHECKING:
    from flask import Flask

    from codeintel.contracts import SearchSource
    from codeintel.search.reports import SourceReport


EXIT_NO_SOURCE = 3
_COUNTS = (("stars", "stars"), ("downloads", "downloads"))
_HEADERS = ("name", "kind", "status", "breaker", "seen by", "token", "url")
_UNKNOWN = "?"


@click.command(short_help="Search package registries.")
@click.argument("query")
@click.option("--sources", help="Comma-separated names of sources. See `codeintel sources`.")
@click.option("--limit", type=click.IntRange(1, 50), help="The number of results per source.")
@service_options
@click.option("--json", "as_json", is_flag=True, help="Print the response of the service as JSON.")
def search(
    query: str, sources: str | None, limit: int | None, url: str, key: str | None, as_json: bool
) -> None:
    """Search package registries for QUERY. Only sources with private results need a key.

    \b
    Exit status:
      0    at least one source responded, even without results
      2    not searched: wrong usage, or the service rejected the request
      3    no source could be reached
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
    """Return the results by source, with control characters escaped."""
    total = 0
    for source, rows in as_object(found.get("results")).items():
        for position, row in enumerate(as_objects(rows)):
            if position == 0:
                yield from ([""] if total else [])
                yield printable(source)
            total += 1
            yield from (f"  {printable(line)}" for line in _result(row))
    if not total:
        yield "No results." if _has_answer(found) else "No source responded."


def _has_answer(found: Mapping[str, Any]) -> bool:
    """Return whether at least one source responded."""
    asked = found.get("sources")
    failed = {as_text(each.get("source")) for each in as_objects(found.get("unavailable"))}
    return isinstance(asked, list) and not failed.issuperset(asked)


def _result(row: Mapping[str, Any]) -> Iterator[str]:
    counts = [f"{as_count(row[key]):,} {unit}" for key, unit in _COUNTS if key in row]
    yield "  ".join([as_text(row.get("name")), *counts])
    if row.get("description"):
        yield f"  {as_text(row.get('description'))}"
    yield f"  {as_text(row.get('url'))}"


def notices(found: Mapping[str, Any]) -> Iterator[str]:
    """Return warnings about sources that failed or whose results are old."""
    for each in as_objects(found.get("unavailable")):
        pause = as_count(each.get("retryAfter"))
        again = f" Try again in {counted(pause, 'second')}." if pause else ""
        yield f"{_cause(each)}: {as_text(each.get('message'))}{again}"
    for each in as_objects(found.get("stale")):
        yield f"{_cause(each)}: showing cached results from {as_text(each.get('asOf'))}."


def _cause(each: Mapping[str, Any]) -> str:
    return f"{as_text(each.get('source'))}: {as_text(each.get('code'))}"


@click.command(short_help="List the search sources.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def sources(as_json: bool) -> None:
    """List the searchable registries, including those of plugins, with their state and last error.

    The command reads the settings and the database. It contacts no registry. Use CODEINTEL_SOURCES
    to turn sources on.

    \b
    Breaker:
      closed     searches use the source
      open       the source failed several times, so searches skip it for a while
      half-open  the next search tries the source again
      limited    the rate limit of the registry is used up
      ?          unknown, because the database cannot be read
    """
    with look_at_app(at_plugins=True) as app:
        found = sorted(services_of(app).search.sources.values(), key=lambda each: each.name)
        reports = _reports(app)
    if as_json:
        write_json({"sources": [_document(source, reports) for source in found]})
        return
    rows = [_row(source, reports) for source in found]
    write(table(_HEADERS, rows, terminal_width()) if rows else "No sources.\n")
    for source in found:
        report = (reports or {}).get(source.name)
        if report is not None:
            write_line(_sentence(report))


def _reports(app: Flask) -> Mapping[str, SourceReport] | None:
    """Return the last failure of each source, or None if the database cannot be read."""
    from sqlalchemy.exc import SQLAlchemyError

    from codeintel.platform.db import db

    file = db.engine.url.database if db.engine.dialect.name == "sqlite" else None
    if file is not None and not Path(file).exists():  # a query would create the file
        return {}
    try:
        return services_of(app).source_reports.all()
    except SQLAlchemyError:
        write_line("codeintel: cannot read from the database which sources failed", err=True)
        return None


def _breaker(source: SearchSource, reports: Mapping[str, SourceReport] | None) -> str | None:
    from codeintel.platform.db.models import now_ms
    from codeintel.search.reports import Breaker

    if reports is None:
        return None
    report = reports.get(source.name)
    return report.breaker(now_ms()) if report is not None else Breaker.CLOSED


def _document(
    source: SearchSource, reports: Mapping[str, SourceReport] | None
) -> dict[str, object]:
    report = (reports or {}).get(source.name)
    return {
        "name": source.name,
        "kind": source.kind,
        "isOn": source.is_on,
        "breaker": _breaker(source, reports),
        "visibility": source.visibility,
        "hasToken": bool(source.token),
        "baseUrl": source.base_url,
        "lastError": report and _error(report),
    }


def _error(report: SourceReport) -> dict[str, object]:
    return {
        "code": report.problem,
        "message": report.message,
        "at": _moment(report.failed_ms),
        "failures": report.failures,
        "pausedUntil": report.paused_until_ms and _moment(report.paused_until_ms),
        "answeredAt": report.answered_ms and _moment(report.answered_ms),
    }


def _row(source: SearchSource, reports: Mapping[str, SourceReport] | None) -> tuple[str, ...]:
    return (
        source.name,
        source.kind,
        "on" if source.is_on else "off",
        _breaker(source, reports) or _UNKNOWN,
        source.visibility.value,
        "set" if source.token else "-",
        source.base_url,
    )


def _sentence(report: SourceReport) -> str:
    end = f" It responded again at {_clock(report.answered_ms)}." if report.answered_ms else ""
    at = _clock(report.failed_ms)
    return f"{report.source}: {report.problem} at {at}: {report.message}{end}"


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds // 1000, UTC)


def _clock(milliseconds: int) -> str:
    return f"{_moment(milliseconds):%Y-%m-%d %H:%M:%S} UTC"
