"""Confining processes that do one job: bounds worked out once, and entered in each process."""

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
    # How many processors there are, and how memory is given out.
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
"""What the kernel starts in front of a program that uses shared libraries."""
OWN = ("/proc/self", kernel.READ)
"""What `/proc` says of the process that sets the bounds; to open when it does."""


def readable(
    protected: Path | None, more: Iterable[str] = (), programs: Iterable[str] = ()
) -> list[Place]:
    """The places for processes of the kind that this one is, which has imported what they need.

    :param protected: the instance folder. A folder that holds it is left out, and of those that
        modules come from only what is imported stays. None where nobody knows it: every folder but
        Python's own is treated so.
    :param more: paths that operators name: what is in them may be read and run.
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
    """Whether a path is a folder or in it; both are real paths."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _in_any(path: str, folders: Iterable[str]) -> bool:
    return any(is_below(path, each) for each in folders)


def _python() -> Iterator[str]:
    """The folders of Python's library, of packages, and of the libraries that it is linked to."""
    yield from map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
    yield from site.getsitepackages()
    if site.ENABLE_USER_SITE:
        yield site.getusersitepackages()
    yield sysconfig.get_config_var("LIBDIR") or ""
    # Where the library finds itself, and the environment its base.
    yield str(Path(sys.base_prefix, "lib"))
    yield str(Path(sys.prefix, "lib"))


def _on_the_path() -> Iterator[str]:
    """Where modules are looked for, but for the folder that this process was started in."""
    here = os.path.realpath(os.curdir)
    yield from (each for each in sys.path if each and os.path.realpath(each) != here)


def _imported() -> set[str]:
    """The packages, as folders, and the single modules, as files, that have been imported."""
    found = set()
    for name, module in list(sys.modules.items()):
        if "." not in name and (file := getattr(module, "__file__", None)):
            path = os.path.realpath(file)
            is_package = getattr(module, "__path__", None) is not None
            found.add(str(Path(path).parent) if is_package else path)
    return found


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
            own = [(str(folder), kernel.WRITE)] if folder is not None else []
            kernel.restrict((*self._places, *own, OWN), self.state.abi)
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
