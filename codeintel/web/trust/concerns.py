"""Important facts about a package before you use it: its known vulnerabilities and other
concerns. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from codeintel.trust.scores import Signal, Status
from codeintel.trust.shapes import MOST_ADVISORIES, Advisory, PackageReport
from codeintel.web.trust.signals import signal_view
from codeintel.web.trust.words import listed, page_of, points, told_day

ADVISORIES = "known-advisories"
"""The signal that they make up."""
# https://www.first.org/cvss/v4.0/specification-document#Qualitative-Severity-Rating-Scale
_LEVELS = ((9.0, "critical"), (7.0, "high"), (4.0, "medium"), (0.1, "low"))
_WORDS = {name: name for _, name in _LEVELS} | {"moderate": "medium"}
_FIXED = 4
"""Versions that a row names."""
_ENOUGH = 0.5
"""The part of a signal's points below which the signal is a concern."""
_NAMED = 3
"""Advisories that are named."""
_LIST = "#advisories"
_PROVEN = "proven-repository"
_TEXTS = {
    ADVISORIES: "Known vulnerabilities affect this version. See its advisories.",
    "release-recency": "The last release is old, so fixes may not be released.",
    "repository-activity": "The repository has little activity, so fixes may not be made.",
    "not-deprecated": "The package is deprecated. Look for its successor.",
    "not-archived": "The repository is archived. Expect no fixes.",
    "attestation": "No attestation proves which source this version was built from.",
    "source-repository": "The package names no repository, so its source cannot be reviewed.",
    _PROVEN: "The named repository is not proven to belong to the package. Facts about the "
    "repository may be about another project.",
    "license": "The license is unclear. Check that you may use the package.",
    "maintainers": "Few people can publish new versions.",
    "contributor-depth": "One person has written most of the code.",
    "age": "The package is new, so its maintenance is hard to judge.",
    "lookalike-name": "The name is similar to another one. Check that it is the right package.",
}


@dataclass(frozen=True)
class Flaw:
    """An advisory. Unknown fields are empty."""

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
    """The reason why one signal decides alone."""

    title: str
    text: str


def flaws(found: Sequence[Advisory]) -> Flaws | None:
    """Return the known vulnerabilities, or None."""
    return Flaws(_headline(found), tuple(map(_flaw, found))) if found else None


def settled(report: PackageReport) -> Settled | None:
    """Return why one signal decides alone, or None if all signals count."""
    if report.settled_by is None:
        return None
    if report.settled_by == ADVISORIES:
        text = (
            f"An advisory reports that {report.target.name} is malicious. Do not install it. If it "
            "was installed, treat the machine and its secrets as compromised."
        )
        return Settled("Known to be malicious", text)
    title = next((each.title for each in report.signals if each.id == report.settled_by), "")
    return Settled("One signal decides alone", f"Only “{title or report.settled_by}” counts.")


def told_fixed(found: Advisory) -> str:
    """Return the fixed versions of an advisory: `fixed in 1.2.7 and 2.0.1`."""
    if not found.fixed:
        return "no known fix"
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
    """Return a word of the severity scale, or an empty text if the severity is unknown."""
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


@dataclass(frozen=True)
class Concern:
    """A concern. `found` is the observation, or empty."""

    text: str
    found: str = ""
    link: str = ""
    """To the place of the page that tells more, such as `#advisories`."""


def concerns(report: PackageReport) -> tuple[Concern, ...]:
    """Return the concerns, the most serious first. Missing data is combined in the last one."""
    return tuple(_concerns(report))


def _concerns(report: PackageReport) -> Iterator[Concern]:
    if report.settled_by == ADVISORIES:
        link = _LIST if report.advisories else ""
        yield Concern("The package is known to be malicious. Do not install it.", link=link)
        return
    if found := flaws(report.advisories):
        yield Concern(f"{found.headline}.", _fixes(report.advisories), _LIST)
    judged = [each for each in report.signals if each.status is not Status.NOT_APPLICABLE]
    weak = [each for each in judged if _is_weak(each)]
    unproven = sum(each.unproven for each in judged)
    for signal in sorted(weak, key=lambda each: (-_lost(each), each.id)):
        is_told = (signal.id == _PROVEN and unproven > 0) or (signal.id == ADVISORIES and found)
        if not is_told:
            yield _weak(signal)
    if unproven > 0:
        told = f"{points(unproven)} more points need this proof"
        yield Concern(_TEXTS[_PROVEN], told)
    missing = [each for each in judged if each.status is Status.MISSING]
    if missing:
        yield Concern(f"No data: {_titles(missing)}.")


def _fixes(advisories: Sequence[Advisory]) -> str:
    told = [f"{each.id}: {told_fixed(each)}" for each in advisories[:_NAMED]]
    rest = len(advisories) - _NAMED
    return "; ".join([*told, f"{rest} more"] if rest > 0 else told)


def _is_weak(signal: Signal) -> bool:
    """Return whether the score would be too low even if all unproven claims were true. Missing
    proof is a separate concern."""
    if signal.score is None:
        return False
    unproven = signal.unproven / signal.weight if signal.weight > 0 else 0.0
    return signal.score + unproven < _ENOUGH


def _lost(signal: Signal) -> float:
    return signal.weight * (1 - (signal.score or 0.0))


def _weak(signal: Signal) -> Concern:
    view = signal_view(signal)
    text = _TEXTS.get(signal.id, f"Weakness: {_plain(signal.title)}.")
    return Concern(text, " ".join(part for part in (signal.title + ":", view.found) if part))


def _titles(signals: Iterable[Signal]) -> str:
    return listed([_plain(each.title) for each in signals])


def _plain(title: str) -> str:
    """Return a title for use within a sentence."""
    return title[:1].lower() + title[1:]
