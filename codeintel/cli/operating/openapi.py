"""`codeintel openapi`: print the document that describes the HTTP interface."""

from __future__ import annotations

import click

from codeintel.cli import common
from codeintel.server.opening import services_of


@click.command(short_help="Print the OpenAPI document.")
def openapi() -> None:
    """Print the OpenAPI document, plugins' endpoints included, as JSON.

    Its server is the setting CODEINTEL_PUBLIC_URL; without that, the one the document is read from.
    """
    with common.look_at_app(at_plugins=False) as app:
        from codeintel.http.openapi.document import document

        common.write_json(document(app, services_of(app).settings.public_url))
