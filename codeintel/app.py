"""The application factory, and the services of one application."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask
from sqlalchemy import Engine

from codeintel.api import register_blueprints
from codeintel.api.workspaces.proof import init_reports
from codeintel.base.confinement.state import UnconfinedError, require
from codeintel.http.errors import init_errors
from codeintel.http.protection import init_headers, init_hosts
from codeintel.http.requests.body import release_body
from codeintel.identity.accounts import Accounts
from codeintel.identity.audit import AuditLog
from codeintel.identity.auth.browsers import Browsers, SessionAuthenticator
from codeintel.identity.auth.caller import ApiKeyAuthenticator, CallerChain
from codeintel.identity.auth.jwt import JwtAuthenticator
from codeintel.identity.code_digests import CodeDigests
from codeintel.identity.identities import Identities
from codeintel.identity.issuer import BuiltinIssuer, OwnTokens, builtin_issuer
from codeintel.identity.keys.service import Keys
from codeintel.identity.ledger import Ledger
from codeintel.identity.links import SignInLinks
from codeintel.identity.oidc import Provider
from codeintel.identity.secrets import derived, load_pepper, session_key
from codeintel.identity.sessions import Sessions
from codeintel.identity.verifier import TokenVerifier
from codeintel.operations.demo.service import Demo
from codeintel.operations.personal_data.service import PersonalData
from codeintel.operations.retention import RetentionSweeper
from codeintel.platform.config import LoadedSettings, SettingError, Settings, load_settings
from codeintel.platform.config.parse import BUBBLEWRAP
from codeintel.platform.db import db, init_database
from codeintel.platform.db.leases import new_owner
from codeintel.platform.db.writer import Writer
from codeintel.platform.health import Health
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.service import Jobs
from codeintel.platform.limits.concurrency import Concurrency
from codeintel.platform.limits.service import Limits
from codeintel.platform.metrics.requests import init_metrics
from codeintel.platform.node_sandbox import NodeSandbox
from codeintel.platform.plugins.manager import PluginManager, load_plugins
from codeintel.platform.shared_redis import SharedRedis
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.cache import SharedResults
from codeintel.runs.capabilities import Catalogue
from codeintel.runs.events.sharing import OPEN_EVENTS_SECONDS, SharedLogs
from codeintel.runs.queries import RunReader
from codeintel.runs.scans.scanner import PLACES as SCAN_PLACES
from codeintel.runs.scans.service import Scans
from codeintel.runs.service import RunService
from codeintel.runs.store import RunRecords, RunStore
from codeintel.search.cache import SearchCache
from codeintel.search.reports import SourceReports
from codeintel.search.service import Search, chosen_sources
from codeintel.trust.assembly import TrustNetwork, build_trust
from codeintel.web import register_pages
from codeintel.web.login.oidc_client import init_login_cookie
from codeintel.web.site import refusal_page
from codeintel.web.workspaces.report_pages import printed_report
from codeintel.workspaces.proof.service import ProofLoop
from codeintel.workspaces.service import Workspaces


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Create an application. It opens no connection and starts nothing until it is used.

    :param config: settings by name, such as `{"DATABASE_URL": ...}`. They override the environment
        and `codeintel.cfg`.
    :raises codeintel.platform.config.SettingError: for an invalid setting, which the message names.
    """
    loaded = load_settings(config)
    try:
        require(loaded.settings.confinement)
    except UnconfinedError as error:
        raise SettingError(str(error)) from None
    app = _new_app(loaded)
    init_database(app, loaded.settings)
    loaded, plugins = load_plugins(loaded)
    with app.app_context():
        app.extensions["codeintel"] = build_services(app, loaded, plugins, db.engine)
    init_headers(app)
    init_errors(app, refusal_page)
    init_hosts(app, loaded.settings)
    init_login_cookie(app, loaded.settings)
    app.teardown_request(release_body)
    init_reports(app, printed_report)
    register_blueprints(app)
    register_pages(app)
    init_metrics(app)
    return app


def _new_app(loaded: LoadedSettings) -> Flask:
    instance = loaded.settings.instance
    instance.mkdir(parents=True, exist_ok=True)
    app = Flask("codeintel", instance_path=str(instance), static_folder=None)
    app.debug = False  # Flask would take it from FLASK_DEBUG
    app.url_map.strict_slashes = True
    app.url_map.redirect_defaults = False
    return app


@dataclass(frozen=True)
class Services:
    """All of them."""

    loaded: LoadedSettings
    settings: Settings
    engine: Engine
    plugins: PluginManager
    catalogue: Catalogue
    pepper: bytes
    accounts: Accounts
    ledger: Ledger
    keys: Keys
    callers: CallerChain
    browsers: Browsers
    sessions: Sessions
    links: SignInLinks
    identities: Identities
    audit: AuditLog
    issuer: BuiltinIssuer
    own_tokens: OwnTokens
    providers: tuple[Provider, ...]
    limits: Limits
    concurrency: Concurrency
    pool: AnalyzerPool
    runs: RunService
    reader: RunReader
    scans: Scans
    health: Health
    search: Search
    source_reports: SourceReports
    trust: TrustNetwork
    jobs: Jobs
    workspaces: Workspaces
    proof: ProofLoop
    personal_data: PersonalData
    demo: Demo


