"""The API: a module with a blueprint for each group of endpoints.

Other packages import only this module, `analyze`, `search`, `transform`, `trust`,
`workspaces.operations` and `workspaces.proof`.
"""

from __future__ import annotations

from flask import Flask


def register_blueprints(app: Flask) -> None:
    """Register all groups of endpoints."""
    from codeintel.api import (
        account,
        analyze,
        description,
        keys,
        runs,
        scans,
        search,
        transform,
        trust,
    )
    from codeintel.api.workspaces import proof as workspace_proof, views as workspace

    for blueprint in (
        *description.blueprints,
        search.blueprint,
        trust.blueprint,
        analyze.blueprint,
        transform.blueprint,
        runs.blueprint,
        scans.blueprint,
        account.blueprint,
        keys.blueprint,
        workspace.blueprint,
        workspace_proof.blueprint,
    ):
        app.register_blueprint(blueprint)
