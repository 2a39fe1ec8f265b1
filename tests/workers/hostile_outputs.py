"""Analyzers with too much output, invalid output, or positions outside of the code."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hostile_tricks import GATE_SECONDS, MIB, finding, trick
from msgspec.structs import replace

from codeintel.contracts import (
    Applicability,
    Confidence,
    Detection,
    Edit,
    Finding,
    Fix,
    FlowStep,
    Metric,
    Note,
    Range,
    Reported,
    Severity,
    StepKind,
    Suppression,
)
from codeintel.platform.workers.protocol import Detected


@trick()
def answers(code: str) -> Iterator[Any]:
    yield finding()
    yield Metric("length", len(code))
    yield Note(f"read {code}")


@trick()
def waits_at_a_gate(code: str) -> Iterator[Any]:
    """Continue when the file that the code names exists."""
    yield finding(1)
    end = time.monotonic() + GATE_SECONDS
    while not Path(code).exists() and time.monotonic() < end:
        time.sleep(0.005)
    yield finding(2)


@trick()
def says_nothing(_: str) -> Iterator[Any]:
    return iter(())


@trick()
def floods_findings(_: str) -> Iterator[Any]:
    for number in range(1_000_000):
        yield finding(number)


@trick()
def fills_up(_: str) -> Iterator[Any]:
    """Yield exactly as many findings as permitted, and another output."""
    for number in range(2_000):
        yield finding(number)
    yield Metric("done", 1)


@trick()
def floods_bytes(_: str) -> Iterator[Any]:
    while True:
        yield Note("x" * 500_000)


@trick()
def floods_notes(_: str) -> Iterator[Any]:
    while True:
        yield Note("")


@trick()
def says_too_much_at_once(_: str) -> Iterator[Any]:
    yield Note("x" * (9 * MIB))


@trick()
def says_what_it_left_out(_: str) -> Iterator[Any]:
    yield Note("the rest is left out", truncated=True)


@trick()
def yields_a_number(_: str) -> Iterator[Any]:
    yield 42


@trick()
def yields_an_object(_: str) -> Iterator[Any]:
    yield object()


@trick()
def detects(_: str) -> Iterator[Any]:
    yield Detected(Detection(language="ruby", confidence=1))


@trick()
def yields_nonsense(_: str) -> Iterator[Any]:
    """Yield a range that no text has."""
    place = Range(0, -1, 0, 0)
    yield Reported(
        Finding(
            rule_id="T",
            engine="trick",
            severity=Severity.LOW,
            confidence=Confidence.LOW,
            cwe=None,
            message="here",
            range=place,
        )
    )


@trick()
def points_elsewhere(_: str) -> Iterator[Any]:
    yield finding(1)
    reported = finding(2)
    yield Reported(replace(reported.finding, range=Range(1, 1, 999, 1)))


@trick()
def mends_elsewhere(_: str) -> Iterator[Any]:
    edit = Edit(Range(999, 1, 999, 1), "x")
    fix = Fix("mend", Applicability.SAFE, (edit,))
    yield Reported(replace(finding().finding, fix=fix))


@trick()
def leads_elsewhere(_: str) -> Iterator[Any]:
    steps = (FlowStep(StepKind.SOURCE, Range(1, 1, 1, 9_999), "from afar"),)
    yield Reported(replace(finding().finding, flow=steps))


@trick()
def is_hushed_elsewhere(_: str) -> Iterator[Any]:
    yield Reported(replace(finding().finding, suppression=Suppression("hush", 999)))


@trick()
def measures_nothing(_: str) -> Iterator[Any]:
    yield Metric("mean", float("nan"))
