"""All settings with their defaults and meanings: the one table behind `codeintel config`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import limits

from codeintel.config import parse
from codeintel.setting_values import seconds, text, whole
from codeintel.tiers import Tier, TierLimits


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
    analysis_processes: int = _setting(
        os.cpu_count() or 2,
        whole(1, 256),
        "Analyser processes at once in a server worker.",
    )
    analysis_queue: int = _setting(
        500, whole(1), "Analyses under way or waiting in a server worker, before 503."
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
    trust_fresh: float = _setting(
        21_600.0, seconds(0), "How long a package's trust snapshot is as good as a new one."
    )
    trust_lookups: limits.RateLimitItem = _setting(
        limits.parse("120/hour"),
        parse.rate,
        "Packages that an account or address may have looked up anew in the trust network; what "
        "is stored and fresh is not counted.",
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
    hold_ttl: float = _setting(
        60.0, seconds(1), "Lease on reserved credits; its run renews it every third of this."
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

    def tier_limits(self, tier: Tier) -> TierLimits:
        """Operations per hour of a tier."""
        return {
            Tier.FREE: self.tier_limits_free,
            Tier.PRO: self.tier_limits_pro,
            Tier.TEAM: self.tier_limits_team,
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
