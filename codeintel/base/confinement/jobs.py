"""Confining processes that do one job: bounds worked out once, and entered in each process."""

from __future__ import annotations

import resource
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from codeintel.base.confinement import filters, kernel, landlock
from codeintel.base.confinement.landlock import Place
from codeintel.base.confinement.places import OWN, readable
from codeintel.base.confinement.state import AUTO, OFF, State, require, state

MAX_PROCESSES = 4096
"""Processes and threads of the service's user, beyond which a job can start none; the kernel does
not count them for root. Each job has a bound of its own too, which the zygote watches."""


class _Filters(NamedTuple):
    of_all: kernel.SystemCallFilter
    no_processes: kernel.SystemCallFilter
    no_programs: kernel.SystemCallFilter


class Confinement:
    """What processes of one kind may still do, as far as the kernel lets it be bounded.

    :param mode: one of :data:`codeintel.base.confinement.state.MODES`.
    :param places: the files that all of them may reach.
    :param spared: process ids that they may not send signals to, negative ones for groups: a second
        wall, and the only one on kernels where Landlock does not bound signals.
    :raises UnconfinedError: if it is required, and the kernel cannot do it.
    """

    def __init__(
        self, places: Iterable[Place], mode: str = AUTO, spared: tuple[int, ...] = ()
    ) -> None:
        require(mode)
        self.state: State = state(mode)
        self._is_on = mode != OFF
        self._places = tuple(places)
        self._capabilities = kernel.least_capabilities() if self._is_on else None
        self._filters: _Filters | None = None
        if self.state.has_filters:
            machine = kernel.machine()
            self._filters = _Filters(
                kernel.SystemCallFilter(filters.for_jobs(machine, spared)),
                kernel.SystemCallFilter(filters.without_processes(machine)),
                kernel.SystemCallFilter(filters.without_processes(machine, may_fork=True)),
            )

    def enter(self, folder: Path | None) -> None:
        """Confine this process, and all that it starts, for good. It should have one thread.

        :param folder: where it may write.
        :raises OSError: if the kernel refuses what it offers. Then nothing hostile may be read.
        """
        if not self._is_on:
            return
        kernel.give_up_new_privileges()
        _limit_processes()
        if self.state.abi:
            own = [(str(folder), landlock.WRITE)] if folder is not None else []
            landlock.restrict((*self._places, *own, OWN), self.state.abi)
        if self._capabilities is not None:
            kernel.give_up_capabilities(self._capabilities)
        if self._filters is not None:
            self._filters.of_all.set()

    def start_no_programs(self, *, may_fork: bool = False) -> None:
        """Give up starting programs, and processes unless it may fork. Only after :meth:`enter`.

        :raises OSError: as :meth:`enter`.
        """
        if self._filters is not None:
            (self._filters.no_programs if may_fork else self._filters.no_processes).set()


def confine_program() -> None:
    """Confine this process, a program of the service's own that reads files it was handed open and
    computes: it can write nowhere, reach nobody and start nothing but threads.

    :raises OSError: as :meth:`Confinement.enter`.
    """
    confinement = Confinement(readable(None))
    confinement.enter(None)
    confinement.start_no_programs()


def _limit_processes() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = MAX_PROCESSES if hard == resource.RLIM_INFINITY else min(hard, MAX_PROCESSES)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
