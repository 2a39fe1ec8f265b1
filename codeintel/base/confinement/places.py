"""The files that a confined process may read: code, and what interpreters and libraries need."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

from codeintel.base.confinement import landlock
from codeintel.base.confinement.landlock import Place

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
OWN = ("/proc/self", landlock.READ)
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
    places = [(path, landlock.READ) for path in (*sorted(least), *_SYSTEM)]
    places += [(path, landlock.READ) for path in _imported() if not _in_any(path, least)]
    places.append((os.devnull, landlock.READ_FILE | landlock.WRITE_FILE))
    runnable = [*more, *programs]
    places += [(path, landlock.READ | landlock.EXECUTE) for path in runnable]
    places += [(path, landlock.RUN) for path in _LOADERS if runnable]
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
