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

    Those of CODEINTEL_PLUGINS_DISABLED are imported by this command only, to tell what they would
    provide.

    The exit status is 0 even if one is broken: the service runs without it.
    """
    with common.look_at_app(at_plugins=True) as app:
        loaded = services_of(app).plugins
        # None of these has been imported: it is asked here, and only to be shown.
        brings = {each.name: loaded.preview(each.name) for each in loaded.records if each.disabled}
        records = list(loaded.records)
    if as_json:
        common.write_json(
            {"plugins": [_document(record, brings.get(record.name)) for record in records]}
        )
    else:
        rows = [_row(record, brings.get(record.name)) for record in records]
        headers = ("name", "status", "origin", "location", "provides")
        common.write(table(headers, rows, common.terminal_width()) if rows else "No plugins.\n")
    broken = [record.name for record in records if record.error]
    if broken:
        common.write_line(f"Broken and not in use: {', '.join(broken)}.", err=True)


def _document(record: PluginRecord, brings: PluginRecord | None) -> dict[str, object]:
    return {
        "name": record.name,
        "origin": record.origin,
        "location": record.location,
        "error": record.error,
        "advice": record.advice or None,
        "provides": {kind: list(names) for kind, names in record.provides.items()},
        "disabled": record.disabled,
        "would_provide": brings and {kind: list(names) for kind, names in brings.provides.items()},
    }


def _row(record: PluginRecord, brings: PluginRecord | None) -> tuple[str, ...]:
    """The last cell says what the plugin provides, would provide, or what is wrong with it."""
    status = "disabled" if record.disabled else "broken" if record.error else "ok"
    what = _told(record)
    if brings is not None:
        what = f"would be broken: {brings.error}" if brings.error else f"would add {_told(brings)}"
    return record.name, status, record.origin, record.location, what


def _told(record: PluginRecord) -> str:
    kinds = (f"{kind}: {', '.join(names)}" for kind, names in record.provides.items() if names)
    return record.error or record.advice or "; ".join(kinds) or "-"
