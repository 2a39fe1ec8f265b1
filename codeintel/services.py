"""The services of one application, made once and handed to whoever needs them."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask
from sqlalchemy import Engine

from codeintel.accounts.service import Accounts
from codeintel.auth.chain import ApiKeyAuthenticator, CallerChain
from codeintel.capabilities.catalogue import Catalogue
from codeintel.config import LoadedSettings, Settings
from codeintel.config.parse import BUBBLEWRAP
from codeintel.credits.ledger import Ledger
from codeintel.db.writer import Writer
from codeintel.health import Health
from codeintel.jobs.messages import Messages
from codeintel.jobs.service import Jobs
from codeintel.keys.pepper import load_pepper
from codeintel.keys.service import Keys
from codeintel.limits.service import Limits
from codeintel.plugins.manager import PluginManager
from codeintel.runs.owners import new_owner
from codeintel.runs.reading import RunReader
from codeintel.runs.records import RunRecords
from codeintel.runs.service import RunService
from codeintel.runs.shared_results import SharedResults
from codeintel.runs.sharing import SharedLogs
from codeintel.runs.store import RunStore
from codeintel.search.cache import SearchCache
from codeintel.search.choice import chosen_sources
from codeintel.search.reports import SourceReports
from codeintel.search.service import Search
from codeintel.shared_redis import SharedRedis
from codeintel.trust.assembly import TrustNetwork, build_trust
from codeintel.verification.execution.sandbox import Sandbox
from codeintel.workers.pool import AnalyzerPool


@dataclass(frozen=True)
class Services:
    """All of them."""

    loaded: LoadedSettings
    plugins: PluginManager
    catalogue: Catalogue
    pepper: bytes
    accounts: Accounts
    ledger: Ledger
    keys: Keys
    callers: CallerChain
    limits: Limits
    pool: AnalyzerPool
    runs: RunService
    reader: RunReader
    health: Health
    search: Search
    source_reports: SourceReports
    trust: TrustNetwork
    jobs: Jobs

    @property
    def settings(self) -> Settings:
        """The settings, checked and typed."""
        return self.loaded.settings


def build_services(
    app: Flask, loaded: LoadedSettings, plugins: PluginManager, engine: Engine
) -> Services:
    """Make the services. Nothing is started and nothing connects yet."""
    settings = loaded.settings
    writer = Writer(engine)
    pepper = load_pepper(settings)
    keys = Keys(engine, writer, pepper)
    pool = AnalyzerPool(settings.analysis_processes, loaded.without_secrets(), settings.instance)
    owner = new_owner()
    store = RunStore(engine, writer, owner, settings.hold_ttl)
    records = RunRecords(engine, writer)
    redis = SharedRedis(settings.redis_url) if settings.redis_url else None
    shared = SharedLogs(redis, settings.run_retention, records.running) if redis else None
    results = SharedResults(redis, settings.result_cache) if redis else None
    can_run = settings.execution == BUBBLEWRAP
    sandbox = Sandbox(settings.analysis_processes) if can_run else None
    runs = RunService(settings, plugins.registry, store, records, pool, shared, results, sandbox)
    reports = SourceReports(engine, writer)
    trust = build_trust(settings, plugins.registry, engine, writer)
    jobs = Jobs(engine, writer, Messages(settings.instance, redis), trust.work.kinds(), owner)
    trust.work.follow(jobs)
    return Services(
        loaded=loaded,
        plugins=plugins,
        catalogue=Catalogue(plugins.registry),
        pepper=pepper,
        accounts=Accounts(engine, writer),
        ledger=Ledger(engine, writer),
        keys=keys,
        callers=CallerChain([ApiKeyAuthenticator(keys)]),
        limits=Limits(app, settings, redis),
        pool=pool,
        runs=runs,
        reader=RunReader(runs),
        health=Health(engine, redis, lambda: runs.draining),
        search=Search(
            chosen_sources(settings, plugins.registry.sources),
            SearchCache(settings.search_cache, redis),
            settings.contact or settings.public_url,
            reports,
        ),
        source_reports=reports,
        trust=trust,
        jobs=jobs,
    )
