"""Addresses of providers: what may be asked, and what belongs to whom."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

_PLAIN = re.compile(r"[!-\[\]-~]{1,2048}")
"""Printable ASCII without spaces and the backslash, which some take for a slash."""


def is_safe(url: str) -> bool:
    """Whether secrets may go to a URL: by HTTPS, or on this machine; nobody's name is in it."""
    parts = _split(url)
    if parts is None or "@" in parts.netloc or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(url))


def is_loopback(url: str) -> bool:
    """Whether a URL leads to this machine."""
    parts = _split(url)
    host = (parts.hostname or "") if parts else ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_inside(url: str) -> bool:
    """Whether a URL leads to this machine or to what is next to it, such as the service by which a
    cloud tells a machine its credentials, in any spelling that a resolver takes."""
    parts = _split(url)
    host = (parts.hostname or "").rstrip(".") if parts else ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:  # `127.1`, `0x7f000001` and `2130706433` are all the same
        address = ip_address(socket.inet_aton(host) if ":" not in host else host)
    except (OSError, ValueError):
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified or address.is_link_local


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port, to tell whether two URLs lead to the same server."""
    parts = _split(url)
    if parts is None:
        return "", "", None
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname or "", port


def _split(url: str) -> SplitResult | None:
    """The parts of a URL; None if it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # which is checked only when it is asked for
    except ValueError:
        return None
    return parts if parts.hostname and _PLAIN.fullmatch(url) else None
