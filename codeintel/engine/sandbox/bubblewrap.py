"""The command that starts Python in a sandbox of bubblewrap's, and what can be seen in there."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

HARNESS = "/inside/harness"
_INSIDE = Path(__file__).parent / "inside"
_TEMPORARY_BYTES = 4 * 1024 * 1024
_USER = "65534"
_ZONE = "XST5XDT,M3.2.0,M11.1.0"
"""A time zone that is not UTC and has a summer time: who forgets a zone is found out."""
_SYSTEM = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64")
_FILES = ("/etc/ld.so.cache", "/usr/share/zoneinfo")
_START = "import sys; sys.path.append('/inside'); from harness.main import main; main()"


def found() -> str | None:
    """The path of bubblewrap, if it is installed."""
    return shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin")


def command(program: str, filter_descriptor: int, hash_seed: int) -> list[str]:
    """The command line.

    Everything is taken away first: namespaces, capabilities, environment, terminal. Then comes what
    Python needs, to be read only. There are no devices, no `/proc` and no home.

    :param filter_descriptor: where the filter of system calls is read from.
    :param hash_seed: decides the order of sets.
    """
    return [
        program,
        *("--unshare-all", "--unshare-user", "--cap-drop", "ALL", "--clearenv"),
        *("--die-with-parent", "--as-pid-1", "--new-session", "--hostname", "sandbox"),
        *("--uid", _USER, "--gid", _USER),
        *("--setenv", "PYTHONHASHSEED", str(hash_seed), "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "TZ", _ZONE, "--setenv", "HOME", "/tmp"),  # noqa: S108 - its own
        *_binds(),
        *("--ro-bind", str(_INSIDE), HARNESS),
        *("--size", str(_TEMPORARY_BYTES), "--tmpfs", "/tmp", "--chdir", "/tmp"),  # noqa: S108
        *("--remount-ro", "/", "--seccomp", str(filter_descriptor)),
        *("--", str(_interpreter()), "-P", "-s", "-S", "-B", "-c", _START),
    ]


def _interpreter() -> Path:
    """The interpreter itself, not the link of a virtual environment."""
    base: str = getattr(sys, "_base_executable", sys.executable)
    return Path(base).resolve()


def _binds() -> Iterator[str]:
    bound: list[Path] = []
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
            bound.append(path)
    for each in _FILES:
        yield from ("--ro-bind-try", each, each)
    for path in _python():
        if not any(path.is_relative_to(other) for other in bound):
            yield from ("--ro-bind", str(path), str(path))
            bound.append(path)
    for name in ("site-packages", "dist-packages"):
        packages = Path(sysconfig.get_path("stdlib")) / name
        if packages.is_dir():  # this project is in there, perhaps
            yield from ("--tmpfs", str(packages), "--remount-ro", str(packages))


def _python() -> Iterator[Path]:
    """The interpreter, its library, and the shared libraries that both are linked to."""
    yield _interpreter()
    base = Path(sys.base_prefix)
    if str(base) not in ("/usr", "/usr/local"):
        yield base / "lib"
    yield from map(Path, dict.fromkeys(map(sysconfig.get_path, ("stdlib", "platstdlib"))))
    folder = sysconfig.get_config_var("LIBDIR")
    if folder:
        yield from Path(folder).glob("libpython3*.so*")
