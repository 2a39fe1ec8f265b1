"""Whether the service and what it depends on can work."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import gevent
import msgspec
from msgspec import Meta
from sqlalchemy import Engine, select

from codeintel import __version__
from codeintel.db.models import Fact
from codeintel.moments import Moment
from codeintel.shared_redis import SharedRedis

DATABASE_SECONDS = 1.0
REDIS_SECONDS = 0.25


class Status(StrEnum):
    """`degraded` still answers everything, `unhealthy` does not."""

    HEALTHY = "healthy"
    DEGRADED = "degraded"
    UNHEALTHY = "unhealthy"


class HealthCheck(StrEnum):
    """What one dependency answered."""

    OK = "ok"
    ERROR = "error"
    NOT_CONFIGURED = "not_configured"


class Checks(msgspec.Struct, frozen=True):
    """The dependencies."""

    database: HealthCheck
    redis: HealthCheck


class HealthReport(msgspec.Struct, frozen=True):
    """The health of this process. `version` is the software's, `uptime` is in seconds."""

    status: Status
    version: str
    timestamp: Moment
    uptime: Annotated[int, Meta(ge=0)]
    checks: Checks


class Health:
    """Asks the dependencies, each within its deadline."""

    def __init__(
        self, engine: Engine, redis: SharedRedis | None, is_draining: Callable[[], bool]
    ) -> None:
        self._engine = engine
        self._is_draining = is_draining
        self._started = time.monotonic()
        self._redis = redis

    def report(self) -> HealthReport:
        """Ask now. A Redis that is dead or left alone degrades, a dead database or a shutdown is
        unhealthy."""
        checks = Checks(self._check_database(), self._check_redis())
        status = Status.HEALTHY if checks.redis is not HealthCheck.ERROR else Status.DEGRADED
        if checks.database is HealthCheck.ERROR or self._is_draining():
            status = Status.UNHEALTHY
        return HealthReport(
            status, __version__, datetime.now(UTC), int(time.monotonic() - self._started), checks
        )

    def _check_database(self) -> HealthCheck:
        try:
            with gevent.Timeout(DATABASE_SECONDS), self._engine.connect() as connection:
                connection.execute(_ANY_FACT).one()
        except (Exception, gevent.Timeout):  # noqa: BLE001 - any answer but the right one
            return HealthCheck.ERROR
        return HealthCheck.OK

    def _check_redis(self) -> HealthCheck:
        if self._redis is None:
            return HealthCheck.NOT_CONFIGURED
        try:
            with gevent.Timeout(REDIS_SECONDS):
                self._redis.client.ping()
        except (Exception, gevent.Timeout):  # noqa: BLE001 - any answer but the right one
            return HealthCheck.ERROR
        self._redis.breaker.close()
        return HealthCheck.OK


_ANY_FACT = select(Fact.name).limit(1)
