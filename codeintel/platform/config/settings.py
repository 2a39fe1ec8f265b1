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
        "Database URL. Empty: SQLite in the instance folder.",
        name="DATABASE_URL",
        secret=True,
    )
    redis_url: str = _setting(
        "",
        parse.redis_url,
        "Redis URL, for limits shared by several processes. Empty: none.",
        name="REDIS_URL",
        secret=True,
    )
    key_pepper: str = _setting(
        "",
        text,
        "Secret for storing API keys (the key pepper), at least 32 characters. Empty: created "
        "once in the instance folder. Required with PostgreSQL.",
        secret=True,
    )
    session_key: str = _setting(
        "",
        text,
        "Secret of forms and browser logins, at least 32 characters. Empty: derived from the key "
        "pepper.",
        secret=True,
    )
    issuer_key: str = _setting(
        "",
        text,
        "Private key (PEM, P-256) that signs the service's own tokens. Empty: derived from the "
        "key pepper.",
        secret=True,
    )
    oidc_issuers: tuple[IssuerEntry, ...] = _setting(
        (),
        parse_issuers,
        "Providers whose tokens and logins are accepted: a JSON list of objects with `issuer` and "
        "`audience`, and optionally `client_id`, `client_secret`, `signup`, `scope_map`, `name`, "
        "`jwks_uri`.",
        secret=True,
    )
    session_idle: float = _setting(
        604_800.0, seconds(60), "How long an unused browser session stays valid."
    )
    session_lifetime: float = _setting(
        2_592_000.0, seconds(60), "Maximum duration of a browser session."
    )
    public_url: str = _setting(
        "",
        parse.origin,
        "Origin at which clients reach the service. Empty: the origin of the request.",
    )
    allowed_hosts: tuple[str, ...] = _setting(
        (),
        parse.hosts,
        "Host names that requests may use, besides the public URL's and loopback's. `.x.org` "
        "allows subdomains. Without this setting and a public URL, every host is allowed.",
    )
    trusted_proxies: tuple[parse.Network, ...] = _setting(
        (), parse.networks, "Networks of proxies whose `X-Forwarded-For` header is trusted."
    )
    cors_origins: tuple[str, ...] = _setting(
        (), parse.origins, "Origins whose pages may call the API with a key."
    )
    default_tier: Tier = _setting(Tier.FREE, parse.tier, "Tier of a new account.")
    default_credits: int = _setting(100, whole(0), "Credits of a new account.")
    tier_limits_free: TierLimits = _setting(
        TierLimits(30, 20, 20),
        parse.tier_limits,
        "Analyses, transformations and scans per hour for FREE.",
    )
    tier_limits_pro: TierLimits = _setting(
        TierLimits(90, 60, 60),
        parse.tier_limits,
        "Analyses, transformations and scans per hour for PRO.",
    )
    tier_limits_team: TierLimits = _setting(
        TierLimits(300, 200, 200),
        parse.tier_limits,
        "Analyses, transformations and scans per hour for TEAM.",
    )
    limit_default: limits.RateLimitItem = _setting(
        limits.parse("6000/minute"),
        parse.rate,
        "Requests of one account or address, over all routes.",
    )
    limit_failed_auth: limits.RateLimitItem = _setting(
        limits.parse("30/minute"), parse.rate, "Failed authentications of one address."
    )
    max_connections_per_address: int = _setting(
        512,
        whole(0),
        "Connections of one address to a server worker. 0 means no limit. Loopback and trusted "
        "proxies are not counted, because many clients share them.",
    )
    max_streams_per_account: int = _setting(
        512, whole(0), "Event streams that one account may have open at a server worker."
    )
    max_streams_per_address: int = _setting(
        1_024, whole(0), "Event streams that one address may have open at a server worker."
    )
    max_slow_bodies: int = _setting(
        32,
        whole(0),
        "Concurrent request bodies of one account or address at a server worker that take longer "
        "than 1 second.",
    )
    body_rate: int = _setting(
        4_096,
        whole(1),
        "Minimum average rate of a request body after 5 seconds, in bytes per second.",
    )
    body_memory: int = _setting(
        64 * 1024**2,
        whole(32 * 1024**2),
        "Bytes of request bodies that a server worker holds in memory. One account or address may "
        "use three quarters.",
    )
    body_files: int = _setting(
        1024**3,
        whole(64 * 1024**2),
        "Bytes of request bodies that a server worker holds in temporary files while they arrive. "
        "One account or address may use half.",
    )
    analysis_processes: int = _setting(
        os.cpu_count() or 2,
        whole(1, 256),
        "Concurrent analyzer processes in a server worker.",
    )
    analysis_queue: int = _setting(
        500, whole(1), "Active and waiting analyses in a server worker before it answers 503."
    )
    confinement: str = _setting(
        AUTO,
        parse.confinement,
        "Confinement of worker processes. `auto` confines them as far as the kernel can, "
        "`required` does not start if the kernel cannot do all of it, `off` confines nothing, to "
        "debug plugins.",
    )
    confinement_read: tuple[str, ...] = _setting(
        (),
        parse.paths,
        "Files and folders that plugins' analyzers may read and run besides code, such as a model "
        "or a tool. Absolute paths, comma-separated.",
    )
    plugins_disabled: tuple[str, ...] = _setting(
        (),
        parse.names,
        "Plugins that are neither imported nor used, by their names in `codeintel plugins`, "
        "comma-separated. `*` matches any characters, as in `*.registries.*`.",
    )
    execution: str = _setting(
        parse.OFF,
        parse.execution,
        "`bubblewrap` runs the original and the result of a transformation of Python, JavaScript "
        "or TypeScript in a sandbox, to compare their behavior. `off` runs nothing.",
    )
    result_cache: float = _setting(
        300.0,
        seconds(0),
        "How long a cached result answers the same request of the same account. 0 means never.",
    )
    sources: tuple[str, ...] = _setting(
        (),
        parse.sources,
        "Built-in registries to search besides GitHub, npm and Docker Hub, like `gitlab,crates`. "
        "`-` turns one off, like `-docker`.",
    )
    source_instances: tuple[dict[str, str], ...] = _setting(
        (),
        parse.source_instances,
        "More instances of a kind of registry: a JSON list of objects with `name`, `kind`, "
        "`base_url`, and optionally `token`, `visibility` (`public` or `accounts`).",
        secret=True,
    )
    search_cache: float = _setting(
        300.0, seconds(0), "How long a cached result answers the same search of a registry."
    )
    search_calls: limits.RateLimitItem = _setting(
        limits.parse("60/minute"),
        parse.rate,
        "New searches of one registry for one account or address. Cached results are not counted.",
    )
    search_calls_anonymous: limits.RateLimitItem = _setting(
        limits.parse("90/minute"),
        parse.rate,
        "New searches of one registry for all callers without an account together. If a registry "
        "allows fewer, half of them are reserved for accounts.",
    )
    trust_fresh: float = _setting(
        21_600.0, seconds(0), "How long a package's trust snapshot counts as fresh."
    )
    trust_lookups: limits.RateLimitItem = _setting(
        limits.parse("120/hour"),
        parse.rate,
        "New package lookups in the trust network for one account or address. Fresh stored "
        "snapshots are not counted.",
    )
    trust_lookups_anonymous: limits.RateLimitItem = _setting(
        limits.parse("240/hour"),
        parse.rate,
        "New package lookups for all callers without an account together.",
    )
    trust_requests_per_hour: int = _setting(
        3_600,
        whole(1),
        "Requests per hour to one upstream for refreshing trust snapshots.",
    )
    job_workers: int = _setting(
        1,
        whole(0, 64),
        "Concurrent background jobs in a server worker. 0 leaves them to `codeintel worker`.",
    )
    proof_interval: float = _setting(
        600.0, seconds(0), "Minimum time between two automatic analyses of one workspace."
    )
    workspace_bytes_free: int = _setting(
        200 * 1024**2, whole(0), "Bytes of workspaces that a FREE account may store."
    )
    workspace_bytes_pro: int = _setting(
        1024**3, whole(0), "Bytes of workspaces that a PRO account may store."
    )
    workspace_bytes_team: int = _setting(
        5 * 1024**3, whole(0), "Bytes of workspaces that a TEAM account may store."
    )
    contact: str = _setting(
        "",
        parse.contact,
        "Address or URL for complaints of registries' operators. Empty: the public URL.",
    )
    run_timeout: float = _setting(120.0, seconds(1), "Maximum duration of a run.")
    scan_timeout: float = _setting(3600.0, seconds(1), "Maximum duration of a scan.")
    scan_bytes: int = _setting(
        2 * 1024**3,
        whole(0),
        "Bytes of code that an account may have sent for scans that have not ended.",
    )
    scan_results: float = _setting(
        604_800.0,
        seconds(3600),
        "How long results of scanned files are stored. They have findings, fixes and names, but no "
        "files.",
    )
    run_resume_grace: float = _setting(
        10.0, seconds(0), "How long a run continues without a reader."
    )
    run_retention: float = _setting(
        2_592_000.0, seconds(60), "How long ended runs and their results are kept."
    )
    events_kept: float = _setting(
        600.0, seconds(10), "How long the events of ended runs can be replayed. Results stay."
    )
    job_retention: float = _setting(
        604_800.0, seconds(60), "How long ended background jobs are kept."
    )
    audit_retention: float = _setting(
        0.0, parse.retention, "How long events of the audit log are kept. 0 means forever."
    )
    session_retention: float = _setting(
        2_592_000.0,
        parse.retention,
        "How long ended sessions and used or expired sign-in links are kept. 0 means forever.",
    )
    key_retention: float = _setting(
        0.0, parse.retention, "How long revoked and expired API keys are kept. 0 means forever."
    )
    trust_retention: float = _setting(
        0.0,
        parse.retention,
        "How long trust observations, and all but each package's newest snapshot, are kept. 0 "
        "means forever.",
    )
    source_report_retention: float = _setting(
        2_592_000.0,
        parse.retention,
        "How long reports of recovered search sources are kept. 0 means forever.",
    )
    hold_ttl: float = _setting(
        60.0, seconds(1), "Lease on reserved credits. Its run renews it every third of this time."
    )
    log_format: str = _setting(TEXT, parse.log_format, "Format of log entries: `text` or `json`.")
    access_log: bool = _setting(False, flag, "Log each request.")
    metrics_port: int = _setting(0, whole(0, 65_535), "Port for Prometheus metrics. 0 means none.")
    metrics_host: str = _setting(
        "127.0.0.1",
        parse.host,
        "Address of the metrics port. Anyone who reaches it can read the metrics without a "
        "credential.",
    )
    drain_timeout: float = _setting(
        30.0, seconds(0), "How long active work may continue after SIGTERM."
    )

    @property
    def database(self) -> str:
        """The database URL with its driver. The default is SQLite in the instance folder."""
        if not self.database_url:
            return f"sqlite:///{self.instance.resolve() / 'codeintel.db'}"
        return self.database_url.replace("postgresql://", "postgresql+psycopg://", 1)

    @property
    def sqlite_file(self) -> Path | None:
        """The file of the database, or None for PostgreSQL."""
        kind, _, path = self.database.partition(":///")
        return Path(path) if kind.startswith("sqlite") and path else None

    def tier_limits(self, tier: Tier) -> TierLimits:
        """Return the operations per hour of a tier."""
        return {
            Tier.FREE: self.tier_limits_free,
            Tier.PRO: self.tier_limits_pro,
            Tier.TEAM: self.tier_limits_team,
        }[tier]

    def workspace_bytes(self, tier: Tier) -> int:
        """Return the number of bytes that an account of a tier may store."""
        return {
            Tier.FREE: self.workspace_bytes_free,
            Tier.PRO: self.workspace_bytes_pro,
            Tier.TEAM: self.workspace_bytes_team,
        }[tier]


@dataclass(frozen=True)
class SettingInfo:
    """A setting without its value."""

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
