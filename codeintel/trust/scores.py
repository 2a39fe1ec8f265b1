"""Scores: their parts, their computation from facts, and the bytes in which both are stored."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from math import floor, isnan

import msgspec

from codeintel.base.logging import describe
from codeintel.contracts import (
    Axis,
    Case,
    Ecosystem,
    Fact,
    Facts,
    Measure,
    Scorer,
    SourceProblem,
    Target,
)

POINTS = 100
"""The score of a package without a flaw."""
encode = msgspec.json.Encoder(order="deterministic").encode
"""Canonical JSON with sorted keys."""


class Status(StrEnum):
    """The status of a signal.

    `stale` means that its facts are older, because its upstream fails now.
    """

    MEASURED = "measured"
    STALE = "stale"
    MISSING = "missing"
    NOT_APPLICABLE = "not_applicable"


class Failure(msgspec.Struct, frozen=True, rename="camel"):
    """An upstream that did not answer a request."""

    source: str
    code: SourceProblem
    message: str


class Inputs(msgspec.Struct, frozen=True, rename="camel"):
    """All inputs of a score."""

    target: Target
    as_of: str
    """In UTC, such as `2026-11-22T10:00:00Z`."""
    facts: tuple[Fact, ...]
    failures: tuple[Failure, ...] = ()
    givers: dict[str, tuple[str, ...]] = {}
    """The failed collectors of each missing fact."""
    stale: tuple[str, ...] = ()
    """Names of the facts from an earlier time."""


class Signal(msgspec.Struct, frozen=True, rename="camel"):
    """A reason of a score.

    `contribution` is the number of points it adds, at most `weight`. A missing signal adds nothing
    and keeps `high` above `low`.
    """

    id: str
    axis: Axis
    title: str
    status: Status
    value: str | int | float | bool | None
    unit: str
    score: float | None
    """From 0 to 1."""
    weight: float
    contribution: float
    unproven: float
    """Further points that unproven evidence could add."""
    evidence_url: str | None
    observed_at: str | None
    note: str = ""
    """What the value means, or why it is missing."""


class AxisScore(msgspec.Struct, frozen=True, rename="camel"):
    """The part of a score that belongs to one axis."""

    axis: Axis
    score: float
    high: float
    weight: float


class Score(msgspec.Struct, frozen=True, rename="camel"):
    """A package's score with its reasons, in points of 100.

    `low` assumes the worst for missing or unproven evidence, as `score` does, and `high` the best.
    `coverage` is the share of the points with evidence. `settled_by` is a signal that decides
    alone.
    """

    target: Target
    as_of: str
    scorer_version: str
    inputs_hash: str
    score: float
    low: float
    high: float
    coverage: float
    axes: tuple[AxisScore, ...]
    signals: tuple[Signal, ...]
    settled_by: str | None = None


class Explained(msgspec.Struct, frozen=True):
    """A score with its inputs: everything that a replay needs."""

    id: str
    inputs: Inputs
    score: Score


def hash_of(encoded: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return hashlib.sha256(encoded).hexdigest()


def encode_inputs(inputs: Inputs) -> bytes:
    """Return canonical JSON with sorted keys."""
    return encode(inputs)


def encode_score(score: Score) -> bytes:
    """Return the bytes that a replay must reproduce."""
    return encode(score)


def decode_inputs(encoded: bytes) -> Inputs:
    """Return the inputs that :func:`encode_inputs` has written."""
    return _inputs.decode(encoded)


def decode_score(encoded: bytes) -> Score:
    """Return the score that :func:`encode_score` has written."""
    return _score.decode(encoded)


_inputs = msgspec.json.Decoder(Inputs)
_score = msgspec.json.Decoder(Score)


log = logging.getLogger(__name__)

GRID = 64
METHOD = "1"
"""Increases when this module's use of measures changes."""
_TINY = 1e-9
"""Tolerance for a product of fractions that should be a whole number."""


def scorer_version(scorers: Iterable[Scorer]) -> str:
    """Return a text that changes when the same facts could give another score, such as
    `1-3f2b8c0d9e1a`.

    It includes the ecosystems of each signal, because the weights of all other signals depend on
    them.
    """
    told = sorted(
        (
            *(each.name, str(each.axis), each.title, each.weight, each.version),
            type(each).__qualname__,
            [kind for kind in Ecosystem if _applies(each, Target(kind, "any"))],
        )
        for each in scorers
    )
    return f"{METHOD}-{hash_of(encode(told))[:12]}"


def score(inputs: Inputs, scorers: Sequence[Scorer]) -> Score:
    """Score a package by its facts.

    The bytes do not depend on the order of scorers, because plugins are not loaded in the same
    order everywhere.
    """
    scorers = sorted(scorers, key=_place)
    facts = Facts({fact.name: fact for fact in inputs.facts})
    case = Case(inputs.target, facts, datetime.fromisoformat(inputs.as_of))
    applicable = [each for each in scorers if _applies(each, inputs.target)]
    shares = apportion({each.name: each.weight for each in applicable}, POINTS * GRID)
    judged = [_signal(each, case, inputs, shares.get(each.name)) for each in scorers]
    settled_by = next((signal.id for signal, settles in judged if settles), None)
    signals = tuple(signal if settled_by is None else _void(signal) for signal, _ in judged)
    points = sum(each.contribution for each in signals)
    open_points = 0.0 if settled_by else sum(map(_open, signals))
    return Score(
        target=inputs.target,
        as_of=inputs.as_of,
        scorer_version=scorer_version(scorers),
        inputs_hash=hash_of(encode_inputs(inputs)),
        score=points,
        low=points,
        high=points + open_points,
        coverage=round((POINTS - open_points) / POINTS, 4),
        axes=tuple(_axis(axis, signals, is_settled=settled_by is not None) for axis in Axis),
        signals=signals,
        settled_by=settled_by,
    )


