"""The ecosystems: their names, and the format, parts and spellings of package names."""

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
# Where a name is `owner/name`, only the owner identifies the publisher. The rest may be a fork's.
OWNED = frozenset({"composer", "docker", "github", "github_actions", "go", "maven"})
KNOWN = frozenset({"cargo", "gem", "npm", "nuget", "pypi"}) | OWNED

_RUN = re.compile(r"[-_.]+")
_DOCKER_HUB = re.compile(
    r"\A(?:(?:index\.|registry-1\.)?docker\.io/)?(?:library/(?=[^/]+\Z))?", re.IGNORECASE
)


def canonical_ecosystem(ecosystem: str) -> str:
    """Return the name by which the tables call an ecosystem: lower case, aliases resolved."""
    lowered = ecosystem.strip().lower().replace("-", "_")
    return ALIASES.get(lowered, lowered)


def bare_name(ecosystem: str, name: str) -> str:
    """Return a name without an image's tag, digest or default registry, or an action's reference.

    Docker adds a registry and owner to images without one
    (https://pkg.go.dev/github.com/distribution/reference).
    """
    if ecosystem not in {"docker", "github_actions"}:
        return name
    name = name.partition("@")[0]
    if ecosystem == "github_actions":
        return name
    path, slash, last = name.rpartition("/")  # a port is before the last `/`
    return _DOCKER_HUB.sub("", path + slash + last.partition(":")[0])


def registry_spelling(ecosystem: str, name: str) -> str:
    """Return the spelling under which the registry stores a name. Names with the same spelling are
    one package.

    PyPI: https://peps.python.org/pep-0503/#normalized-names. Crates differ neither in case nor in
    `-` and `_`. npm distinguishes case, for names from before it allowed only lower case.
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
    """A name in parts.

    `host` is empty or ends in `/`; `rest` starts with the separator after the owner.
    """

    host: str
    owner: str
    rest: str


def owned_name(ecosystem: str, name: str) -> OwnedName | None:
    """Return the parts of a name with an owner, or None for a name without one, such as a path.

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
    """Return whether the first part is a host.

    Docker's rule: https://pkg.go.dev/github.com/distribution/reference. Go modules are on hosts of
    the internet.
    """
    if ecosystem == "docker":
        return "." in first or ":" in first or first == "localhost"
    return ecosystem == "go" and "." in first


# Names may also have letters of other scripts, because imitations do.
_WORD = r"\w(?:[\w.~+-]*[\w~+-])?"
_PLAIN = re.compile(_WORD)
_NPM = re.compile(rf"(?:@{_WORD}/)?[\w.~-]+")
_PATH = re.compile(rf"{_WORD}(?::\d+)?(?:[/:][\w.~+-]+)*")
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:/.*)?")


def is_name(ecosystem: str, name: str) -> bool:
    """Return whether a text may be a plain name, without a version, an address or a file path. An
    image may have a tag or a digest, and an action a reference.

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
