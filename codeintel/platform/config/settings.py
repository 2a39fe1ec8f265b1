"""All settings with their defaults and meanings: the one table behind `codeintel config`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import limits

from codeintel.base.confinement.state import AUTO
from codeintel.base.entitlements import Tier, TierLimits
from codeintel.base.logging import TEXT
from codeintel.base.setting_values import flag, seconds, text, whole
from codeintel.platform.config import parse
from codeintel.platform.config.issuers import IssuerEntry, parse_issuers


def _setting(
    default: Any, parser: Callable[[Any], Any], help_: str, *, name: str = "", secret: bool = False
) -> Any:
    return field(
        default=default,
        metadata={"parse": parser, "help": help_, "name": name, "secret": secret},
    )


@dataclass(frozen=True)
class Settings:
    """The settings of one application, checked and typed. Durations are in seconds."""

    instance: Path = _setting(
        Path("instance"), Path, "Folder of the database, secrets, plugins and `codeintel.cfg`."
    )
    database_url: str = _setting(
        "",
        parse.database_url,
        "Database; empty: SQLite in the instance folder.",
        name="DATABASE_URL",
        secret=True,
    )
    redis_url: str = _setting(
        "",
        parse.redis_url,
        "Redis for limits shared by several processes; empty: none.",
        name="REDIS_URL",
        secret=True,
    )
    key_pepper: str = _setting(
        "",
        text,
        "Secret under which API keys are stored, 32 characters or more; empty: made once in the "
        "instance folder. Required with PostgreSQL.",
        secret=True,
    )
    session_key: str = _setting(
        "",
        text,
        "Secret of forms and logins in browsers, 32 characters or more; empty: made from the key "
        "pepper.",
        secret=True,
    )
    issuer_key: str = _setting(
        "",
        text,
        "Private key (PEM, P-256) that signs the service's own tokens; empty: made from the key "
        "pepper.",
        secret=True,
    )
    oidc_issuers: tuple[IssuerEntry, ...] = _setting(
        (),
        parse_issuers,
        "Providers whose tokens and logins are accepted: a JSON list of objects with `issuer` and "
        "`audience`, and `client_id`, `client_secret`, `signup`, `scope_map`, `name`, `jwks_uri` "
        "where needed.",
        secret=True,
    )
    session_idle: float = _setting(
        604_800.0, seconds(60), "How long a browser stays signed in without being used."
    )
    session_lifetime: float = _setting(
        2_592_000.0, seconds(60), "How long a browser stays signed in at most."
    )
    public_url: str = _setting(
        "", parse.origin, "Origin under which clients reach the service; empty: the one served."
    )
    allowed_hosts: tuple[str, ...] = _setting(
        (),
        parse.hosts,
        "Host names that requests may carry besides the public URL's and loopback's; `.x.org` "
        "allows subdomains. Without it and without a public URL every host is allowed.",
    )
    trusted_proxies: tuple[parse.Network, ...] = _setting(
        (), parse.networks, "Networks whose `X-Forwarded-For` is believed."
    )
    cors_origins: tuple[str, ...] = _setting(
        (), parse.origins, "Origins whose pages may call the API with a key."
    )
    default_tier: Tier = _setting(Tier.FREE, parse.tier, "Tier of a new account.")
    default_credits: int = _setting(100, whole(0), "Credits of a new account.")
    tier_limits_free: TierLimits = _setting(
        TierLimits(30, 20), parse.tier_limits, "Analyses and transformations per hour for FREE."
    )
    tier_limits_pro: TierLimits = _setting(
        TierLimits(90, 60), parse.tier_limits, "Analyses and transformations per hour for PRO."
    )
    tier_limits_team: TierLimits = _setting(
        TierLimits(300, 200), parse.tier_limits, "Analyses and transformations per hour for TEAM."
    )
    limit_default: limits.RateLimitItem = _setting(
        limits.parse("6000/minute"), parse.rate, "Requests of an account or address, all routes."
    )
    limit_failed_auth: limits.RateLimitItem = _setting(
        limits.parse("30/minute"), parse.rate, "Failed authentications of an address."
    )
    max_connections_per_address: int = _setting(
        512,
        whole(0),
        "Connections of one address to a server worker; 0 is no limit. Loopback and trusted "
        "proxies are not counted: many clients come by them.",
    )
    max_streams_per_account: int = _setting(
        512, whole(0), "Streams of events that one account may have open at a server worker."
    )
    max_streams_per_address: int = _setting(
        1_024, whole(0), "Streams of events that one address may have open at a server worker."
    )
    max_slow_bodies: int = _setting(
        32,
        whole(0),
        "Request bodies of one account or address that take longer than a second, under way at "
        "once at a server worker.",
    )
    body_rate: int = _setting(
        4_096,
        whole(1),
        "Bytes a second that a request body must come with on average, after five seconds.",
    )
    body_memory: int = _setting(
        64 * 1024**2,
        whole(32 * 1024**2),
        "Bytes of request bodies that a server worker holds in memory; an account or address may "
        "have three quarters.",
    )
    body_files: int = _setting(
        1024**3,
        whole(64 * 1024**2),
        "Bytes of request bodies that a server worker keeps in temporary files while they come; "
        "an account or address may have half.",
    )
    analysis_processes: int = _setting(
        os.cpu_count() or 2,
        whole(1, 256),
        "Analyzer processes at once in a server worker.",
    )
    analysis_queue: int = _setting(
        500, whole(1), "Analyses under way or waiting in a server worker, before 503."
    )
    confinement: str = _setting(
        AUTO,
        parse.confinement,
        "What worker processes may reach: `auto` bounds it as far as the kernel can, `required` "
        "does not start where it cannot do all of it, `off` bounds nothing, to debug plugins.",
    )
    confinement_read: tuple[str, ...] = _setting(
        (),
        parse.paths,
        "Files and folders that plugins' analyzers may read and run besides code: a model, a tool. "
        "Absolute paths, comma-separated.",
    )
    plugins_disabled: tuple[str, ...] = _setting(
        (),
        parse.names,
        "Plugins that are neither imported nor used, by the names that `codeintel plugins` shows, "
        "comma-separated; `*` stands for any characters, as in `*.registries.*`.",
    )
    execution: str = _setting(
        parse.OFF,
        parse.execution,
        "`bubblewrap` runs the original and the result of a transformation of Python in a sandbox, "
        "to compare what they do; `off` runs nothing.",
    )
    result_cache: float = _setting(
        300.0,
        seconds(0),
        "How long a result answers the same account's same request again; 0 is never.",
    )
    sources: tuple[str, ...] = _setting(
        (),
        parse.sources,
        "Shipped registries to search besides GitHub, npm and Docker Hub, like `gitlab,crates`; "
        "`-` turns one off, like `-docker`.",
    )
    source_instances: tuple[dict[str, str], ...] = _setting(
        (),
        parse.source_instances,
        "More instances of a kind of registry: a JSON list of objects with `name`, `kind`, "
        "`base_url`, and `token`, `visibility` (`public` or `accounts`) where needed.",
        secret=True,
    )
    search_cache: float = _setting(
        300.0, seconds(0), "How long what a registry found answers the same search again."
    )
    search_calls: limits.RateLimitItem = _setting(
        limits.parse("60/minute"),
        parse.rate,
        "New searches that one registry is sent for an account or address; kept results are not "
        "counted.",
    )
    search_calls_anonymous: limits.RateLimitItem = _setting(
        limits.parse("90/minute"),
        parse.rate,
        "New searches that one registry is sent for all callers without an account together. A "
        "registry that allows less keeps half of that for accounts.",
    )
    trust_fresh: float = _setting(
        21_600.0, seconds(0), "How long a package's trust snapshot is as good as a new one."
    )
    trust_lookups: limits.RateLimitItem = _setting(
        limits.parse("120/hour"),
        parse.rate,
        "Packages that an account or address may have looked up anew in the trust network; what "
        "is stored and fresh is not counted.",
    )
    trust_lookups_anonymous: limits.RateLimitItem = _setting(
        limits.parse("240/hour"),
        parse.rate,
        "Packages that all callers without an account together may have looked up anew.",
    )
    trust_requests_per_hour: int = _setting(
        3_600,
        whole(1),
        "Requests that refreshing trust snapshots may send to one upstream in an hour.",
    )
    job_workers: int = _setting(
        1,
        whole(0, 64),
        "Background jobs at once in a server worker; 0 leaves them to `codeintel worker`.",
    )
    proof_interval: float = _setting(
        600.0, seconds(0), "Least time between two analyses of one workspace, unless asked for."
    )
    workspace_bytes_free: int = _setting(
        200 * 1024**2, whole(0), "Bytes of workspaces that an account of FREE may store."
    )
    workspace_bytes_pro: int = _setting(1024**3, whole(0), "The same for PRO.")
    workspace_bytes_team: int = _setting(5 * 1024**3, whole(0), "The same for TEAM.")
    contact: str = _setting(
        "",
        parse.contact,
        "Address or URL that registries are told to complain to; empty: the public URL.",
    )
    run_timeout: float = _setting(120.0, seconds(1), "Longest time that a run may take.")
    run_resume_grace: float = _setting(10.0, seconds(0), "How long a run goes on without a reader.")
    run_retention: float = _setting(
        86_400.0, seconds(60), "How long ended runs and their results are kept."
    )
    events_kept: float = _setting(
        600.0, seconds(10), "How long the events of ended runs can be read again; results stay."
    )
    job_retention: float = _setting(
        604_800.0, seconds(60), "How long ended background jobs are kept."
    )
    audit_retention: float = _setting(
        0.0, parse.retention, "How long events of the audit log are kept; 0 is for ever."
    )
    session_retention: float = _setting(
        2_592_000.0,
        parse.retention,
        "How long sessions and sign-in links that are over are kept; 0 is for ever.",
    )
    key_retention: float = _setting(
        0.0, parse.retention, "How long revoked and expired API keys are kept; 0 is for ever."
    )
    trust_retention: float = _setting(
        0.0,
        parse.retention,
        "How long trust observations, and snapshots but each package's newest, are kept; 0 is for "
        "ever.",
    )
    source_report_retention: float = _setting(
        2_592_000.0,
        parse.retention,
        "How long reports of search sources that answer again are kept; 0 is for ever.",
    )
    hold_ttl: float = _setting(
        60.0, seconds(1), "Lease on reserved credits; its run renews it every third of this."
    )
    log_format: str = _setting(
        TEXT, parse.log_format, "How entries of the log are written: `text` or `json`."
    )
    access_log: bool = _setting(
        False, flag, "Whether the server also writes an entry for each request."
    )
    metrics_port: int = _setting(
        0, whole(0, 65_535), "Port at which Prometheus finds the figures; 0: none."
    )
    metrics_host: str = _setting(
        "127.0.0.1",
        parse.host,
        "Address of that port. Who reaches it reads the figures without a credential.",
    )
    drain_timeout: float = _setting(
        30.0, seconds(0), "How long running work may go on after SIGTERM."
    )

    @property
    def database(self) -> str:
        """The database URL with the driver, SQLite in the instance folder by default."""
        if not self.database_url:
            return f"sqlite:///{self.instance.resolve() / 'codeintel.db'}"
        return self.database_url.replace("postgresql://", "postgresql+psycopg://", 1)

    @property
    def sqlite_file(self) -> Path | None:
        """The file of the database; None for PostgreSQL."""
        kind, _, path = self.database.partition(":///")
        return Path(path) if kind.startswith("sqlite") and path else None

    def tier_limits(self, tier: Tier) -> TierLimits:
        """Operations per hour of a tier."""
        return {
            Tier.FREE: self.tier_limits_free,
            Tier.PRO: self.tier_limits_pro,
            Tier.TEAM: self.tier_limits_team,
        }[tier]

    def workspace_bytes(self, tier: Tier) -> int:
        """Bytes that an account of a tier may store."""
        return {
            Tier.FREE: self.workspace_bytes_free,
            Tier.PRO: self.workspace_bytes_pro,
            Tier.TEAM: self.workspace_bytes_team,
        }[tier]


@dataclass(frozen=True)
class SettingInfo:
    """What is known about a setting apart from its value."""

    attribute: str
    name: str
    parse: Callable[[Any], Any]
    help: str
    secret: bool


def _info() -> tuple[SettingInfo, ...]:
    return tuple(
        SettingInfo(
            attribute=each.name,
            name=each.metadata["name"] or f"CODEINTEL_{each.name.upper()}",
            parse=each.metadata["parse"],
            help=each.metadata["help"],
            secret=each.metadata["secret"],
        )
        for each in fields(Settings)
    )


SETTINGS: tuple[SettingInfo, ...] = _info()
