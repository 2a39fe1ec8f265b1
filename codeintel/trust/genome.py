"""Benchmark intelligence of one package: what would improve it, and what protects its position.

Pure functions.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from codeintel.base.logging import describe
from codeintel.contracts import Facts, Scorer, Target
from codeintel.trust.scores import Inputs, Score, Status
from codeintel.trust.shapes import Gain, MoatSignal, Recommendation
from codeintel.trust.store import DEPENDENTS, MOST

log = logging.getLogger(__name__)

GROWTH_DAYS = 28
"""Minimum number of days between two counts whose difference is called growth."""
YEAR_DAYS = 365
_DAY_MS = 86_400_000
_UNREPORTED = "No source reports this for the package."
_UNANSWERED = "No source that answered reports this for the package."

Observations = Mapping[str, Sequence[tuple[int, float]]]
"""Times in milliseconds since 1970, and values, by metric."""


def recommendations(
    score: Score, scorers: Sequence[Scorer], inputs: Inputs
) -> tuple[Recommendation, ...]:
    """Return what would raise the score, the largest gain first, or nothing if one signal decides
    alone.

    :param inputs: of the score. Evidence that is only hidden by an upstream's failure is not
        recommended.
    """
    if score.settled_by is not None:
        return ()
    advice = {scorer.name: scorer.advice for scorer in scorers}
    fixed = {scorer.name for scorer in scorers if not _can_improve(scorer, score.target)}
    failed = {failure.source for failure in inputs.failures}
    hidden = {
        scorer.name
        for scorer in scorers
        if any(failed.intersection(inputs.givers.get(name, ())) for name in scorer.reads)
    }
    found = []
    for signal in score.signals:
        gain = signal.weight - signal.contribution
        if gain <= 0 or signal.status is Status.NOT_APPLICABLE:
            continue
        if signal.id in fixed:
            continue
        if signal.score is None and signal.id in hidden:
            continue
        kind = Gain.SHOW if signal.score is None else Gain.IMPROVE
        told = advice.get(signal.id, "")
        if kind is Gain.SHOW:
            told = f"This is unknown now: {signal.note}"
        found.append(Recommendation(score.target.key, signal.id, kind, gain, told))
    return tuple(sorted(found, key=lambda each: (-each.gain, each.signal)))


def _can_improve(scorer: Scorer, target: Target) -> bool:
    """Return whether a scorer's advice can be followed. If the scorer fails, assume that it can."""
    try:
        return bool(scorer.can_improve(target))
    except Exception as error:  # noqa: BLE001 - it may be a plugin's, and the others go on
        log.error("the trust signal %r failed: %s", scorer.name, describe(error))
        return True


def moat_signals(inputs: Inputs, observations: Observations) -> tuple[MoatSignal, ...]:
    """Return the facts that make the package hard to replace, with their evidence."""
    facts = Facts({fact.name: fact for fact in inputs.facts})
    key = inputs.target.key
    found = _moats(key, facts, observations)
    if inputs.failures:
        found = (_with_outage(each) for each in found)
    return tuple(found)


def _with_outage(signal: MoatSignal) -> MoatSignal:
    """Return the signal. A missing one may be unknown only because an upstream did not answer."""
    if signal.note != _UNREPORTED:
        return signal
    return msgspec.structs.replace(signal, note=_UNANSWERED)


def _moats(key: str, facts: Facts, observations: Observations) -> Iterator[MoatSignal]:
    yield _of_part(key, facts, "dependents", "packages", "Dependent packages", "packages")
    yield _growth(key, facts, observations.get(DEPENDENTS, ()))
    yield _maintainers(key, facts)
    yield _of_part(key, facts, "attestations", "verified", "Verified provenance", "attestations")
    yield _of_part(
        key, facts, "dependents", "repositories", "Dependent repositories", "repositories"
    )
    yield _plain(key, facts, "stars", "Repository's stars", "stars")


def _of_part(key: str, facts: Facts, name: str, part: str, title: str, unit: str) -> MoatSignal:
    found = facts.find(name)
    value = found.value.get(part) if found is not None and isinstance(found.value, dict) else None
    if found is None or not _is_number(value):
        return _missing(key, f"{name}-{part}", title, unit)
    return MoatSignal(
        key, f"{name}-{part}", title, value, unit, found.url or None, found.observed_at
    )


def _plain(key: str, facts: Facts, name: str, title: str, unit: str) -> MoatSignal:
    found = facts.find(name)
    if found is None or not _is_number(found.value):
        return _missing(key, name, title, unit)
    return MoatSignal(key, name, title, found.value, unit, found.url or None, found.observed_at)


def _maintainers(key: str, facts: Facts) -> MoatSignal:
    title, unit = "Publishers", "people"
    found = facts.find("maintainers")
    if found is None or not isinstance(found.value, list) or not found.value:
        return _missing(key, "maintainer-depth", title, unit)
    count = len(found.value)
    return MoatSignal(
        key, "maintainer-depth", title, count, unit, found.url or None, found.observed_at
    )


def _growth(key: str, facts: Facts, counts: Sequence[tuple[int, float]]) -> MoatSignal:
    """Return the dependents gained or lost per year.

    The pace is measured from the newest count that is at least four weeks older than the last one.
    """
    title, unit = "Growth of dependents", "packages a year"
    found = facts.find("dependents")
    last_ms, last = counts[-1] if counts else (0, 0.0)
    earlier = [each for each in counts if each[0] <= last_ms - GROWTH_DAYS * _DAY_MS]
    if not earlier:
        note = (
            f"This requires two counts that are {GROWTH_DAYS} days apart, which do not exist yet."
        )
        return _missing(key, "dependents-growth", title, unit, note)
    first_ms, first = earlier[-1]
    days = (last_ms - first_ms) / _DAY_MS
    value = round((last - first) * YEAR_DAYS / days, 1)
    url = found.url if found is not None else ""
    at = found.observed_at if found is not None else None
    note = f"From {first:,.0f} to {last:,.0f} in {days:.0f} days."
    return MoatSignal(key, "dependents-growth", title, value, unit, url or None, at, note)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST


def _missing(key: str, id_: str, title: str, unit: str, note: str = "") -> MoatSignal:
    told = note or _UNREPORTED
    return MoatSignal(key, id_, title, None, unit, None, None, told)
