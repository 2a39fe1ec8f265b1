"""`codeintel sources`: list the registries that can be searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codeintel.cli import common
from codeintel.cli.text import table

if TYPE_CHECKING:
    from codeintel.contracts import SearchSource

_HEADERS = ("name", "kind", "status", "seen by", "token", "url")


@click.command(short_help="List the search sources.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def sources(as_json: bool) -> None:
    """List the registries that can be searched, those of plugins included: whether each is on, who
    sees what it finds, and where it is.

    It reads the settings and asks no registry. CODEINTEL_SOURCES turns on those that are off.
    """
    with common.look_at_app(at_plugins=True) as app:
        found = sorted(common.services_of(app).search.sources.values(), key=lambda each: each.name)
    if as_json:
        common.write_json({"sources": [_document(source) for source in found]})
    else:
        rows = [_row(source) for source in found]
        text = table(_HEADERS, rows, common.terminal_width()) if rows else "No sources.\n"
        common.write(text)


def _document(source: SearchSource) -> dict[str, object]:
    return {
        "name": source.name,
        "kind": source.kind,
        "isOn": source.is_on,
        "visibility": source.visibility,
        "hasToken": bool(source.token),
        "baseUrl": source.base_url,
    }


def _row(source: SearchSource) -> tuple[str, ...]:
    return (
        source.name,
        source.kind,
        "on" if source.is_on else "off",
        source.visibility.value,
        "set" if source.token else "-",
        source.base_url,
    )
