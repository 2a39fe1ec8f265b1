"""Assemble the parts of the trust network."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine

from codeintel.platform.config import Settings
from codeintel.platform.db.writer import Writer
from codeintel.platform.plugins.registry import Registry
from codeintel.trust.cohorts import Cohorts
from codeintel.trust.collection import Collecting
from codeintel.trust.forecasting import Forecasts
from codeintel.trust.reports import Reports
from codeintel.trust.service import Trust
from codeintel.trust.store import TrustStore
from codeintel.trust.work import TrustWork


@dataclass(frozen=True)
class TrustNetwork:
    """The parts of the trust network."""

    snapshots: Trust
    reports: Reports
    cohorts: Cohorts
    store: TrustStore
    work: TrustWork
    forecasts: Forecasts


def build_trust(
    settings: Settings, registry: Registry, engine: Engine, writer: Writer
) -> TrustNetwork:
    """Create the parts, without starting or connecting anything yet."""
    store = TrustStore(engine, writer)
    collecting = Collecting(
        registry.collectors.values(),
        settings.contact or settings.public_url,
        settings.trust_requests_per_hour,
    )
    snapshots = Trust(store, collecting, tuple(registry.scorers.values()), settings.trust_fresh)
    cohorts = Cohorts(engine, writer, store)
    forecasts = Forecasts(engine, writer, store)
    return TrustNetwork(
        snapshots=snapshots,
        reports=Reports(engine, snapshots, store, cohorts, forecasts),
        cohorts=cohorts,
        store=store,
        work=TrustWork(snapshots, forecasts),
        forecasts=forecasts,
    )
