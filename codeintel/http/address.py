"""Find the address of a client behind proxies."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from codeintel.platform.config.parse import Network

IPV6_CUSTOMER_PREFIX = 64


def client_address(remote: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Return the rightmost address that does not belong to a trusted proxy.

    :param remote: the peer of the connection.
    :param forwarded_for: `X-Forwarded-For`. Only the part that trusted proxies wrote is used.
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
    """Return the key under which an address is counted. An IPv6 customer has a whole /64."""
    parsed = _parse(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        network = ipaddress.ip_network((parsed, IPV6_CUSTOMER_PREFIX), strict=False)
        return f"address:{network}"
    return f"address:{parsed or address}"


def is_shared(address: str, trusted: Sequence[Network]) -> bool:
    """Return whether a peer may represent many clients: this machine, which may run a proxy or a
    tunnel, a trusted proxy, or a socket without an address.
    """
    parsed = _parse(address)
    return parsed is None or parsed.is_loopback or any(parsed in network for network in trusted)


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        parsed = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    mapped = getattr(parsed, "ipv4_mapped", None)
    return mapped or parsed
