"""Conversations of fake collectors, and assertions about a collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gevent.event import Event
from trust_cases import KIT

from codeintel.contracts import (
    Collector,
    Conversation,
    Evidence,
    SourceError,
    SourceProblem,
    SourceRequest,
    Target,
)
from codeintel.trust.collection import Collected, Collecting

OUTAGE = SourceError(SourceProblem.UNREACHABLE, "It is away.", 7.0)
Talking = Callable[[Target, Evidence], Conversation | None]


def collect(*collectors: Collector, target: Target = KIT, **more: Any) -> Collected:
    return Collecting(collectors).collect(target, **more)


def values(found: Collected) -> dict[str, Any]:
    return {name: each.value for name, each in found.facts.items()}


def told(found: Collected) -> dict[str, str]:
    return {each.source: each.code for each in found.failures}


def failing(error: Exception) -> Talking:
    def talk(_target: Target, _evidence: Evidence) -> Conversation:
        raise error
        yield

    return talk


def after(moment: Event, **found: Any) -> Talking:
    """Finds something once another thing has happened."""

    def talk(_target: Target, evidence: Evidence) -> None:
        moment.wait()
        for name, value in found.items():
            evidence.add(name, value)

    return talk


def setting(moment: Event) -> Talking:
    return lambda _target, _evidence: moment.set()


def noting(names: list[str], *wanted: str) -> Talking:
    def talk(_target: Target, evidence: Evidence) -> None:
        names.extend(str(evidence.known.value(name)) for name in wanted)

    return talk


def unknown(_target: Target, evidence: Evidence) -> None:
    evidence.unknown()


def asking(times: int, statuses: list[int] | None = None) -> Talking:
    def talk(_target: Target, evidence: Evidence) -> Conversation:
        for n in range(times):
            answer = yield SourceRequest("/v3/systems/npm/packages/kit")
            evidence.add(f"answer{n}", n)
            if statuses is not None:
                statuses.append(answer.status)

    return talk


def one_post(_target: Target, _evidence: Evidence) -> Conversation:
    yield SourceRequest("/v1/query", body=b'{"package": {"name": "kit", "ecosystem": "npm"}}')
