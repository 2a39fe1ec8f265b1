"""`codeintel plugins`: list what is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codeintel.cli import common
from codeintel.cli.output.text import table
from codeintel.server.opening import services_of

if TYPE_CHECKING:
    from codeintel.platform.plugins.manager import PluginRecord


@click.command(short_help="List the plugins.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plugins(as_json: bool) -> None:
    """List the plugins: where each comes from, what it provides, and why a broken one is not used.

    The exit status is 0 even if one is broken: the service runs without it.
    """
    with common.look_at_app(at_plugins=True) as app:
        records = list(services_of(app).plugins.records)
    if as_json:
        common.write_json({"plugins": [_document(record) for record in records]})
    else:
        rows = [_row(record) for record in records]
        headers = ("name", "status", "origin", "location", "provides")
        common.write(table(headers, rows, common.terminal_width()) if rows else "No plugins.\n")
    broken = [record.name for record in records if record.error]
    if broken:
        common.write_line(f"Broken and not in use: {', '.join(broken)}.", err=True)


def _document(record: PluginRecord) -> dict[str, object]:
    return {
        "name": record.name,
        "origin": record.origin,
        "location": record.location,
        "error": record.error,
        "advice": record.advice or None,
        "provides": {kind: list(names) for kind, names in record.provides.items()},
    }


def _row(record: PluginRecord) -> tuple[str, ...]:
    """The last cell says what the plugin provides, or what is wrong with it."""
    kinds = (f"{kind}: {', '.join(names)}" for kind, names in record.provides.items() if names)
    what = record.error or record.advice or "; ".join(kinds) or "-"
    return record.name, "broken" if record.error else "ok", record.origin, record.location, what
