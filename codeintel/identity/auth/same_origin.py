"""Whether a request that changes something was sent by the service's own pages.

Browsers say so themselves: by `Sec-Fetch-Site` over HTTPS and on loopback, by `Origin` everywhere.
https://www.w3.org/TR/fetch-metadata/, https://fetch.spec.whatwg.org/#origin-header
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Request

from codeintel.base.errors import ErrorCode, ServiceError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def require_same_origin(request: Request, public_url: str) -> None:
    """Refuse a request that changes something and does not come from the service's own pages.

    :param public_url: origin of the service; empty where it is what the request was sent to.
    :raises ServiceError: `cross_origin`, also if the browser tells nothing at all.
    """
    if request.method in SAFE_METHODS:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None and site != "same-origin":
        raise _refusal("This came from another site: open the service's own page and do it there.")
    if origin is not None and not _is_own(origin, request, public_url):
        raise _refusal("This came from another site: open the service's own page and do it there.")
    if site is None and origin is None:
        raise _refusal(
            "The request does not tell where it came from: send `Origin` with the service's own "
            "origin, as browsers do."
        )


def _is_own(origin: str, request: Request, public_url: str) -> bool:
    """Whether an origin is the service's own. Without a public URL the scheme is not compared: a
    proxy may have taken HTTPS off."""
    if public_url and origin == public_url:
        return True
    host = urlsplit(origin).netloc
    is_loopback = not public_url or urlsplit(origin).hostname in {"localhost", "127.0.0.1", "::1"}
    return is_loopback and host == request.host


def _refusal(message: str) -> ServiceError:
    return ServiceError(ErrorCode.CROSS_ORIGIN, message)
