"""Light, dark, or what the device says: kept in a cookie, put into each page."""

from __future__ import annotations

from enum import StrEnum

from flask import Response, request

from codeintel.http.endpoint import services
from codeintel.web.blueprint import YEAR_SECONDS, blueprint
from codeintel.web.login.next_path import safe_path
from codeintel.web.login.require_login import check_origin

COOKIE, SECURE_COOKIE = "codeintel_theme", "__Host-codeintel-theme"
"""Browsers take the second only over HTTPS, and from this host alone."""


class Theme(StrEnum):
    """What the visitor has chosen."""

    LIGHT = "light"
    DARK = "dark"
    SYSTEM = "system"


def chosen_theme() -> Theme:
    """The visitor's choice; what the device says without one."""
    return _theme(request.cookies.get(_cookie(), ""))


@blueprint.post("/theme")
def choose_theme() -> Response:
    """Keep a choice, and back to the page."""
    check_origin()
    response = Response(status=303, headers={"Location": safe_path(request.form.get("next", ""))})
    response.set_cookie(
        _cookie(),
        _theme(request.form.get("theme", "")),
        max_age=YEAR_SECONDS,
        secure=_is_https(),
        httponly=True,
        samesite="Lax",
    )
    return response


def _is_https() -> bool:
    return services().settings.public_url.startswith("https://")


def _cookie() -> str:
    return SECURE_COOKIE if _is_https() else COOKIE


def _theme(text: str) -> Theme:
    return Theme(text) if text in list(Theme) else Theme.SYSTEM
