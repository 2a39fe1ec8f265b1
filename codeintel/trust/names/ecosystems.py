"""The ecosystems: what they are called, and when two spellings are one name there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "actions": "github_actions",
        "crates": "cargo",
        "crates.io": "cargo",
        "githubactions": "github_actions",
        "golang": "go",
        "packagist": "composer",
        "rubygems": "gem",
    }
)
# Where a name is `owner/name`, only the owner tells who publishes: the rest may be a fork's.
OWNED = frozenset({"composer", "docker", "github", "github_actions", "go", "maven"})
KNOWN = frozenset({"cargo", "gem", "npm", "nuget", "pypi"}) | OWNED

_RUN = re.compile(r"[-_.]+")
_DOCKER_HUB = re.compile(
    r"\A(?:(?:index\.|registry-1\.)?docker\.io/)?(?:library/(?=[^/]+\Z))?", re.IGNORECASE
)


def canonical_ecosystem(ecosystem: str) -> str:
    """The name by which the tables call an ecosystem: lower case, aliases resolved."""
    lowered = ecosystem.strip().lower().replace("-", "_")
    return ALIASES.get(lowered, lowered)


def bare_name(ecosystem: str, name: str) -> str:
    """A name without the tag or digest of an image, the reference of an action, or the registry and
    owner that Docker adds to an image without one
    (https://pkg.go.dev/github.com/distribution/reference)."""
    if ecosystem not in {"docker", "github_actions"}:
        return name
    name = name.partition("@")[0]
    if ecosystem == "github_actions":
        return name
    path, slash, last = name.rpartition("/")  # a port is before the last `/`
    return _DOCKER_HUB.sub("", path + slash + last.partition(":")[0])


def registry_spelling(ecosystem: str, name: str) -> str:
    """The spelling under which the registry keeps a name: two names with one are one package.

    PyPI: https://peps.python.org/pep-0503/#normalized-names. Crates differ neither in case nor in
    `-` and `_`. npm tells case apart, for names from before it allowed only lower case.
    """
    if ecosystem == "npm":
        return name
    lowered = name.lower()
    if ecosystem == "pypi":
        return _RUN.sub("-", lowered)
    if ecosystem == "cargo":
        return lowered.replace("_", "-")
    return lowered
