"""The blueprint of all pages, with their templates and styles."""

from __future__ import annotations

from flask import Blueprint

# A folder of its own below /static, so that an application's own static route cannot hide it.
blueprint = Blueprint(
    "web",
    __name__,
    template_folder="templates",
    static_folder="static",
    static_url_path="/static/web",
)
