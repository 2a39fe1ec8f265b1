"""The service's own address, as pages and answers show it."""

from __future__ import annotations

import ipaddress

from flask import request

from codeintel.base.version import DEFAULT_URL
from codeintel.http.endpoint import services
from codeintel.http.protection.hosts import LOOPBACK
from codeintel.http.served import last_address


def shown_origin() -> str:
    """The public URL, without a slash at the end.

    Without one, the address of the request if its host is this machine, an IP address or a name
    that the operator allows, else the address that is served. People copy commands from pages and
    send their keys to what stands there, so it must not be a name that DNS rebinding has put into
    `Host`; an IP address cannot be rebound.
    """
    settings = services().settings
    if settings.public_url:
        return settings.public_url.rstrip("/")
    name = request.host.rpartition(":")[0] if _has_port(request.host) else request.host
    if name in {*LOOPBACK, *settings.allowed_hosts} or _is_ip_address(name):
        return f"{request.scheme}://{request.host}"
    return (last_address(settings.instance) or DEFAULT_URL).rstrip("/")


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _has_port(host: str) -> bool:
    """Whether a port follows the name; the colons of an IPv6 address stand in brackets."""
    return host.rpartition(":")[2].isdigit()