def _open(signal: Signal) -> float:
    """Return the points that better evidence could add."""
    return signal.weight if signal.status is Status.MISSING else signal.unproven


def _void(signal: Signal) -> Signal:
    """Return a signal without points, because another signal decides alone."""
    return msgspec.structs.replace(signal, contribution=0.0, unproven=0.0)


def apportion(weights: Mapping[str, float], whole: int) -> dict[str, int]:
    """Return whole parts in proportion to the weights, which add up to `whole`.

    The largest remainders get the rest; equal ones by name (Hamilton's method).
    """
    total = sum(weights.values())
    if not total:
        return {}
    exact = {name: whole * weight / total for name, weight in weights.items()}
    parts = {name: floor(part + _TINY) for name, part in exact.items()}
    rest = sorted(exact, key=lambda name: (parts[name] - exact[name], name))
    for name in rest[: whole - sum(parts.values())]:
        parts[name] += 1
    return parts


def _place(scorer: Scorer) -> tuple[int, float, str]:
    """Return the sort key: by axis, the largest weight first."""
    return list(Axis).index(scorer.axis), -scorer.weight, scorer.name


def _applies(scorer: Scorer, target: Target) -> bool:
    """Return whether a scorer applies.

    If the scorer fails, assume that it does, so that its signal is not dropped.
    """
    try:
        return bool(scorer.applies_to(target))
    except Exception as error:  # noqa: BLE001 - it may be a plugin's, and the others go on
        log.error("the trust signal %r failed: %s", scorer.name, describe(error))
        return True


def _signal(scorer: Scorer, case: Case, inputs: Inputs, share: int | None) -> tuple[Signal, bool]:
    """Return a signal, and whether it decides alone."""
    common = {"id": scorer.name, "axis": scorer.axis, "title": scorer.title}
    if share is None:
        return _unknown(
            common, Status.NOT_APPLICABLE, 0.0, "This signal does not apply to such packages."
        ), False
    try:
        measure = scorer.measure(case)
        part = None if measure is None else _checked(measure)
    except Exception as error:  # noqa: BLE001 - it may be a plugin's, and the others go on
        log.error("the trust signal %r failed: %s", scorer.name, describe(error))
        return _unknown(common, Status.MISSING, share / GRID, "The signal failed."), False
    if measure is None or part is None:
        return _unknown(common, Status.MISSING, share / GRID, _why_missing(scorer, inputs)), False
    return _known(scorer, measure, part, case, inputs, share), measure.settles is True


def _checked(measure: Measure) -> float:
    """Return a measure's score after checking the measure.

    :raises ValueError: for a score that is not a number, and for values and texts that JSON cannot
        express.
    """
    if isnan(measure.score) or isnan(measure.unproven):
        raise ValueError("a score must be a number")
    told = (measure.value, measure.unit, measure.note, measure.url)
    if _told.decode(encode(told)) != told:
        raise ValueError("a value must be a text, a number or a boolean")
    return _fraction(measure.score)


def _fraction(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 6)


def _points(share: int, part: float) -> float:
    """Return a fraction of a share, rounded down to whole 64ths."""
    return floor(share * part + _TINY) / GRID


def _known(
    scorer: Scorer, measure: Measure, part: float, case: Case, inputs: Inputs, share: int
) -> Signal:
    found = [fact for name in scorer.reads if (fact := case.facts.find(name)) is not None]
    is_stale = any(fact.name in inputs.stale for fact in found)
    url = measure.url or next((fact.url for fact in found if fact.url), "")
    points = _points(share, part)
    return Signal(
        id=scorer.name,
        axis=scorer.axis,
        title=scorer.title,
        status=Status.STALE if is_stale else Status.MEASURED,
        value=measure.value,
        unit=measure.unit,
        score=part,
        weight=share / GRID,
        contribution=points,
        unproven=_points(share, _fraction(part + max(0.0, measure.unproven))) - points,
        evidence_url=url or None,
        observed_at=min((fact.observed_at for fact in found), default=inputs.as_of),
        note=measure.note,
    )


def _unknown(common: dict[str, str], status: Status, weight: float, note: str) -> Signal:
    return msgspec.convert(
        {
            **common,
            "status": status,
            "value": None,
            "unit": "",
            "score": None,
            "weight": weight,
            "contribution": 0.0,
            "unproven": 0.0,
            "evidenceUrl": None,
            "observedAt": None,
            "note": note,
        },
        Signal,
    )


def _why_missing(scorer: Scorer, inputs: Inputs) -> str:
    """Return the failures that may be the reason, or that no source reports the fact."""
    asked = {source for name in scorer.reads for source in inputs.givers.get(name, ())}
    told = [each.message for each in inputs.failures if each.source in asked]
    return " ".join(dict.fromkeys(told)) or "No source reports this for the package."


def _axis(axis: Axis, signals: Iterable[Signal], *, is_settled: bool) -> AxisScore:
    own = [each for each in signals if each.axis is axis]
    points = sum(each.contribution for each in own)
    high = points if is_settled else points + sum(map(_open, own))
    return AxisScore(axis, points, high, sum(each.weight for each in own))


_told = msgspec.json.Decoder(tuple[str | int | float | bool, str, str, str])
