"""Advisories of OSV: which are of a package, which are the same, and how bad they are
(https://ossf.github.io/osv-schema/)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any
from urllib.parse import quote

from cvss import CVSS2, CVSS3, CVSS4, CVSSError  # type: ignore[import-untyped]

from codeintel.contracts import Ecosystem
from codeintel_plugins.trust.collectors.names import is_same
from codeintel_plugins.trust.collectors.shipped import (
    distinct,
    line,
    part,
    plain,
    rows,
    time,
)

MAX_ADVISORIES = 200
MAX_READ = 1_000
"""Of all pages together: vectors take their time."""
MAX_ALIASES = 50
MAX_FIXES = 50
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{2,99}")
_REVIEWED = "GHSA-"
"""What GitHub has reviewed has the best words, whichever database it is also in."""


@dataclass(frozen=True)
class Package:
    """A package as OSV names it.

    :param kind: whose names fold as they do.
    """

    ecosystem: str
    name: str
    kind: Ecosystem


@dataclass(frozen=True)
class _Advisory:
    """An entry of OSV."""

    id: str
    names: frozenset[str]
    """Its id and all others of the same flaw."""
    severity: Severity
    summary: str
    published: str | None
    fixed: tuple[str, ...]


def advisories(found: Iterable[Any], package: Package) -> list[dict[str, Any]]:
    """Return the advisories of the package, one for each vulnerability, the worst first."""
    listed = islice(rows(list(found)), MAX_READ)
    read = [entry for row in listed for entry in _read(row, package)]
    merged = [_merged(group) for group in _groups(read)]
    merged.sort(key=lambda pair: (-pair[0].rank, pair[1]["id"]))
    return [fact for _, fact in merged[:MAX_ADVISORIES]]


def _read(row: Mapping[str, Any], package: Package) -> Iterator[_Advisory]:
    """Yield the advisory in a row, if it stands and is of the package."""
    name = _id(row.get("id"))
    affected = list(rows(row.get("affected")))
    named = [entry for entry in affected if part(entry, "package")]
    ours = [entry for entry in named if _is_of(package, part(entry, "package"))]
    # Entries without a package are of commits in a repository; only those tell nothing else.
    if not name or row.get("withdrawn") or (named and not ours):
        return
    names = frozenset({name, *_other_names(row)})
    yield _Advisory(
        id=name,
        names=names,
        severity=severity(row, ours if named else affected, names),
        summary=line(row.get("summary")) or line(row.get("details")),
        published=time(row.get("published")),
        fixed=tuple(_fixes(ours)),
    )


def _is_of(package: Package, named: Mapping[str, Any]) -> bool:
    """Return whether a package in an advisory is this one.

    The text after `:` in an ecosystem is a part of it, such as a registry.
    """
    ecosystem, name = named.get("ecosystem"), named.get("name")
    if not isinstance(ecosystem, str) or not isinstance(name, str):
        return False
    is_here = ecosystem.partition(":")[0] == package.ecosystem
    return is_here and is_same(package.kind, name, package.name)


def _other_names(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield other ids of the same vulnerability.

    These are the aliases, and the upstream of a distribution's advisory unless it covers several
    vulnerabilities.
    """
    upstream = row.get("upstream")
    for listed in (row.get("aliases"), upstream if _has_one(upstream) else None):
        if isinstance(listed, list):
            yield from filter(None, map(_id, listed[: 2 * MAX_ALIASES]))


def _has_one(found: Any) -> bool:
    return isinstance(found, list) and len(found) == 1


def _id(value: Any) -> str:
    return value if isinstance(value, str) and _ID.fullmatch(value) else ""


