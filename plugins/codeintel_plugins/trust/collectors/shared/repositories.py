"""One spelling for each repository, such as `github.com/owner/repository`."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

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
    """The repository that a URL leads to, or that an id names which has no scheme; empty where it
    leads to none.

    The host is in lower case; the scheme, `www.`, `.git` and places within it are left out.
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
    """Both parts of the id of a repository on a host; None for those elsewhere."""
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
