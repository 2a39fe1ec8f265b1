"""`codeintel sources`: list the registries that can be searched."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codeintel.cli import common
from codeintel.cli.output.text import table
from codeintel.server.opening import services_of

if TYPE_CHECKING:
    from flask import Flask

    from codeintel.contracts import SearchSource
    from codeintel.search.reports import SourceReport

_HEADERS = ("name", "kind", "status", "breaker", "seen by", "token", "url")
_UNKNOWN = "?"


@click.command(short_help="List the search sources.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def sources(as_json: bool) -> None:
    """List the registries that can be searched, those of plugins included: whether each is on, who
    sees what it finds, where it is, and how the last search that failed did.

    It reads the settings and what the service has written down, and asks no registry.
    CODEINTEL_SOURCES turns on those that are off.

    \b
    Breaker:
      closed     the source is asked
      open       it failed several times and is left alone for a while
      half-open  that while is over: the next search tries it
      limited    its registry's limit for this service is used up
      ?          the database does not tell
    """
    with common.look_at_app(at_plugins=True) as app:
        found = sorted(services_of(app).search.sources.values(), key=lambda each: each.name)
        reports = _reports(app)
    if as_json:
        common.write_json({"sources": [_document(source, reports) for source in found]})
        return
    rows = [_row(source, reports) for source in found]
    common.write(table(_HEADERS, rows, common.terminal_width()) if rows else "No sources.\n")
    for source in found:
        report = (reports or {}).get(source.name)
        if report is not None:
            common.write_line(_sentence(report))


def _reports(app: Flask) -> Mapping[str, SourceReport] | None:
    """What the service has noticed of each source that failed; None if the database does not
    tell."""
    from sqlalchemy.exc import SQLAlchemyError

    from codeintel.platform.db import db

    file = db.engine.url.database if db.engine.dialect.name == "sqlite" else None
    if file is not None and not Path(file).exists():  # to look at it would make it
        return {}
    try:
        return services_of(app).source_reports.all()
    except SQLAlchemyError:
        common.write_line("codeintel: the database does not tell which sources failed", err=True)
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
    end = f" It answered again at {_clock(report.answered_ms)}." if report.answered_ms else ""
    at = _clock(report.failed_ms)
    return f"{report.source}: {report.problem} at {at}: {report.message}{end}"


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds // 1000, UTC)


def _clock(milliseconds: int) -> str:
    return f"{_moment(milliseconds):%Y-%m-%d %H:%M:%S} UTC"
