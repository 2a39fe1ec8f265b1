"""Confine processes that do one job. The bounds are computed once and applied in each process."""

from __future__ import annotations

import os
import resource
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from codeintel.base.confinement import filters, kernel
from codeintel.base.confinement.kernel import Place
from codeintel.base.confinement.state import AUTO, OFF, State, require, state

_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib")
_SYSTEM = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    # The number of processors, and how the system assigns memory.
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
)
_LOADERS = (
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
)
"""The loaders that the kernel starts before a program that uses shared libraries."""
OWN = ("/proc/self", kernel.READ)
"""The entry in `/proc` of the confined process. It is opened when the bounds are set."""


def readable(
    protected: Path | None, more: Iterable[str] = (), programs: Iterable[str] = ()
) -> list[Place]:
    """Return the places that a process like this one needs to read, with all its modules imported.

    :param protected: the instance folder. A folder that contains it is left out. Of the folders for
        modules, only imported parts remain. None if the instance folder is unknown: then every
        folder except Python's own is treated so.
    :param more: paths from the settings. Files in them may be read and run.
    :param programs: paths of programs that may be run.
    """
    whole = [*_LIBRARIES, *_python(), *(_on_the_path() if protected is not None else ())]
    folders = {os.path.realpath(each) for each in whole if Path(each).is_dir()}
    if protected is not None:
        hidden = os.path.realpath(protected)
        folders = {each for each in folders if not is_below(hidden, each)}
        plugins = Path(hidden, "plugins")
        folders |= {str(plugins)} if plugins.is_dir() else set()
    least = {each for each in folders if not any(is_below(each, b) for b in folders - {each})}
    places = [(path, kernel.READ) for path in (*sorted(least), *_SYSTEM)]
    places += [(path, kernel.READ) for path in _imported() if not _in_any(path, least)]
    places.append((os.devnull, kernel.READ_FILE | kernel.WRITE_FILE))
    runnable = [*more, *programs]
    places += [(path, kernel.READ | kernel.EXECUTE) for path in runnable]
    places += [(path, kernel.RUN) for path in _LOADERS if runnable]
    return [place for place in places if Path(place[0]).exists()]


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is a folder or in it. Both must be real paths."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _in_any(path: str, folders: Iterable[str]) -> bool:
    return any(is_below(path, each) for each in folders)


def _python() -> Iterator[str]:
    """Yield the folders of Python's library, of packages and of linked libraries."""
    yield from map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
    yield from site.getsitepackages()
    if site.ENABLE_USER_SITE:
        yield site.getusersitepackages()
    yield sysconfig.get_config_var("LIBDIR") or ""
    # The library finds itself here, and an environment finds its base.
    yield str(Path(sys.base_prefix, "lib"))
    yield str(Path(sys.prefix, "lib"))


def _on_the_path() -> Iterator[str]:
    """Yield the folders where modules are searched, except the one that this process was started
    in.
    """
    here = os.path.realpath(os.curdir)
    yield from (each for each in sys.path if each and os.path.realpath(each) != here)


def _imported() -> set[str]:
    """Return all imported packages, as folders, and single modules, as files."""
    found = set()
    for name, module in list(sys.modules.items()):
        if "." not in name and (file := getattr(module, "__file__", None)):
            path = os.path.realpath(file)
            is_package = getattr(module, "__path__", None) is not None
            found.add(str(Path(path).parent) if is_package else path)
    return found


MAX_PROCESSES = 4096
"""A job cannot start a process or thread if the service's user has this many. The kernel does not
count them for root. Each job has its own limit, too, which the zygote enforces.
"""


class _Filters(NamedTuple):
    of_all: kernel.SystemCallFilter
    no_processes: kernel.SystemCallFilter
    no_programs: kernel.SystemCallFilter


class Confinement:
    """The bounds on processes of one kind, as far as the kernel supports them.

    :param mode: one of :data:`codeintel.base.confinement.state.MODES`.
    :param places: the files that all of them may reach.
    :param spared: process ids that they may not send signals to, negative for groups. This is a
        second barrier, and the only one on kernels where Landlock does not restrict signals.
    :raises UnconfinedError: if confinement is required and the kernel does not support it.
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
        """Confine this process and its children permanently. It should have one thread.

        :param folder: the folder where it may write.
        :raises OSError: if the kernel fails to confine it. Then do not read hostile input.
        """
        if not self._is_on:
            return
        kernel.give_up_new_privileges()
        _limit_processes()
        if self.state.abi:
            own = [(str(folder), kernel.WRITE)] if folder is not None else []
            kernel.restrict((*self._places, *own, OWN), self.state.abi)
        if self._capabilities is not None:
            kernel.give_up_capabilities(self._capabilities)
        if self._filters is not None:
            self._filters.of_all.set()

    def start_no_programs(self, *, may_fork: bool = False) -> None:
        """Give up starting programs, and also processes unless the job may fork. Call :meth:`enter`
        first.

        :raises OSError: as :meth:`enter`.
        """
        if self._filters is not None:
            (self._filters.no_programs if may_fork else self._filters.no_processes).set()


def confine_program() -> None:
    """Confine this process, a program of the service that computes from open files. Afterwards it
    cannot write files, connect anywhere or start processes. It may start threads.

    :raises OSError: as :meth:`Confinement.enter`.
    """
    confinement = Confinement(readable(None))
    confinement.enter(None)
    confinement.start_no_programs()


def _limit_processes() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = MAX_PROCESSES if hard == resource.RLIM_INFINITY else min(hard, MAX_PROCESSES)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