def _fixes(affected: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return versions that have a fix; none where none is known. Those of GIT ranges are
    commits."""
    return distinct(
        (
            plain(event.get("fixed"))
            for entry in affected
            for reach in rows(entry.get("ranges"))
            if reach.get("type") != "GIT"
            for event in rows(reach.get("events"))
        ),
        MAX_FIXES,
    )


def _groups(read: Iterable[_Advisory]) -> Iterable[list[_Advisory]]:
    """Group the advisories of one vulnerability: those that share a name, directly or indirectly.

    Each name refers to one that is nearer to the top of its group, as in any union-find.
    """
    listed = list(read)
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (up := above.setdefault(name, name)) != name:
            above[name] = above[up]
            name = above[name]
        return name

    for advisory in listed:
        for name in advisory.names:
            above[top(name)] = top(advisory.id)
    groups: dict[str, list[_Advisory]] = {}
    for advisory in listed:
        groups.setdefault(top(advisory.id), []).append(advisory)
    return groups.values()


def _merged(group: list[_Advisory]) -> tuple[Severity, dict[str, Any]]:
    """Merge entries into one fact, with the text of the entry that is best reviewed."""
    ordered = sorted(group, key=lambda each: (not each.id.startswith(_REVIEWED), each.id))
    first, found = ordered[0], worst(each.severity for each in ordered)
    names = sorted({name for each in ordered for name in each.names} - {first.id})
    published = sorted(each.published for each in ordered if each.published)
    return found, {
        "id": first.id,
        "aliases": names[:MAX_ALIASES],
        "severity": found.score,
        "level": found.level,
        "summary": next((each.summary for each in ordered if each.summary), ""),
        "url": f"https://osv.dev/vulnerability/{quote(first.id, safe='')}",
        "published": published[0] if published else None,
        "fixed": distinct((version for each in ordered for version in each.fixed), MAX_FIXES),
    }


_VECTORS = {"CVSS_V2": CVSS2, "CVSS_V3": CVSS3, "CVSS_V4": CVSS4}
_OLDEST = "CVSS_V2"
_MAX_VECTOR = 300
_MAX_VECTORS = 10
_WORDS = {
    "critical": "critical",
    "important": "high",
    "high": "high",
    "moderate": "medium",
    "medium": "medium",
    "low": "low",
    "minor": "low",
    "negligible": "low",
}
_RANKS = {"critical": 9.0, "high": 7.0, "medium": 4.0, "low": 0.1, "unknown": 0.0}
"""The lowest score of each level (https://www.first.org/cvss/v4.0/specification-document#Qualitative-Severity-Rating-Scale)."""
_MALICIOUS = "MAL-"
"""Ids of malicious packages (https://github.com/ossf/malicious-packages)."""


@dataclass(frozen=True)
class Severity:
    """The severity of an advisory.

    :param score: CVSS base score from 0 to 10, or None without a vector.
    :param level: `critical`, `high`, `medium`, `low` or `unknown`.
    :param is_malice: whether the package is malicious, which is critical regardless of the
        score.
    """

    score: float | None
    level: str
    is_malice: bool = False

    @property
    def rank(self) -> float:
        """The worse, the higher."""
        return max(self.score or 0.0, _RANKS[self.level])


def severity(
    row: Mapping[str, Any], affected: list[Mapping[str, Any]], names: Iterable[str]
) -> Severity:
    """Return the severity of one advisory.

    This is the highest base score of CVSS 4 and 3, which rate the same vulnerability in different
    ways, so that the worse one is the safer guess. Without them it is that of CVSS 2, otherwise
    that of its text.

    :param affected: its entries that count.
    :param names: its ids.
    """
    is_malice = any(name.startswith(_MALICIOUS) for name in names)
    listed = [each for of in (row, *affected) for each in rows(of.get("severity"))]
    scores = list(islice(_scores(listed), _MAX_VECTORS))
    modern = [score for kind, score in scores if kind != _OLDEST]
    if best := modern or [score for _, score in scores]:
        return Severity(max(best), "critical" if is_malice else _level(max(best)), is_malice)
    told = [_WORDS[word] for word in _words(row, affected, listed) if word in _WORDS]
    if is_malice:
        told.append("critical")
    return Severity(None, max(told, key=_RANKS.__getitem__, default="unknown"), is_malice)


def worst(found: Iterable[Severity]) -> Severity:
    """Return the worst severity of several entries: the highest score, otherwise the worst
    level."""
    listed = list(found)
    is_malice = any(each.is_malice for each in listed)
    scored = [each for each in listed if each.score is not None]
    chosen = max(scored or listed, key=lambda each: each.rank)
    return Severity(chosen.score, "critical" if is_malice else chosen.level, is_malice)


def _scores(listed: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    """Base scores of the vectors that can be read, with their kinds."""
    for row in islice(listed, 10 * _MAX_VECTORS):
        kind, vector = row.get("type"), row.get("score")
        if isinstance(kind, str) and isinstance(vector, str) and len(vector) <= _MAX_VECTOR:
            score = _base_score(kind, vector)
            if score is not None:
                yield kind, score


@lru_cache(maxsize=1_024)
def _base_score(kind: str, vector: str) -> float | None:
    """Return the base score, or None for an invalid vector."""
    parse = _VECTORS.get(kind)
    if parse is None:
        return None
    try:
        return float(parse(vector).base_score)
    except (CVSSError, ArithmeticError, LookupError, TypeError, ValueError):
        return None


def _words(
    row: Mapping[str, Any],
    affected: Iterable[Mapping[str, Any]],
    listed: Iterable[Mapping[str, Any]],
) -> Iterator[str]:
    """Return words for it, in lower case: `MODERATE` of GitHub, `medium` of Ubuntu, and so on."""
    told = [part(row, "database_specific").get("severity")]
    told += [part(entry, "ecosystem_specific").get("severity") for entry in affected]
    told += [part(entry, "database_specific").get("severity") for entry in affected]
    told += [each.get("score") for each in listed]
    return (word.lower() for word in told if isinstance(word, str) and len(word) <= 20)


def _level(score: float) -> str:
    return next(level for level, lowest in _RANKS.items() if score >= lowest or level == "low")
