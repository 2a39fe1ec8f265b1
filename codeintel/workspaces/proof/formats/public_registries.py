"""Registries that anybody can read from, whose names of packages are no secret. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

_DOMAINS: Mapping[str, frozenset[tuple[str, str]]] = {
    "npm": frozenset({("npmjs", "org"), ("npmjs", "com"), ("yarnpkg", "com")}),
    "pypi": frozenset({("pypi", "org"), ("pythonhosted", "org")}),
    "cargo": frozenset({("crates", "io")}),
    "maven": frozenset({("apache", "org"), ("sonatype", "org"), ("sonatype", "com")}),
    "nuget": frozenset({("nuget", "org")}),
    "gem": frozenset({("rubygems", "org")}),
    "composer": frozenset({("packagist", "org")}),
    "docker": frozenset({("docker", "io")}),
}
"""The last two labels of their hosts: who has them has all below."""


def is_public_registry(ecosystem: str, url: str) -> bool:
    """Whether it is an address of a registry of the ecosystem for everybody; not where it carries
    credentials, as what is told to somebody alone may be a secret."""
    try:
        found = urlsplit(url.strip().strip("\"'"))
        host, user = found.hostname or "", found.username
    except ValueError:
        return False
    labels = tuple(host.split(".")[-2:])
    is_url = found.scheme in {"http", "https"} and user is None
    return is_url and labels in _DOMAINS.get(ecosystem, frozenset())
