"""Helpers that the tests of runs share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gevent
import pytest
from scripted_runs import (
    SECONDS,
    Runs,
    finding,
    result,
)
from sqlalchemy import update

from codeintel.base.errors import ServiceError
from codeintel.contracts import Incomplete
from codeintel.platform.db.models import Hold
from codeintel.runs.run import Run


def set_(runs: Runs, **settings: float) -> None:
    """Change settings of the run service; tests may go below what operators may."""
    service = runs.services.runs
    service.settings = replace(service.settings, **settings)  # type: ignore[arg-type]


def expire(runs: Runs, run: Run) -> None:
    with runs.database.connect().execution_options(write=True) as connection:
        connection.execute(update(Hold).where(Hold.id == run.plan.id).values(expires_ms=1))
        connection.commit()


def until(condition: Callable[[], bool]) -> None:
    with gevent.Timeout(SECONDS):
        while not condition():
            gevent.sleep(0.005)


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def refused(call: Callable[[], object]) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        call()
    return caught.value


def complete(_task: object, context: Any) -> Any:
    context.progress("looking", analyzer="ruff")
    context.finding(finding(2))
    context.output("")  # says nothing
    context.output("It is ")
    gevent.idle()
    context.output("fine.")
    return result("It is fine.")


def cut_short(_task: object, _context: object) -> Any:
    raise Incomplete("length", "The answer would have been too long.")


def crash(_task: object, _context: object) -> Any:
    raise ZeroDivisionError("a secret value")
