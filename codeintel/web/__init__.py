"""The pages that the service shows to people."""

from __future__ import annotations

from flask import Flask


def register_pages(app: Flask) -> None:
    """Wire all pages: each module adds its own to the one blueprint when it is imported."""
    from codeintel.web import (  # noqa: F401
        account,
        account_data,
        activity,
        bundles,
        docs,
        home,
        keys,
        login,
        playground,
        rules,
        runs,
        search,
        signin,
        site,
        theme,
        trust,
        visible,
        workspace,
        workspace_diff,
        workspace_editor,
        workspace_files,
        workspace_history,
        workspace_list,
        workspace_reports,
        workspace_reports_files,
    )
    from codeintel.web.blueprint import blueprint

    app.register_blueprint(blueprint)
