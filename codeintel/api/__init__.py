"""The API: a module for each endpoint group, each with its blueprint."""

from __future__ import annotations

from flask import Flask


def register_blueprints(app: Flask) -> None:
    """Wire all endpoint groups."""
    from codeintel.api import (
        account,
        analyze,
        capabilities,
        health,
        keys,
        openapi,
        runs,
        search,
        trust,
        well_known,
    )
    from codeintel.api.transformations import views as transform
    from codeintel.api.workspaces import proof as workspace_proof, views as workspace

    modules = (
        health,
        capabilities,
        search,
        trust,
        analyze,
        transform,
        runs,
        account,
        keys,
        openapi,
        well_known,
        workspace,
        workspace_proof,
    )
    for module in modules:
        app.register_blueprint(module.blueprint)
