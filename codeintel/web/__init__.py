"""The pages that the service shows to people."""

from __future__ import annotations

from flask import Flask


def register_pages(app: Flask) -> None:
    """Wire all pages: each module adds its own to the one blueprint when it is imported."""
    from codeintel.web import docs, rules, search, site, trust  # noqa: F401
    from codeintel.web.blueprint import blueprint

    app.register_blueprint(blueprint)
