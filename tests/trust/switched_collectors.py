"""Collectors that can be switched off, and what a test asks of the service that has them."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from gevent.event import Event
from sqlalchemy import func, select
from trust_cases import KIT, Told

from codeintel.base.errors import ServiceError
from codeintel.contracts import (
    Conversation,
    Ecosystem,
    Evidence,
    SourceError,
    SourceProblem,
    Target,
)
from codeintel.trust.service import Snapshot, Trust
from codeintel.trust.tables import TrustSnapshot

DAY = 86_400
KAT = Target(Ecosystem.NPM, "kat")


class Switched(Told):
    """A collector that can be switched off, or that knows no package."""

    state = ""
    wait: Event | None = None
    pause_seconds: float | None = 7.0

    def say(self, target: Target, evidence: Evidence) -> Conversation:
        if self.wait is not None:
            self.wait.wait()
        if self.state == "unknown":
            evidence.unknown()
            return
        if self.state:
            raise SourceError(
                SourceProblem(self.state), f"{self.title} is away.", self.pause_seconds
            )
        yield from super().say(target, evidence)


def count(trust: Trust) -> int:
    with trust.store.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(TrustSnapshot)) or 0


def refused(trust: Trust, target: Target = KIT) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        trust.snapshot(target)
    return caught.value


def together(trust: Trust, *targets: Target) -> list[gevent.Greenlet[..., Any]]:
    def ask(target: Target) -> Snapshot | ServiceError:
        try:
            return trust.snapshot(target)
        except ServiceError as error:
            return error

    jobs = [gevent.spawn(ask, each) for each in targets]
    gevent.idle()
    return jobs
