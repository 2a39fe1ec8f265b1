"""Owners and repositories of protected names, where a name is `owner/name`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import OSA

from codeintel.trust.names.candidate import Candidate
from codeintel.trust.names.edits import spelling_edit
from codeintel.trust.names.owned import OwnedName
from codeintel.trust.names.owners import owner_candidates
from codeintel.trust.names.shapes import Edit, EditKind
from codeintel.trust.names.spelling import tokens
from codeintel.trust.names.tables import UNRANKED, FamousNames
from codeintel.trust.names.words import consists_of_words

# Where anybody may become an owner. Elsewhere a host has one owner, who cannot be imitated on it.
_SHARED = frozenset(
    [
        "",
        "bitbucket.org/",
        "codeberg.org/",
        "docker.io/",
        "gcr.io/",
        "ghcr.io/",
        "github.com/",
        "gitlab.com/",
        "gopkg.in/",
        "quay.io/",
        "registry.gitlab.com/",
    ]
)
# Where a name is that of a repository, of which anybody can make a fork with the same name.
_FORKED = frozenset({"github", "github_actions", "go"})
# A repository of the same name is as likely a fork that is meant as one that is not.
_EVEN = 0.5
_VERSION = re.compile(r"[./]v\d+\Z")


class ProtectedOwners:
    """The owners that others must not imitate.

    :param ecosystem: as the tables call it.
    """

    def __init__(self, ecosystem: str, names: Sequence[OwnedName]) -> None:
        self._ecosystem = ecosystem
        owners: dict[str, dict[str, None]] = {}
        self._paths: dict[tuple[str, str], OwnedName] = {}
        self._repositories: dict[str, OwnedName] = {}
        for each in map(_plain, names):
            owners.setdefault(each.host, {})[each.owner] = None
            if name := _repository(each):
                self._paths.setdefault((each.owner.lower(), name), each)
                if not all(map(consists_of_words, tokens(name))):
                    self._repositories.setdefault(name, each)
        self._owners = {
            host: FamousNames(ecosystem, [(UNRANKED, owner) for owner in found])
            for host, found in owners.items()
        }

    def candidates(self, parts: OwnedName) -> Iterator[Candidate]:
        """What the host, the owner or the repository of a name resembles."""
        parts = _plain(parts)
        owners = self._owners.get(parts.host)
        if owners is None:
            yield from self._hosts(parts)
        elif parts.host not in _SHARED or owners.has(parts.owner):
            return
        else:
            yield from owner_candidates(parts, owners)
        if self._ecosystem in _FORKED:
            yield from self._forks(parts)

    def _hosts(self, parts: OwnedName) -> Iterator[Candidate]:
        """The hosts of protected names at one edit from the host of a name, whatever the ports."""
        found = parts.host.rstrip("/").partition(":")[0]
        for each in self._owners:
            host = each.rstrip("/").partition(":")[0]
            if host and found and OSA.distance(found, host, score_cutoff=1) == 1:
                edit, place = spelling_edit(found, host)
                target = f"{each}{parts.owner}{parts.rest}"
                yield Candidate(target, UNRANKED, edit, found, host, place, owns=True)

    def _forks(self, parts: OwnedName) -> Iterator[Candidate]:
        """A protected name with the same repository. Words are in many names of repositories, so
        they say something with the same owner alone, who is on another host."""
        name = _repository(parts)
        found = self._paths.get((parts.owner.lower(), name))
        if found is not None:
            what, new, old = "host", parts.host.rstrip("/"), found.host.rstrip("/")
        elif parts.host in _SHARED and (found := self._repositories.get(name)) is not None:
            what, new, old = "owner", parts.owner, found.owner
        else:
            return
        edit = Edit(EditKind.SCOPE, f"`{new}` is in the place of the {what} `{old}`")
        target = "".join(found)
        yield Candidate(target, UNRANKED, edit, new, old, 0, owns=True, probability=_EVEN)


def _plain(parts: OwnedName) -> OwnedName:
    """With the host in lower case, and without a version at the end: https://gopkg.in has it in the
    last part."""
    host, rest = parts.host.lower(), _VERSION.sub("", parts.rest)
    owner = _VERSION.sub("", parts.owner) if host == "gopkg.in/" else parts.owner
    return OwnedName(host, owner, rest)


def _repository(parts: OwnedName) -> str:
    """The repository of a name without its owner, in lower case: a path in it is not its name."""
    return parts.rest.strip("/:").partition("/")[0].lower()
