"""The API: a module for each endpoint group, each with its blueprint."""

from __future__ import annotations

from flask import Flask


def register_blueprints(app: Flask) -> None:
    """Wire all endpoint groups."""
    from codeintel.api import account, analyze, health, openapi
    from codeintel.web import docs

    for module in (health, analyze, account, openapi, docs):
        app.register_blueprint(module.blueprint)
