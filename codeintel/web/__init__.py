"""The pages that the service shows to people.

Other packages import only this module, `login.oidc_client`, `site` and `workspaces.report_pages`.
"""

from __future__ import annotations

from importlib import import_module

from flask import Flask

PAGES = (
    "account",
    "account_data",
    "activity",
    "demo.pages",
    "finder.pages",
    "guides.pages",
    "findings.pages",
    "home",
    "keys",
    "login.links",
    "login.pages",
    "playground.pages",
    "reference.pages",
    "rules",
    "run_list.pages",
    "runs",
    "search",
    "site",
    "template_functions",
    "text",
    "trust.pages",
    "workspaces.history",
    "workspaces.pages",
    "workspaces.report_pages",
    "workspaces.sessions",
)
"""Modules below this package. Each adds its routes to the one blueprint when it is imported."""


def register_pages(app: Flask) -> None:
    """Wire all pages."""
    for page in PAGES:
        import_module(f"{__name__}.{page}")
    from codeintel.web.blueprint import blueprint

    app.register_blueprint(blueprint)
