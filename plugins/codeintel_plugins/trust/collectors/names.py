"""How upstreams write the names of packages, each in its own way."""

from __future__ import annotations

import re
from urllib.parse import quote

from packageurl import PackageURL

from codeintel.contracts import Ecosystem, Target

_DASHES = re.compile(r"[-_.]+")
_FOLDING = frozenset(
    {Ecosystem.PYPI, Ecosystem.NUGET, Ecosystem.COMPOSER, Ecosystem.GITHUB, Ecosystem.DOCKER}
)
"""Whose names are the same in any case."""


def segment(text: str) -> str:
    """A text as one step of a path; empty for what would lead elsewhere."""
    return "" if text in {".", ".."} else quote(text, safe="", errors="replace")


def spelling(target: Target) -> str:
    """The name as its registry has it: `group:artifact` for Maven, `library/name` for what Docker
    itself publishes, and that of PEP 503 for Python."""
    name = target.name
    if target.ecosystem is Ecosystem.MAVEN and ":" not in name:
        return ":".join(name.rsplit("/", 1))
    if target.ecosystem is Ecosystem.DOCKER and "/" not in name:
        return f"library/{name}"
    if target.ecosystem is Ecosystem.PYPI:
        return _DASHES.sub("-", name).lower()
    return name.lower() if target.ecosystem is Ecosystem.COMPOSER else name


def is_same(ecosystem: Ecosystem, name: str, other: str) -> bool:
    """Whether two names, as a registry writes them, are of one package there."""
    return _folded(ecosystem, name) == _folded(ecosystem, other)


def package_url(target: Target) -> str:
    """The package URL without a version (https://github.com/package-url/purl-spec); empty for a
    name that has none."""
    name = target.name
    if target.ecosystem is Ecosystem.DOCKER:
        name = name.removeprefix("library/")
    if target.ecosystem is Ecosystem.MAVEN:
        name = name.replace(":", "/")
    namespace, _, base = name.rpartition("/")
    if not base.strip():
        return ""
    try:
        return PackageURL(str(target.ecosystem), namespace or None, base).to_string()
    except ValueError:  # also of halves of characters
        return ""


def _folded(ecosystem: Ecosystem, name: str) -> str:
    if ecosystem is Ecosystem.PYPI:
        name = _DASHES.sub("-", name)
    return name.casefold() if ecosystem in _FOLDING else name
