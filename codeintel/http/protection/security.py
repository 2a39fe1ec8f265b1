"""Headers that tell a browser what it may do with an answer."""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from flask import Response, g

from codeintel.http.protection.hosts import LOOPBACK

HSTS_SECONDS = 31_536_000
_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The policy of what is no page: a browser that opens it loads nothing else."""
# A module hands its nonce on to what it imports: scripts need no other source. `form-action` holds
# for where a form's answer leads, too: sign-in at a provider begins with a link.
_PAGE = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; "
    "connect-src 'self'; img-src 'self' data:; font-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_PERMISSIONS = (
    "accelerometer=(), camera=(), clipboard-read=(), clipboard-write=(self), display-capture=(), "
    "geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
)
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": _PERMISSIONS,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


_REFERRER = "same-origin"
"""Other sites are told nothing. `no-referrer` would send forms with `Origin: null`."""


def csp_nonce() -> str:
    """The nonce of this answer, for its `script` and `style` elements."""
    existing: str | None = g.get("csp_nonce")
    if existing is None:
        existing = g.csp_nonce = secrets.token_urlsafe(16)
    return existing


def set_security_headers(response: Response, public_url: str) -> None:
    """Set them all; a view's own policies of content and of referrers stay."""
    headers = response.headers
    for name, value in _ALWAYS.items():
        headers[name] = value
    headers.setdefault("Referrer-Policy", _REFERRER)
    is_page = response.mimetype == "text/html"
    policy = _PAGE.format(nonce=csp_nonce()) if is_page else _NOTHING
    headers.setdefault("Content-Security-Policy", policy)
    if is_only_https(public_url):
        headers["Strict-Transport-Security"] = f"max-age={HSTS_SECONDS}"


def is_only_https(public_url: str) -> bool:
    """Whether a browser may be told never to use plain HTTP with this host. Never on loopback:
    whatever else is developed there would be out of reach."""
    parts = urlsplit(public_url)
    host = parts.hostname or ""
    names = {name.strip("[]") for name in LOOPBACK}
    is_loopback = host in names or host.endswith(".localhost") or host.startswith("127.")
    return parts.scheme == "https" and not is_loopback
