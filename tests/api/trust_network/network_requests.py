"""Short functions to query the trust network."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from codeintel.trust import reports
from codeintel.trust.tables import TrustSnapshot

URL = "/api/trust/network"

GENOME = {
    *("rank", "percentile", "cohort", "forecasts", "unforecast", "recommendations"),
    *("moatSignals", "rankedAmong"),
}


def get(client: FlaskClient, **query: Any) -> TestResponse:
    headers = query.pop("headers", None)
    return client.get(URL, query_string=query, headers=headers)


def error(answer: TestResponse) -> dict[str, Any]:
    found: dict[str, Any] = answer.get_json()["error"]
    return found


def look_later(monkeypatch: pytest.MonkeyPatch, body: dict[str, Any], seconds: float) -> None:
    """Set the clock for ages to the given number of seconds after a report's `collectedAt`."""
    then = datetime.fromisoformat(body["collectedAt"]) + timedelta(seconds=seconds)

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return then.astimezone(tz)

    monkeypatch.setattr(reports, "datetime", Later)


def count(client: FlaskClient) -> int:
    engine = client.application.extensions["codeintel"].trust.store.engine
    with engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(TrustSnapshot)) or 0
