"""The reference of this service. It is built once, because it is the same for all visitors."""

from __future__ import annotations

from typing import cast

from flask import current_app
from markupsafe import escape

from codeintel.http.openapi.document import document
from codeintel.http.protection import shown_origin
from codeintel.platform.config import Settings
from codeintel.web.reference.building import reference
from codeintel.web.reference.views import Reference

_CACHE = "codeintel.reference"
_ANY_BASE = "http://address-of-this-service.invalid"


def current_reference() -> Reference:
    """Return the reference. Its examples have a placeholder: see :func:`with_origin`."""
    known: Reference | None = current_app.extensions.get(_CACHE)
    if known is None:
        settings = cast(Settings, current_app.extensions["codeintel"].settings)
        described = document(current_app, settings.public_url)
        known = current_app.extensions[_CACHE] = reference(described, _ANY_BASE)
    return known


def with_origin(page: str) -> str:
    """Return a page with the address of this service, which callers choose without a public URL."""
    return page.replace(_ANY_BASE, str(escape(shown_origin())))
