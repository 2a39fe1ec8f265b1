"""Owners of names, and the names that the caller protects, such as its own dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from rapidfuzz.distance import OSA

from codeintel.trust.names.candidates import famous_candidates
from codeintel.trust.names.ecosystems import (
    OWNED,
    OwnedName,
    bare_name,
    canonical_ecosystem,
    owned_name,
    registry_spelling,
)
from codeintel.trust.names.misspelt import consists_of_words
from codeintel.trust.names.shapes import Candidate, Edit, EditKind
from codeintel.trust.names.spelling import scope_of, spelling_edit, tokens
from codeintel.trust.names.tables import UNRANKED, FamousNames

_HOSTS = ("bitbucket.org", "github.com", "gitlab.com", "golang.org", "gopkg.in")
# The places of the well-known owners. An owner of the same name elsewhere may be different.
HOMES = frozenset({"", "github.com/"})
_DOMAINS = frozenset({"ch", "com", "dev", "io", "net", "org"})


def owner_candidates(parts: OwnedName, owners: FamousNames) -> Iterator[Candidate]:
    """Yield the owners that the owner of a name resembles, unless the owner is one of them."""
    if owners.has(parts.owner):
        return
    for each in (*famous_candidates(owners, parts.owner), *_domains(owners, parts.owner)):
        target = parts.host + each.target + parts.rest
        yield msgspec.structs.replace(each, target=target, owns=True)


def host_candidates(parts: OwnedName) -> Iterator[Candidate]:
    """Yield the hosts of sources at one edit from the host of a name."""
    found = parts.host.rstrip("/").lower()
    for host in _HOSTS:
        if found and OSA.distance(found, host, score_cutoff=1) == 1:
            edit, place = spelling_edit(found, host)
            target = f"{host}/{parts.owner}{parts.rest}"
            yield Candidate(target, UNRANKED, edit, found, host, place, owns=True)


def _domains(owners: FamousNames, owner: str) -> Iterator[Candidate]:
    """Yield the owners that are a reversed domain (maven's) with a different first part."""
    found, _, rest = owner.lower().partition(".")
    for each in owners.all:
        domain, _, own = each.name.partition(".")
        if own and own == rest and found != domain and {found, domain} <= _DOMAINS:
            edit = Edit(EditKind.SUBSTITUTION, f"`{found}` replaces `{domain}`")
            yield Candidate(each.name, each.rank, edit, owner.lower(), each.name, 0)


# Hosts where anyone may become an owner. Another host has one owner, who cannot be imitated on it.
_SHARED = re.compile(
    r"(?:bitbucket\.org|codeberg\.org|(?:\w+\.)?gcr\.io|ghcr\.io|gitea\.com|github\.com|gitlab\.com"
    r"|git\.sr\.ht|public\.ecr\.aws|quay\.io|registry\.gitlab\.com|[\w-]+\.pkg\.dev)?/?"
)
# Ecosystems with names of repositories, which anyone can fork under the same name.
_FORKED = frozenset({"github", "github_actions", "go"})
# A repository of the same name is as likely an intended fork as an imitation.
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
                if _is_unusual(name):
                    self._repositories.setdefault(name, each)
        self._owners = {
            host: FamousNames(ecosystem, [(UNRANKED, owner) for owner in found])
            for host, found in owners.items()
        }
        self.count = sum(map(len, owners.values()))

    def candidates(self, parts: OwnedName) -> Iterator[Candidate]:
        """Yield the names that the host, the owner or the repository of a name resembles."""
        parts = _plain(parts)
        owners = self._owners.get(parts.host)
        if owners is None:
            yield from self._hosts(parts)
        elif not _is_shared(parts.host) or owners.has(parts.owner):
            return
        else:
            yield from owner_candidates(parts, owners)
        if self._ecosystem in _FORKED:
            yield from self._forks(parts)

    def _hosts(self, parts: OwnedName) -> Iterator[Candidate]:
        """Yield the hosts of protected names at one edit from the host of a name, regardless
        of ports. Hosts that differ in a number are different machines.
        """
        found = _machine(parts.host)
        for each in self._owners:
            host = _machine(each)
            if _is_shared(each) or _is_shared(parts.host) or _domain(found) == _domain(host):
                continue
            if OSA.distance(found, host, score_cutoff=1) == 1:
                edit, place = spelling_edit(found, host)
                if edit.kind != EditKind.VERSION:
                    target = f"{each}{parts.owner}{parts.rest}"
                    yield Candidate(target, UNRANKED, edit, found, host, place, owns=True)

    def _forks(self, parts: OwnedName) -> Iterator[Candidate]:
        """Yield a protected name with the same repository.

        Common words occur in many paths. They only matter where anyone may register the same owner.
        """
        name = _repository(parts)
        found = self._paths.get((parts.owner.lower(), name))
        if found is not None and (
            (_is_shared(parts.host) and _is_shared(found.host))
            or _is_unusual(parts.owner)
            or _is_unusual(name)
        ):
            what, new, old = "host", parts.host.rstrip("/"), found.host.rstrip("/")
        elif _is_shared(parts.host) and (found := self._repositories.get(name)) is not None:
            what, new, old = "owner", parts.owner, found.owner
        else:
            return
        edit = Edit(EditKind.SCOPE, f"`{new}` replaces the {what} `{old}`")
        target = "".join(found)
        yield Candidate(target, UNRANKED, edit, new, old, 0, owns=True, probability=_EVEN)


def _is_shared(host: str) -> bool:
    return _SHARED.fullmatch(host) is not None


def _is_unusual(name: str) -> bool:
    """Return whether a name has more than common words."""
    return not all(map(consists_of_words, tokens(name)))


def _machine(host: str) -> str:
    return host.rstrip("/").partition(":")[0]


def _domain(machine: str) -> str:
    """Return the part of a host that has one owner: its last two labels, or three as in
    `acme.co.uk`.
    """
    labels = machine.split(".")
    return ".".join(labels[-3 if len(labels) > 2 and len(labels[-2]) <= 3 else -2 :])


def _plain(parts: OwnedName) -> OwnedName:
    """Return the parts with the host in lower case and without a final version.

    For https://gopkg.in, return the owner on GitHub.
    """
    parts = OwnedName(parts.host.lower(), parts.owner, _VERSION.sub("", parts.rest))
    if parts.host != "gopkg.in/":
        return parts
    if parts.rest:
        return parts._replace(host="github.com/")
    name = _VERSION.sub("", parts.owner)
    return OwnedName("github.com/", f"go-{name}", f"/{name}")


def _repository(parts: OwnedName) -> str:
    """Return the repository of a name without its owner and inner path, in lower case."""
    return parts.rest.strip("/:").partition("/")[0].lower()


class ProtectedNames:
    """Names that are legitimate, and that others must not imitate, however unknown they are.

    :param ecosystem: such as `npm`, or an alias.
    :param names: as their authors write them, in no order.
    """

    def __init__(self, ecosystem: str, names: Iterable[str]) -> None:
        self.ecosystem = canonical_ecosystem(ecosystem)
        every = {
            self._spelled(name): bare_name(self.ecosystem, name)
            for each in names
            if (name := each.strip())
        }
        parts = [(name, owned_name(self.ecosystem, name)) for name in every.values()]
        # If each name has an owner, a name without one is a path.
        plain = [name for name, each in parts if each is None and self._may_be_plain]
        self._spellings = frozenset(every)
        self._names = FamousNames(self.ecosystem, [(UNRANKED, name) for name in plain])
        self._owners = ProtectedOwners(
            self.ecosystem, [each for _, each in parts if each is not None]
        )

    def count(self, *, owners: bool) -> int:
        """Return the number of names, or of owners and scopes."""
        return len(self._names.scopes) + self._owners.count if owners else len(self._spellings)

    def has(self, name: str) -> bool:
        """Return whether the registry treats the name as a protected one, in any version."""
        return self._spelled(name) in self._spellings

    def candidates(self, name: str) -> Iterator[Candidate]:
        """Yield the protected names that a name resembles, in no order.

        A name whose owner has protected names resembles none.
        """
        parts = owned_name(self.ecosystem, name)
        if parts is not None:
            found = self._owners.candidates(parts)
        elif self.ecosystem == "npm" and scope_of(name) in self._names.scopes:
            return
        else:
            found = famous_candidates(self._names, name)
        for each in found:
            yield msgspec.structs.replace(each, is_protected=True)

    @property
    def _may_be_plain(self) -> bool:
        return self.ecosystem not in OWNED or self.ecosystem == "docker"

    def _spelled(self, name: str) -> str:
        return registry_spelling(self.ecosystem, bare_name(self.ecosystem, name.strip()))
