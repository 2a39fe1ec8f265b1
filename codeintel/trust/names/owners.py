"""Imitations of owners: where a name is `owner/name`, a fork keeps the rest."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rapidfuzz.distance import OSA

from codeintel.trust.names.candidates import famous_candidates
from codeintel.trust.names.ecosystems import OwnedName
from codeintel.trust.names.shapes import Candidate, Edit, EditKind
from codeintel.trust.names.spelling import spelling_edit
from codeintel.trust.names.tables import UNRANKED, FamousNames

_HOSTS = ("bitbucket.org", "github.com", "gitlab.com", "golang.org", "gopkg.in")
# Where the well-known owners are: an owner of the same name elsewhere may be another.
HOMES = frozenset({"", "github.com/"})
_DOMAINS = frozenset({"ch", "com", "dev", "io", "net", "org"})


def owner_candidates(parts: OwnedName, owners: FamousNames) -> Iterator[Candidate]:
    """The owners that the owner of a name resembles; none if it is one of them."""
    if owners.has(parts.owner):
        return
    for each in (*famous_candidates(owners, parts.owner), *_domains(owners, parts.owner)):
        target = parts.host + each.target + parts.rest
        yield msgspec.structs.replace(each, target=target, owns=True)


def host_candidates(parts: OwnedName) -> Iterator[Candidate]:
    """The hosts of sources at one edit from the host of a name."""
    found = parts.host.rstrip("/").lower()
    for host in _HOSTS:
        if found and OSA.distance(found, host, score_cutoff=1) == 1:
            edit, place = spelling_edit(found, host)
            target = f"{host}/{parts.owner}{parts.rest}"
            yield Candidate(target, UNRANKED, edit, found, host, place, owns=True)


def _domains(owners: FamousNames, owner: str) -> Iterator[Candidate]:
    """Owners that are a domain backwards (maven's) with another first part."""
    found, _, rest = owner.lower().partition(".")
    for each in owners.all:
        domain, _, own = each.name.partition(".")
        if own and own == rest and found != domain and {found, domain} <= _DOMAINS:
            edit = Edit(EditKind.SUBSTITUTION, f"`{found}` is in the place of `{domain}`")
            yield Candidate(each.name, each.rank, edit, owner.lower(), each.name, 0)
