"""The known flaws of a version, ready for a template. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from codeintel.trust.shapes import MOST_ADVISORIES, Advisory, PackageReport
from codeintel.web.trust.words import listed, page_of, points, told_day

ADVISORIES = "known-advisories"
"""The signal that they make up."""
# https://www.first.org/cvss/v4.0/specification-document#Qualitative-Severity-Rating-Scale
_LEVELS = ((9.0, "critical"), (7.0, "high"), (4.0, "medium"), (0.1, "low"))
_WORDS = {name: name for _, name in _LEVELS} | {"moderate": "medium"}
_FIXED = 4
"""Versions that a row names."""


@dataclass(frozen=True)
class Flaw:
    """An advisory; what nobody tells is empty."""

    id: str
    aliases: str
    severity: str
    summary: str
    fixed: str
    since: str
    url: str


@dataclass(frozen=True)
class Flaws:
    """All of them, under a line that counts them."""

    headline: str
    rows: tuple[Flaw, ...]


@dataclass(frozen=True)
class Settled:
    """That one signal decides alone, and why."""

    title: str
    text: str


def flaws(found: Sequence[Advisory]) -> Flaws | None:
    """None where none is known."""
    return Flaws(_headline(found), tuple(map(_flaw, found))) if found else None


def settled(report: PackageReport) -> Settled | None:
    """None where all signals count."""
    if report.settled_by is None:
        return None
    if report.settled_by == ADVISORIES:
        text = (
            f"An advisory says that {report.target.name} was made to do harm. Do not install it; "
            "where it was installed, take that machine and its secrets for compromised."
        )
        return Settled("Known to be malicious", text)
    title = next((each.title for each in report.signals if each.id == report.settled_by), "")
    return Settled(
        "One signal decides alone", f"{title or report.settled_by}: nothing else counts."
    )


def told_fixed(found: Advisory) -> str:
    """Of one advisory: `fixed in 1.2.7 and 2.0.1`."""
    if not found.fixed:
        return "no fixed version is known"
    return f"fixed in {_versions(found.fixed)}"


def _headline(found: Sequence[Advisory]) -> str:
    """`1 high advisory affects this version`, with the levels where there are several."""
    levels = Counter(_level(each) for each in found)
    count = f"{len(found)}{' or more' if len(found) >= MOST_ADVISORIES else ''}"
    noun, verb = ("advisory", "affects") if len(found) == 1 else ("advisories", "affect")
    only = next(iter(levels)) if len(levels) == 1 else ""
    told = f"{count} {only} {noun}" if only else f"{count} {noun}"
    told += f" {verb} this version"
    if len(levels) == 1:
        return told
    order = [name for _, name in _LEVELS] + [""]
    parts = [f"{levels[name]} {name or 'of unknown severity'}" for name in order if levels[name]]
    return f"{told}: {listed(parts)}"


def _level(found: Advisory) -> str:
    """One of the scale's words; empty where nobody tells the severity."""
    if found.severity is not None:
        return next((name for least, name in _LEVELS if found.severity >= least), "low")
    return _WORDS.get((found.level or "").lower(), "")


def _flaw(found: Advisory) -> Flaw:
    level = _level(found) or "unknown"
    return Flaw(
        id=found.id,
        aliases=listed(list(found.aliases)),
        severity=level if found.severity is None else f"{level}, {points(found.severity)} of 10",
        summary=found.summary,
        fixed=_versions(found.fixed),
        since=told_day(found.published),
        url=page_of(found.url),
    )


def _versions(fixed: Sequence[str]) -> str:
    rest = len(fixed) - _FIXED
    return listed([*fixed[:_FIXED], f"{rest} more"] if rest > 0 else list(fixed))
