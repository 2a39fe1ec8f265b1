"""Which host names requests may carry."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask

from codeintel.config import Settings

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def init_hosts(app: Flask, settings: Settings) -> None:
    """Refuse other hosts with 400, once the operator has said under which the service is reached:
    links must not be made for a name that an attacker chose."""
    named = [urlsplit(settings.public_url).hostname or ""] if settings.public_url else []
    allowed = [*named, *settings.allowed_hosts]
    if allowed:
        app.config["TRUSTED_HOSTS"] = [*allowed, *LOOPBACK]
