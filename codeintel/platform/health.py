"""Health of the service and its dependencies."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import gevent
import msgspec
import redis.exceptions
from msgspec import Meta
from sqlalchemy import Engine, select

from codeintel.base.confinement.state import Extent, state
from codeintel.base.timestamps import Moment
from codeintel.base.version import __version__
from codeintel.platform.db.models import Fact
from codeintel.platform.db.statements import Skew, database_now_ms, skew_of
from codeintel.platform.shared_redis import SharedRedis

DATABASE_SECONDS = 1.0
REDIS_SECONDS = 0.25
PROBE_KEY = "codeintel:health"
PROBE_SECONDS = 60


class Status(StrEnum):
    """`degraded` still answers everything, `unhealthy` does not."""

    HEALTHY = "healthy"
    DEGRADED = "degraded"
    UNHEALTHY = "unhealthy"


class HealthCheck(StrEnum):
    """The result of checking one dependency."""

    OK = "ok"
    ERROR = "error"
    NOT_CONFIGURED = "not_configured"


class Checks(msgspec.Struct, frozen=True):
    """The dependencies."""

    database: HealthCheck
    redis: HealthCheck
    confinement: Extent
    """How far worker processes are confined.

    This is a state of the machine and degrades nothing.
    """


class HealthReport(msgspec.Struct, frozen=True, rename="camel"):
    """The health of this process.

    `version` is the software's version and `uptime` is in seconds. `clockSkew` is how many seconds
    its clock is ahead of the database's. It is negative if the clock is behind, and null while the
    database does not answer. More than 5 s is `degraded`.
    """

    status: Status
    version: str
    timestamp: Moment
    uptime: Annotated[int, Meta(ge=0)]
    checks: Checks
    clock_skew: float | None = None


class Health:
    """Checks the dependencies, each within its deadline."""

    def __init__(
        self,
        engine: Engine,
        redis: SharedRedis | None,
        is_draining: Callable[[], bool],
        confinement: str,
    ) -> None:
        self._engine = engine
        self._is_draining = is_draining
        self._started = time.monotonic()
        self._redis = redis
        self._confinement = state(confinement).extent

    def report(self) -> HealthReport:
        """Check now.

        A Redis that is dead or in its retry pause degrades the service, and so does a wrong clock.
        A dead database or a shutdown makes it unhealthy.
        """
        skew = self._ask_database()
        checks = Checks(
            HealthCheck.OK if skew is not None else HealthCheck.ERROR,
            self._check_redis(),
            self._confinement,
        )
        is_apart = skew is not None and skew.is_apart
        is_degraded = is_apart or checks.redis is HealthCheck.ERROR
        status = Status.DEGRADED if is_degraded else Status.HEALTHY
        if checks.database is HealthCheck.ERROR or self._is_draining():
            status = Status.UNHEALTHY
        return HealthReport(
            status,
            __version__,
            datetime.now(UTC),
            int(time.monotonic() - self._started),
            checks,
            round(skew.ahead_ms / 1000, 3) if skew is not None else None,
        )

    def _ask_database(self) -> Skew | None:
        """Return the clock's skew if the database has our tables, or None without an answer."""
        try:
            with gevent.Timeout(DATABASE_SECONDS), self._engine.connect() as connection:
                began = time.monotonic()
                theirs = connection.execute(_ANY_FACT).one()[1]
                return skew_of(theirs, time.monotonic() - began)
        except (Exception, gevent.Timeout):  # noqa: BLE001 - any answer but the right one
            return None

    def _check_redis(self) -> HealthCheck:
        if self._redis is None:
            return HealthCheck.NOT_CONFIGURED
        try:
            with gevent.Timeout(REDIS_SECONDS):
                # A full Redis answers every question, but counts nothing.
                self._redis.client.set(PROBE_KEY, b"1", ex=PROBE_SECONDS)
        except redis.exceptions.OutOfMemoryError as error:
            self._redis.breaker.failed(error)
            return HealthCheck.ERROR
        except (Exception, gevent.Timeout):  # noqa: BLE001 - any answer but the right one
            return HealthCheck.ERROR
        self._redis.breaker.close()
        return HealthCheck.OK


_ANY_FACT = select(Fact.name, database_now_ms()).limit(1)
