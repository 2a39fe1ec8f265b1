"""The client's address behind proxies, and the key for its limits."""

from __future__ import annotations

import ipaddress

import pytest

from codeintel.http.address import client_address, limit_key

PROXIES = ("127.0.0.1/32", "10.0.0.0/8", "2001:db8:ffff::/48")


@pytest.mark.parametrize(
    ("remote", "forwarded", "expected"),
    [
        # No proxy forwards.
        ("203.0.113.5", "", "203.0.113.5"),
        ("2001:db8::1", "", "2001:db8::1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("", "", ""),
        # A client may claim what it likes.
        ("203.0.113.5", "198.51.100.9", "203.0.113.5"),
        ("203.0.113.5", "10.0.0.1, 127.0.0.1", "203.0.113.5"),
        ("", "198.51.100.9", ""),
        # A trusted proxy is believed, and only for the hop that it saw.
        ("10.0.0.1", "198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "1.1.1.1,198.51.100.9,10.9.9.9", "198.51.100.9"),
        ("127.0.0.1", " 198.51.100.9 ,\t10.0.0.2 , 10.0.0.3", "198.51.100.9"),
        ("10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"),
        # IPv6, and IPv4 in its clothes.
        ("2001:db8:ffff::1", "2001:DB8:0::00A", "2001:db8::a"),
        ("::ffff:10.0.0.1", "198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "::ffff:198.51.100.9", "198.51.100.9"),
        ("::ffff:203.0.113.5", "198.51.100.9", "203.0.113.5"),
        # Behind what is no address, nothing is believed.
        ("10.0.0.1", "198.51.100.9, unknown", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.9, unknown, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "198.51.100.9:4711", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.9,", "10.0.0.1"),
        ("10.0.0.1", "<script>", "10.0.0.1"),
        ("10.0.0.1", "," * 10_000, "10.0.0.1"),
    ],
)
def test_client_address(remote: str, forwarded: str, expected: str) -> None:
    trusted = [ipaddress.ip_network(proxy) for proxy in PROXIES]
    assert client_address(remote, forwarded, trusted) == expected


def test_without_trusted_proxies_nothing_is_believed() -> None:
    assert client_address("127.0.0.1", "198.51.100.9", ()) == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.5", "address:203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "address:2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "address:2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "address:2001:db8:1:3::/64"),
        ("fe80::1%eth0", "address:fe80::/64"),
        ("::1", "address:::/64"),
        ("::ffff:203.0.113.5", "address:203.0.113.5"),
        ("::FFFF:CB00:7105", "address:203.0.113.5"),
        ("", "address:"),
        ("unix", "address:unix"),
    ],
)
def test_limit_key(address: str, key: str) -> None:
    assert limit_key(address) == key
