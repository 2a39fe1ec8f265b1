"""What somebody who thinks of using a package should know first. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from codeintel.trust.scores import Signal, Status
from codeintel.trust.shapes import Advisory, PackageReport
from codeintel.web.trust.sections.advisories import ADVISORIES, flaws, told_fixed
from codeintel.web.trust.sections.signals import signal_view
from codeintel.web.trust.words import listed, points

_ENOUGH = 0.5
"""Part of a signal's points below which it is told of."""
_NAMED = 3
"""Advisories that are named."""
_LIST = "#advisories"
_PROVEN = "proven-repository"
_TEXTS = {
    ADVISORIES: "Known flaws affect it: see its advisories.",
    "release-recency": "Its last release is long ago: fixes may never come.",
    "repository-activity": "Little happens in its repository: fixes may never come.",
    "not-deprecated": "Its registry calls it deprecated: look for what replaces it.",
    "not-archived": "Its repository is archived: expect no fixes.",
    "attestation": "Nothing proves from which source this version was built.",
    "source-repository": "It names no repository: what it is built from cannot be looked at.",
    _PROVEN: "Nothing proves that the repository it names is its own: what is told of that "
    "repository may be of another project.",
    "license": "It declares no licence that is clear: make sure that you may use it.",
    "maintainers": "Hardly anybody may publish it: nobody may be there to take over.",
    "contributor-depth": "Most of it comes from one person: nobody may be there to take over.",
    "age": "It is young: little is known of how it is kept.",
    "lookalike-name": "Its name looks like another one: make sure that it is the one you mean.",
}


@dataclass(frozen=True)
class Concern:
    """What to know; `found` is what was found, empty if nothing was."""

    text: str
    found: str = ""
    link: str = ""
    """To the place of the page that tells more, such as `#advisories`."""


def concerns(report: PackageReport) -> tuple[Concern, ...]:
    """The gravest first; what nobody tells is last, together."""
    return tuple(_concerns(report))


def _concerns(report: PackageReport) -> Iterator[Concern]:
    if report.settled_by == ADVISORIES:
        link = _LIST if report.advisories else ""
        yield Concern("It is known to be malicious: do not install it.", link=link)
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
        told = f"{points(unproven)} more points depend on that proof"
        yield Concern(_TEXTS[_PROVEN], told)
    missing = [each for each in judged if each.status is Status.MISSING]
    if missing:
        yield Concern(f"Nobody tells of {_titles(missing)}.")


def _fixes(advisories: Sequence[Advisory]) -> str:
    told = [f"{each.id}: {told_fixed(each)}" for each in advisories[:_NAMED]]
    rest = len(advisories) - _NAMED
    return "; ".join([*told, f"{rest} more"] if rest > 0 else told)


def _is_weak(signal: Signal) -> bool:
    """Even if all that it lacks proof for were true: that is told of by itself."""
    if signal.score is None:
        return False
    unproven = signal.unproven / signal.weight if signal.weight > 0 else 0.0
    return signal.score + unproven < _ENOUGH


def _lost(signal: Signal) -> float:
    return signal.weight * (1 - (signal.score or 0.0))


def _weak(signal: Signal) -> Concern:
    view = signal_view(signal)
    text = _TEXTS.get(signal.id, f"A weak point: {_plain(signal.title)}.")
    return Concern(text, " ".join(part for part in (signal.title + ":", view.found) if part))


def _titles(signals: Iterable[Signal]) -> str:
    return listed([_plain(each.title) for each in signals])


def _plain(title: str) -> str:
    """Within a sentence."""
    return title[:1].lower() + title[1:]
