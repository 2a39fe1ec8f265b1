"""Scores, what they are made of, and the bytes that both are kept as."""

from __future__ import annotations

import hashlib
from enum import StrEnum

import msgspec

from codeintel.contracts import Axis, Fact, SourceProblem, Target

POINTS = 100
"""What a package without a flaw has."""
encode = msgspec.json.Encoder(order="deterministic").encode
"""Canonical JSON: keys in order."""


class Status(StrEnum):
    """How a signal is known. `stale`: of an earlier time, as its upstream fails now."""

    MEASURED = "measured"
    STALE = "stale"
    MISSING = "missing"
    NOT_APPLICABLE = "not_applicable"


class Failure(msgspec.Struct, frozen=True, rename="camel"):
    """An upstream that did not tell what was asked. `message` is for people."""

    source: str
    code: SourceProblem
    message: str


class Inputs(msgspec.Struct, frozen=True, rename="camel"):
    """All that a score depends on."""

    target: Target
    as_of: str
    """In UTC, such as `2026-11-22T10:00:00Z`."""
    facts: tuple[Fact, ...]
    failures: tuple[Failure, ...] = ()
    givers: dict[str, tuple[str, ...]] = {}
    """Of each fact that is missing, whose collectors failed."""
    stale: tuple[str, ...] = ()
    """Names of the facts that are of an earlier time."""


class Signal(msgspec.Struct, frozen=True, rename="camel"):
    """One reason of a score. `contribution` is what it adds, at most `weight`; a missing one adds
    nothing and keeps `high` above `low`."""

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
    """Points that it would add beside, were something true that nothing proves."""
    evidence_url: str | None
    observed_at: str | None
    note: str = ""
    """What the value means, or why there is none."""


class AxisScore(msgspec.Struct, frozen=True, rename="camel"):
    """The part of a score that belongs to one axis."""

    axis: Axis
    score: float
    high: float
    weight: float


class Score(msgspec.Struct, frozen=True, rename="camel"):
    """A package's score with its reasons, in points of 100. `low` counts what is missing or
    unproven at its worst, as `score` does; `high` at its best. `coverage` is the share of the
    points about which there is evidence. `settled_by` is a signal that decides alone."""

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
    """A score with what it was made of: all that a replay needs."""

    id: str
    inputs: Inputs
    score: Score


def hash_of(encoded: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(encoded).hexdigest()


def encode_inputs(inputs: Inputs) -> bytes:
    """Canonical JSON: keys in order."""
    return encode(inputs)


def encode_score(score: Score) -> bytes:
    """The bytes that a replay has to give."""
    return encode(score)


def decode_inputs(encoded: bytes) -> Inputs:
    """What :func:`encode_inputs` has written."""
    return _inputs.decode(encoded)


def decode_score(encoded: bytes) -> Score:
    """What :func:`encode_score` has written."""
    return _score.decode(encoded)


_inputs = msgspec.json.Decoder(Inputs)
_score = msgspec.json.Decoder(Score)
