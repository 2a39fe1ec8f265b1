"""The application factory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask

from codeintel.api import register_blueprints
from codeintel.api.workspaces.report_files import init_reports
from codeintel.app.composition import build_services
from codeintel.base.confinement.state import UnconfinedError, require
from codeintel.http.errors import init_errors
from codeintel.http.protection.headers import init_headers
from codeintel.http.protection.hosts import init_hosts
from codeintel.http.requests.body import release_body
from codeintel.platform.config import LoadedSettings, SettingError, load_settings
from codeintel.platform.db import db, init_database
from codeintel.platform.metrics.requests import init_metrics
from codeintel.platform.plugins.manager import load_plugins
from codeintel.web import register_pages
from codeintel.web.login.oidc_client import init_login_cookie
from codeintel.web.refusals import refusal_page
from codeintel.web.workspaces.reports.print import printed_report


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Make an application. It connects to nothing and starts nothing until it is used.

    :param config: settings by name, such as `{"DATABASE_URL": ...}`; they win over the environment
        and `codeintel.cfg`.
    :raises codeintel.platform.config.SettingError: for a wrong setting, which the message names.
    """
    loaded = load_settings(config)
    try:
        require(loaded.settings.confinement)
    except UnconfinedError as error:
        raise SettingError(str(error)) from None
    app = _new_app(loaded)
    init_database(app, loaded.settings)
    loaded, plugins = load_plugins(loaded)
    with app.app_context():
        app.extensions["codeintel"] = build_services(app, loaded, plugins, db.engine)
    init_headers(app)
    init_errors(app, refusal_page)
    init_hosts(app, loaded.settings)
    init_login_cookie(app, loaded.settings)
    app.teardown_request(release_body)
    init_reports(app, printed_report)
    register_blueprints(app)
    register_pages(app)
    init_metrics(app)
    return app


def _new_app(loaded: LoadedSettings) -> Flask:
    instance = loaded.settings.instance
    instance.mkdir(parents=True, exist_ok=True)
    app = Flask("codeintel", instance_path=str(instance), static_folder=None)
    app.debug = False  # which Flask would take from FLASK_DEBUG
    app.url_map.strict_slashes = True
    app.url_map.redirect_defaults = False
    return app
