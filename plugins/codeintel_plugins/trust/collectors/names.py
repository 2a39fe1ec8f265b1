"""How upstreams write the names of packages and repositories, each in its own way."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlsplit

from packageurl import PackageURL

from codeintel.contracts import Ecosystem, Target

_DASHES = re.compile(r"[-_.]+")
_FOLDING = frozenset(
    {Ecosystem.PYPI, Ecosystem.NUGET, Ecosystem.COMPOSER, Ecosystem.GITHUB, Ecosystem.DOCKER}
)
"""Whose names are the same in any case."""


def segment(text: str) -> str:
    """Return a text as one step of a path; empty for what would lead elsewhere."""
    return "" if text in {".", ".."} else quote(text, safe="", errors="replace")


def spelling(target: Target) -> str:
    """Return the name as its registry has it: `group:artifact` for Maven, `library/name` for
    what Docker itself publishes, and that of PEP 503 for Python."""
    name = target.name
    if target.ecosystem is Ecosystem.MAVEN and ":" not in name:
        return ":".join(name.rsplit("/", 1))
    if target.ecosystem is Ecosystem.DOCKER and "/" not in name:
        return f"library/{name}"
    if target.ecosystem is Ecosystem.PYPI:
        return _DASHES.sub("-", name).lower()
    return name.lower() if target.ecosystem is Ecosystem.COMPOSER else name


def is_same(ecosystem: Ecosystem, name: str, other: str) -> bool:
    """Return whether two names, as a registry writes them, are the same package there."""
    return _folded(ecosystem, name) == _folded(ecosystem, other)


def package_url(target: Target) -> str:
    """Return the package URL without a version (https://github.com/package-url/purl-spec); empty
    for a name that has none."""
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


_SCP = re.compile(r"(?:[\w.-]+@)([\w.-]+):(?!/)(.+)")
"""As Git writes addresses over SSH: `git@host:owner/repository.git`."""
_SCHEMES = frozenset({"http", "https", "git", "ssh"})
_STEP = re.compile(r"[A-Za-z0-9_.~-]{1,100}")
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_FLAT = frozenset({"github.com", "bitbucket.org", "codeberg.org"})
"""Where what follows owner and repository is a place within it."""
_MAX_STEPS = 10
_NO_OWNERS = frozenset({"apps", "features", "marketplace", "orgs", "sponsors", "topics", "users"})
"""Pages of GitHub's own."""


def repository_of(value: Any) -> str:
    """Return the repository of a URL or of an id without a scheme, or an empty text.

    The host is in lower case. The scheme, `www.`, `.git` and paths within the repository are
    dropped.
    """
    if not isinstance(value, str) or len(value) > 1_000:
        return ""
    text = value.strip().removeprefix("git+").removeprefix("scm:git:")
    if scp := _SCP.fullmatch(text):
        text = f"ssh://{scp[1]}/{scp[2]}"
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return ""
    if parts.scheme not in _SCHEMES or not _HOST.fullmatch(host):
        return ""
    return _named(host, parts.path.partition("/-/")[0])


def owner_and_name(repository: Any, host: str) -> tuple[str, str] | None:
    """Return both parts of the id of a repository on a host, or None for other hosts."""
    steps = repository.split("/") if isinstance(repository, str) else []
    if len(steps) != 3 or steps[0] != host or not all(map(_is_step, steps)):
        return None
    return steps[1], steps[2]


def _named(host: str, path: str) -> str:
    steps = path.strip("/").split("/")
    if host in _FLAT:
        steps = steps[:2]
    steps[-1] = steps[-1].removesuffix(".git")
    if not 2 <= len(steps) <= _MAX_STEPS or not all(map(_is_step, steps)):
        return ""
    if host == "github.com" and steps[0].lower() in _NO_OWNERS:
        return ""
    return "/".join([host, *steps])


def _is_step(text: str) -> bool:
    return bool(_STEP.fullmatch(text)) and text not in {".", ".."}