def build_services(
    app: Flask, loaded: LoadedSettings, plugins: PluginManager, engine: Engine
) -> Services:
    """Create the services, without starting or connecting them."""
    settings = loaded.settings
    writer = Writer(engine)
    pepper = load_pepper(settings)
    keys = Keys(engine, writer, pepper)
    pool = AnalyzerPool(
        settings.analysis_processes, loaded.without_secrets(), settings.instance, TEXT_FUNCTIONS
    )
    owner = new_owner()
    store = RunStore(engine, writer, owner, settings.hold_ttl)
    records = RunRecords(engine, writer)
    redis = SharedRedis(settings.redis_url) if settings.redis_url else None
    shared = (
        SharedLogs(
            redis,
            min(settings.run_retention, OPEN_EVENTS_SECONDS),
            settings.events_kept,
            records.running,
        )
        if redis
        else None
    )
    results = SharedResults(redis, settings.result_cache) if redis else None
    can_run = settings.execution == BUBBLEWRAP
    sandbox = NodeSandbox(settings.analysis_processes) if can_run else None
    digests = CodeDigests(derived(pepper, "code of runs"))
    runs = RunService(
        settings, plugins.registry, store, records, pool, digests, shared, results, sandbox
    )
    reader = RunReader(runs)
    scans = Scans(engine, writer, settings, plugins.registry, pool, runs, reader)
    reports = SourceReports(engine, writer)
    trust = build_trust(settings, plugins.registry, engine, writer)
    proof = ProofLoop(engine, writer, settings, plugins.registry, pool, trust)
    workspaces = Workspaces(engine, writer, settings, proof.on_revision, pool.texts)
    accounts = Accounts(engine, writer)
    demo = Demo(engine, writer, accounts, runs, workspaces, proof, trust)
    kinds = [*trust.work.kinds(), *proof.kinds(), *demo.kinds()]
    messages = Messages(settings.instance, redis)
    sessions = Sessions(engine, writer, settings)
    personal_data = PersonalData(engine, writer, keys, sessions)
    retention = RetentionSweeper(engine, writer, settings)
    chores = [scans.sweep, workspaces.collect, proof.sweep, personal_data.sweep, retention.sweep]
    jobs = Jobs(
        engine,
        writer,
        messages,
        kinds,
        owner,
        retention=settings.job_retention,
        chores=chores,
    )
    trust.work.follow(jobs)
    proof.follow(jobs, workspaces)
    demo.follow(jobs)
    forms_key = session_key(settings, pepper)
    app.secret_key = derived(forms_key, "login cookie")
    identities = Identities(engine, writer, accounts, settings)
    issuer = builtin_issuer(settings, pepper)
    contact = settings.contact or settings.public_url
    providers = tuple(Provider(entry, contact) for entry in settings.oidc_issuers)
    callers = CallerChain(
        [
            ApiKeyAuthenticator(keys),
            JwtAuthenticator(TokenVerifier(providers, issuer), identities, accounts, sessions),
            SessionAuthenticator(sessions),
        ]
    )
    return Services(
        loaded=loaded,
        settings=settings,
        engine=engine,
        plugins=plugins,
        catalogue=Catalogue(plugins.registry),
        pepper=pepper,
        accounts=accounts,
        ledger=Ledger(engine, writer),
        keys=keys,
        callers=callers,
        browsers=Browsers(sessions, settings, forms_key),
        sessions=sessions,
        links=SignInLinks(engine, writer),
        identities=identities,
        audit=AuditLog(engine),
        issuer=issuer,
        own_tokens=OwnTokens(issuer, writer),
        providers=providers,
        limits=Limits(app, settings, redis),
        concurrency=Concurrency(settings),
        pool=pool,
        runs=runs,
        reader=reader,
        scans=scans,
        health=Health(engine, redis, lambda: runs.leaving, settings.confinement),
        search=Search(
            chosen_sources(settings, plugins.registry.sources),
            SearchCache(settings.search_cache, redis),
            contact,
            reports,
        ),
        source_reports=reports,
        trust=trust,
        jobs=jobs,
        workspaces=workspaces,
        proof=proof,
        personal_data=personal_data,
        demo=demo,
    )


TEXT_FUNCTIONS = (
    "codeintel.http.requests.json_shape:JSON_SHAPE",
    "codeintel.platform.node_preparation:PREPARE",
    "codeintel.runs.sarif_files:RUN_SARIF",
    *SCAN_PLACES,
    "codeintel.workspaces.proof.exports:EXPORT",
    "codeintel.workspaces.proof.manifests.function:MANIFESTS",
    "codeintel.workspaces.diff:DIFF",
    "codeintel.workspaces.search:SEARCH",
    "codeintel.workspaces.secret_scan:SECRET_SCAN",
    "codeintel.workspaces.secret_scan:MASKING",
)
"""Modules of worker processes that read callers' texts. They are imported before the fork."""
