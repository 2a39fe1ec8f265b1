"""How bad an advisory is, from whatever it says of that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from cvss import CVSS2, CVSS3, CVSS4, CVSSError  # type: ignore[import-untyped]

from codeintel_plugins.trust.collectors.shared.reading import part, rows

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
"""Ids of packages that were made to do harm (https://github.com/ossf/malicious-packages)."""


@dataclass(frozen=True)
class Severity:
    """:param score: CVSS base score from 0 to 10, None where there is no vector.
    :param level: `critical`, `high`, `medium`, `low` or `unknown`.
    :param is_malice: whether the package was made to do harm, which is critical whatever the score.
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
    """Of one advisory: the highest base score of CVSS 4 and 3, which rate the same flaw in
    different ways, the worse of which is the safer guess; else that of CVSS 2; else its words.

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
    """Of several entries of one flaw: the highest score, else the worst word."""
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
    """None for what is no vector, whatever it says."""
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
    """Words for it, in lower case: `MODERATE` of GitHub, `medium` of Ubuntu, and so on."""
    told = [part(row, "database_specific").get("severity")]
    told += [part(entry, "ecosystem_specific").get("severity") for entry in affected]
    told += [part(entry, "database_specific").get("severity") for entry in affected]
    told += [each.get("score") for each in listed]
    return (word.lower() for word in told if isinstance(word, str) and len(word) <= 20)


def _level(score: float) -> str:
    return next(level for level, lowest in _RANKS.items() if score >= lowest or level == "low")
