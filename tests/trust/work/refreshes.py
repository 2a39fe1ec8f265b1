"""Refreshes that a test waits for, and what they have stored."""

from __future__ import annotations

from collections import Counter

import gevent
from sqlalchemy import select

from codeintel.app import Services
from codeintel.platform.jobs.store import Job
from codeintel.trust.tables import TrustSnapshot
from codeintel.trust.work import REFRESH, refresh_key

SECONDS = 120
SETTINGS = {"CODEINTEL_JOB_WORKERS": "0", "CODEINTEL_TRUST_REQUESTS_PER_HOUR": "3600000"}


def refresh(services: Services, *packages: str) -> Job:
    """Return a refresh, at its end."""
    job_id = services.jobs.enqueue(REFRESH, refresh_key(packages), {"packages": list(packages)})
    services.jobs.start(1)
    try:
        with gevent.Timeout(SECONDS):
            while (found := services.jobs.find(job_id)) and not found.finished_ms:
                if found.error is not None:  # it will be tried again
                    break
                gevent.sleep(0.005)
    finally:
        services.jobs.stop(5)
    assert found is not None
    return found


def snapshots(services: Services) -> Counter[str]:
    with services.trust.store.engine.connect() as connection:
        return Counter(connection.scalars(select(TrustSnapshot.package)))
