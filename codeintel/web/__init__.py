"""The pages that the service shows to people."""

from __future__ import annotations

from importlib import import_module

from flask import Flask

PAGES = (
    "account.activity",
    "account.data",
    "account.pages",
    "bundles",
    "docs.pages",
    "home.pages",
    "keys.pages",
    "login.links",
    "login.pages",
    "playground.pages",
    "rules.pages",
    "runs.pages",
    "search.pages",
    "site",
    "trust.pages",
    "untrusted_text",
    "workspaces.diff",
    "workspaces.editor",
    "workspaces.files",
    "workspaces.history",
    "workspaces.list",
    "workspaces.pages",
    "workspaces.reports.files",
    "workspaces.reports.pages",
)
"""Modules below this package. Each adds its routes to the one blueprint when it is imported."""


def register_pages(app: Flask) -> None:
    """Wire all pages."""
    for page in PAGES:
        import_module(f"{__name__}.{page}")
    from codeintel.web.blueprint import blueprint

    app.register_blueprint(blueprint)
