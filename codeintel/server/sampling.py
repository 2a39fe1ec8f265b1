"""Metrics that are sampled every few seconds."""

from __future__ import annotations

import logging
import platform
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import gevent
from sqlalchemy import QueuePool
from sqlalchemy.exc import SQLAlchemyError

from codeintel.app import Services
from codeintel.base.logging import describe
from codeintel.base.version import __version__
from codeintel.platform.metrics import table
from codeintel.platform.metrics.families import Family
from codeintel.platform.upstreams.upstream import Upstream

log = logging.getLogger(__name__)

SECONDS = 2.0
ROUNDS_UNTIL_COUNTED = 5
"""The number of rounds between two queries for the number of waiting jobs."""


class Sampler:
    """A greenlet that samples the services of a process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._cpu = 0.0
        self._rounds = 0

    def start(self) -> None:
        """Set the metrics now, and again every 2 seconds until the process ends."""
        _tell_build()
        self._look()
        gevent.spawn(self._go_on)

    def _go_on(self) -> None:
        while True:
            due = time.monotonic() + SECONDS
            gevent.sleep(SECONDS)
            table.LOOP_LAG.set(max(0.0, time.monotonic() - due))
            self._look()

    def _look(self) -> None:
        looks: list[Callable[[], None]] = [
            self._look_at_process,
            self._look_at_pool,
            self._look_at_upstreams,
            self._look_at_storage,
        ]
        if self._rounds % ROUNDS_UNTIL_COUNTED == 0:
            looks.append(self._look_at_jobs)
        self._rounds += 1
        for look in looks:
            try:
                look()
            except SQLAlchemyError:
                continue  # other metrics report that the database is unreachable
            except Exception as error:  # noqa: BLE001 - figures must not end the process's others
                log.error("figures cannot be taken: %s", describe(error))

    def _look_at_process(self) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu = used.ru_utime + used.ru_stime
        table.PROCESS_CPU.add(amount=max(0.0, cpu - self._cpu))
        self._cpu = cpu
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
        table.PROCESS_MEMORY.set(pages * resource.getpagesize())
        table.PROCESS_FILES.set(len([*Path("/proc/self/fd").iterdir()]))

    def _look_at_pool(self) -> None:
        slots = (self._services.pool.slots, self._services.pool.texts.slots)
        table.POOL_SLOTS.set(sum(each.count for each in slots))
        table.POOL_BUSY.set(sum(each.busy for each in slots))
        table.POOL_WAITING.set(sum(each.waiting for each in slots))

    def _look_at_upstreams(self) -> None:
        for upstream in self._upstreams():
            stand = upstream.state.stand()
            for each in table.STANDS:
                table.UPSTREAM_LEFT_ALONE.set(stand == each, upstream.area, upstream.name, each)

    def _upstreams(self) -> Iterator[Upstream]:
        yield from self._services.search.upstreams.values()
        yield from self._services.trust.snapshots.collecting.upstreams.values()

    def _look_at_storage(self) -> None:
        pool = self._services.engine.pool
        if isinstance(pool, QueuePool):
            table.CONNECTIONS.set(pool.checkedout())
        table.REDIS_LEFT_ALONE.set(self._services.limits.degraded)
        table.REDIS_FULL.set(self._services.limits.is_full)

    def _look_at_jobs(self) -> None:
        waiting = self._services.jobs.count_due()
        for kind in self._services.jobs.kinds:
            table.JOBS_WAITING.set(waiting.get(kind, 0), kind)


def _tell_build() -> None:
    table.BUILD.set(1, __version__, platform.python_version())
    table.PROCESSES.set(1)
    table.PROCESS_START.set(time.time())
    table.PROCESS_MOST_FILES.set(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    for family in table.TABLE:  # so that the first error of its kind is an increase from 0
        if all(isinstance(values, frozenset) for values in family.labels.values()):
            _begin(family)


def _begin(family: Family) -> None:
    """Create the series of families with at most one label, which has a closed set of values."""
    if not family.labels:
        family.series()
    elif len(family.labels) == 1:
        (values,) = family.labels.values()
        for each in sorted(values):
            family.series(each)
