"""The address of a client behind proxies."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from codeintel.platform.config.parse import Network

IPV6_CUSTOMER_PREFIX = 64


def client_address(remote: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """The rightmost address that no trusted proxy owns.

    :param remote: the peer of the connection.
    :param forwarded_for: `X-Forwarded-For`; believed only as far as trusted proxies wrote it.
    """
    address = remote
    for hop in (remote, *reversed(forwarded_for.split(","))):
        parsed = _parse(hop)
        if parsed is None:
            return address
        address = str(parsed)
        if not any(parsed in network for network in trusted):
            return address
    return address


def limit_key(address: str) -> str:
    """What to count an address under: an IPv6 customer has a whole /64."""
    parsed = _parse(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        network = ipaddress.ip_network((parsed, IPV6_CUSTOMER_PREFIX), strict=False)
        return f"address:{network}"
    return f"address:{parsed or address}"


def is_shared(address: str, trusted: Sequence[Network]) -> bool:
    """Whether the peer of a connection may stand for many clients: this machine, where a proxy or
    a tunnel may run, a trusted proxy, or a socket without an address."""
    parsed = _parse(address)
    return parsed is None or parsed.is_loopback or any(parsed in network for network in trusted)


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        parsed = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    mapped = getattr(parsed, "ipv4_mapped", None)
    return mapped or parsed
