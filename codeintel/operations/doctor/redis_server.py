"""Check Redis: its data must not vanish while it runs, and it must answer quickly."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import redis

from codeintel.base.wording import size
from codeintel.operations.doctor.database import clock
from codeintel.operations.doctor.installation import Installation, shown_url
from codeintel.operations.doctor.results import Finding, error, ok, skipped, warning
from codeintel.platform.db.statements import skew_of
from codeintel.platform.shared_redis import BUDGET_SECONDS

CONNECTION, SPEED, MEMORY = "redis.connection", "redis.speed", "redis.memory"
EVICTION, PERSISTENCE, CLOCK = "redis.eviction", "redis.persistence", "redis.clock"
SECONDS = 2.0
PINGS = 5
OLDEST = 6
FULL = 0.9


def look_at_redis(installation: Installation) -> Iterator[Finding]:
    """Yield the findings. Further checks need an answer."""
    url = installation.settings.redis_url
    if not url:
        yield skipped(CONNECTION, "REDIS_URL is not set.")
        return
    client = redis.Redis.from_url(
        url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS, retry=None
    )
    try:
        with client:
            yield from _answering(client, url)
    except redis.exceptions.NoPermissionError:
        yield _may_not_ask()
    except (redis.RedisError, OSError) as failure:
        yield _unreachable(url, failure)


def _answering(client: redis.Redis, url: str) -> Iterator[Finding]:
    info: Mapping[str, Any] = client.info()
    yield from _connection(url, info)
    yield _speed(client)
    yield from _memory(info)
    yield _persistence(client, info)
    began = time.monotonic()
    seconds, microseconds = client.time()
    skew = skew_of(seconds * 1000 + microseconds / 1000, time.monotonic() - began)
    yield clock(CLOCK, "Redis", skew)


def _unreachable(url: str, failure: Exception) -> Finding:
    lines = str(failure).splitlines() or [type(failure).__name__]
    return error(
        CONNECTION,
        f"Redis at {shown_url(url)} cannot be used: {lines[0].rstrip('.')}.",
        "Start it, or correct REDIS_URL. Without Redis, each process counts limits separately, and "
        "runs can be read only from the process that works on them.",
    )


def _may_not_ask() -> Finding:
    return warning(
        CONNECTION,
        "Redis answers, but its user has no permission for INFO and TIME, so other checks were "
        "skipped.",
        "Allow both commands for the user in REDIS_URL (ACL), or check Redis manually.",
    )


def _connection(url: str, info: Mapping[str, Any]) -> Iterator[Finding]:
    version = str(info.get("redis_version", "?"))
    major = version.partition(".")[0]
    if info.get("role") == "slave":
        yield error(CONNECTION, "Redis is a read-only replica.", "Set REDIS_URL to the primary.")
    elif major.isdecimal() and int(major) < OLDEST:
        yield warning(
            CONNECTION,
            f"Redis {version} is no longer maintained.",
            f"Upgrade to {OLDEST}.2 or newer.",
        )
    else:
        yield ok(CONNECTION, f"Redis {version} at {shown_url(url)}.")


def _speed(client: redis.Redis) -> Finding:
    """Return the best of several response times, because one slow answer proves nothing. PING is
    not used, since Redis rejects it after a failed write to disk.
    """
    best = float("inf")
    for _ in range(PINGS):
        began = time.monotonic()
        client.time()
        best = min(best, time.monotonic() - began)
    told = f"Redis answers in {best * 1000:.1f} ms."
    if best > BUDGET_SECONDS / 4:
        return warning(
            SPEED,
            f"{told} The service continues without Redis after {BUDGET_SECONDS * 1000:.0f} ms.",
            "Run Redis near the service, and search for slow commands with SLOWLOG GET.",
        )
    return ok(SPEED, told)


def _memory(info: Mapping[str, Any]) -> Iterator[Finding]:
    most, used = int(info.get("maxmemory", 0)), int(info.get("used_memory", 0))
    told = f"{size(used)} in use, {f'of {size(most)}' if most else 'without a limit'}."
    if most and used > FULL * most:
        yield warning(MEMORY, told, "Raise maxmemory. Otherwise, Redis will reject writes.")
    else:
        yield ok(MEMORY, told)
    policy = str(info.get("maxmemory_policy", "?"))
    if policy == "noeviction":
        yield ok(EVICTION, "noeviction.")
        return
    when = "when its memory is full" if most else "once maxmemory is set"
    yield (error if most else warning)(
        EVICTION,
        f"maxmemory-policy is {policy}: {when}, Redis deletes counted limits, runs' events and "
        "messages about jobs.",
        "Set `maxmemory-policy noeviction` in redis.conf and with CONFIG SET. Do not share Redis "
        "with a cache that needs another policy.",
    )


def _persistence(client: redis.Redis, info: Mapping[str, Any]) -> Finding:
    if info.get("rdb_last_bgsave_status") == "err" or info.get("aof_last_write_status") == "err":
        return error(
            PERSISTENCE,
            "The last write to disk failed, so Redis may reject all writes.",
            "Check the log of Redis. Free disk space, or correct the permissions of its folder.",
        )
    try:
        saves = str(client.config_get("save").get("save", ""))
    except redis.RedisError:  # hosted services do not report it
        saves = "?"
    if info.get("aof_enabled") or saves:
        how = "append-only file" if info.get("aof_enabled") else "snapshots"
        return ok(PERSISTENCE, f"Redis stores its data: {how}.")
    # Its data may be lost: deploy/README.md recommends no persistence.
    return ok(
        PERSISTENCE,
        "Redis does not store its data. After a restart, limits are reset, streams of active runs "
        "resume only at the process that runs them, and jobs start some seconds later.",
    )
