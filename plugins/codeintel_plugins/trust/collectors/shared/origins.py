"""Which repository a version in deps.dev comes from, and what proves it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from codeintel_plugins.trust.collectors.shared.reading import part, rows, web_url
from codeintel_plugins.trust.collectors.shared.repositories import repository_of

ATTESTED, DECLARED = "attested", "declared"
_BY_ORIGIN = "GO_ORIGIN"
"""Go takes the module from this very repository: there is nothing that could be only declared."""


@dataclass(frozen=True)
class Attestations:
    """What was attested of a version.

    :param fact: how many there are, how many of them were verified, and the repository that a
        verified one names, None if there is none.
    :param proven: every repository that a verified one names.
    :param url: of the statement; empty where there is none.
    """

    fact: dict[str, Any]
    proven: tuple[str, ...]
    url: str


def attestations(version: Mapping[str, Any]) -> Attestations:
    """All of them. npm's provenances come a second time, in an older list of their own, which
    counts only where there is no other."""
    listed = list(rows(version.get("attestations"))) or list(rows(version.get("slsaProvenances")))
    verified = [row for row in listed if row.get("verified") is True]
    named = {repository_of(row.get("sourceRepository")): row for row in reversed(verified)}
    proven = tuple(name for name in reversed(named) if name)
    urls = [web_url(row.get("url")) for row in verified or listed]
    fact = {
        "verified": len(verified),
        "total": len(listed),
        "repository": proven[0] if proven else None,
    }
    return Attestations(fact, proven, next(filter(None, urls), ""))


def repository(version: Mapping[str, Any], proven: tuple[str, ...]) -> tuple[str, str]:
    """The repository of a version and what proves it; both empty where there is none.

    What is attested comes before what the package merely says of itself, and related projects
    before links, which nobody has looked at. A relation by attestation that was not verified is no
    better than a declared one.
    """
    sources = dict(_sources(version))
    if by_origin := [name for name, how in sources.items() if how == _BY_ORIGIN]:
        return by_origin[0], ATTESTED
    attested = {name.casefold() for name in proven}
    for name in (*sources, *proven):
        if name.casefold() in attested:
            return name, ATTESTED
    declared = next(filter(None, (*sources, *_links(version))), "")
    return declared, DECLARED if declared else ""


def _sources(version: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The related projects that are its source, and how deps.dev knows. One project may come twice,
    also as issue tracker, which is none."""
    for row in rows(version.get("relatedProjects")):
        name = repository_of(part(row, "projectKey").get("id"))
        if name and row.get("relationType") == "SOURCE_REPO":
            yield name, str(row.get("relationProvenance"))


def _links(version: Mapping[str, Any]) -> Iterator[str]:
    """What the package links as its source."""
    for row in rows(version.get("links")):
        if row.get("label") == "SOURCE_REPO":
            yield repository_of(row.get("url"))
