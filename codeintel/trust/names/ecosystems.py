"""The ecosystems: their names, which texts may be names there, their parts and spellings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

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


class OwnedName(NamedTuple):
    """A name in parts. `host` may be empty, else it ends in `/`; `rest` begins with what parts it
    from the owner."""

    host: str
    owner: str
    rest: str


def owned_name(ecosystem: str, name: str) -> OwnedName | None:
    """The parts of a name with an owner; None for a name without one, such as a path.

    :param ecosystem: as the tables call it.
    """
    if ecosystem not in OWNED:
        return None
    name = name.strip("/")
    mark = ":" if ecosystem == "maven" and ":" in name else "/"
    first, found, rest = name.partition(mark)
    if not found or not first.strip("."):
        return None
    if _is_host(ecosystem, first):
        owner, _, rest = rest.partition("/")
        return OwnedName(f"{first}/", owner, f"/{rest}" if rest else "")
    return None if ":" in first else OwnedName("", first, f"{mark}{rest}")


def _is_host(ecosystem: str, first: str) -> bool:
    """Docker's rule: https://pkg.go.dev/github.com/distribution/reference. Modules of Go are on
    hosts of the internet."""
    if ecosystem == "docker":
        return "." in first or ":" in first or first == "localhost"
    return ecosystem == "go" and "." in first


# Letters of other scripts may be in names, too: imitations have them.
_WORD = r"\w(?:[\w.~+-]*[\w~+-])?"
_PLAIN = re.compile(_WORD)
_NPM = re.compile(rf"(?:@{_WORD}/)?[\w.~-]+")
_PATH = re.compile(rf"{_WORD}(?::\d+)?(?:[/:][\w.~+-]+)*")
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:/.*)?")


def is_name(ecosystem: str, name: str) -> bool:
    """Whether a text may be a name alone: no version, no address and no path on a disk. An image
    may have a tag or a digest, and an action a reference.

    :param ecosystem: such as `npm`, or an alias.
    """
    ecosystem = canonical_ecosystem(ecosystem)
    name = bare_name(ecosystem, name)
    if ecosystem == "npm":
        return _NPM.fullmatch(name) is not None
    if ecosystem not in OWNED:
        return _PLAIN.fullmatch(name) is not None
    if _PATH.fullmatch(name) is None:
        return False
    if ecosystem == "go":
        return _DOMAIN.fullmatch(name) is not None
    if ecosystem == "docker":
        return True
    is_address = ecosystem in {"github", "github_actions"} and name.startswith("github.com/")
    return owned_name(ecosystem, name) is not None and not is_address
