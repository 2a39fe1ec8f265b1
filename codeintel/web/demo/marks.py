"""Marks of demo data, on each page that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from flask import Response

from codeintel.base.timestamps import from_milliseconds
from codeintel.contracts.states import RunSource
from codeintel.http.endpoint import services
from codeintel.runs.store import RunRecord
from codeintel.trust.recorded import is_recorded
from codeintel.trust.shapes import PackageReport
from codeintel.web.blueprint import blueprint

RELOAD_SECONDS = 4


def reload_while_loading(response: Response, state: str, address: str) -> Response:
    """Let the browser open `address` again while the demo is being loaded, without a script."""
    if state == "loading":
        response.headers["Refresh"] = f"{RELOAD_SECONDS}; url={address}"
    return response


def calendar_day(at: datetime) -> str:
    """Return `November 26, 2026`."""
    return at.strftime("%B %-d, %Y")


def recorded_evidence(reports: Iterable[PackageReport]) -> str:
    """Return the newest day of the recorded evidence in the reports, or an empty text."""
    days = [each.collected_at for each in reports if is_recorded(each.snapshot_id)]
    return calendar_day(max(days)) if days else ""


def recorded_network() -> str:
    """Return the newest day of the recorded evidence in the network, or an empty text."""
    newest = services().demo.recorded_on()
    return calendar_day(newest) if newest is not None else ""


def recorded_runs(runs: Iterable[RunRecord]) -> str:
    """Return the newest day of the demo's runs among these, or an empty text."""
    days = [each.created_ms for each in runs if each.source == RunSource.DEMO]
    return calendar_day(from_milliseconds(max(days))) if days else ""


blueprint.add_app_template_global(calendar_day)
