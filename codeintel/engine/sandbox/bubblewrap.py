"""Build the commands that start Python and Node.js in a bubblewrap sandbox, and choose what the
sandbox sees."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

HARNESS = "/inside/harness"
_INSIDE = Path(__file__).parent / "inside"
_TEMPORARY_BYTES = 4 * 1024 * 1024
_USER = "65534"
_ZONE = "XST5XDT,M3.2.0,M11.1.0"
"""A time zone other than UTC with daylight saving time, which reveals code that ignores time
zones."""
_SYSTEM = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64")
_FILES = ("/etc/ld.so.cache", "/usr/share/zoneinfo")
_NODE, _SCRIPTS_INSIDE = "/inside/node", "/inside/scripts"
_SCRIPTS = Path(__file__).parent / "javascript" / "node"
_NODE_OPTIONS = (
    *("--max-old-space-size=256", "--max-semi-space-size=8", "--stack-size=800"),
    *("--v8-pool-size=1", "--no-warnings", "--no-deprecation", "--no-experimental-fetch"),
)
_START = "import sys; sys.path.append('/inside'); from harness.main import main; main()"
_START_NODE = "import sys; sys.path.append('/inside'); from harness.node import main; main()"


def found() -> str | None:
    """Return the path of bubblewrap, or None if it is not installed."""
    return shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin")


def found_node() -> str | None:
    """Return the path of Node.js, or None if it is not installed."""
    node = shutil.which("node", path="/usr/bin:/usr/local/bin:/bin")
    return str(Path(node).resolve()) if node is not None else None


def command(program: str, filter_descriptor: int, hash_seed: int) -> list[str]:
    """Return the command line.

    The command first removes everything: namespaces, capabilities, environment, terminal. Then it
    binds what Python needs, read-only. There are no devices, no `/proc` and no home directory.

    :param filter_descriptor: the descriptor from which the system call filter is read.
    :param hash_seed: decides the order of sets.
    """
    return [
        *_closed(program, filter_descriptor, hash_seed, ()),
        *(str(_interpreter()), "-P", "-s", "-S", "-B", "-c", _START),
    ]


def node_command(
    program: str, filter_descriptor: int, node: str, limits: str, script: str
) -> list[str]:
    """Return the command line for Node.js.

    Python starts first, sets the limits and replaces itself.

    :param node: the path of Node.js.
    :param limits: the limits as JSON.
    :param script: the name of the script to run.
    """
    more = ("--ro-bind", node, _NODE, "--ro-bind", str(_SCRIPTS), _SCRIPTS_INSIDE)
    return [
        *_closed(program, filter_descriptor, 0, more),
        *(str(_interpreter()), "-P", "-s", "-S", "-B", "-c", _START_NODE, limits, _NODE),
        *(*_NODE_OPTIONS, f"{_SCRIPTS_INSIDE}/{script}"),
    ]


def _closed(program: str, filter_descriptor: int, hash_seed: int, more: Sequence[str]) -> list[str]:
    """Return the part of a command line that closes the sandbox.

    :param more: further files that the sandbox sees.
    """
    return [
        program,
        *("--unshare-all", "--unshare-user", "--cap-drop", "ALL", "--clearenv"),
        *("--die-with-parent", "--as-pid-1", "--new-session", "--hostname", "sandbox"),
        *("--uid", _USER, "--gid", _USER),
        *("--setenv", "PYTHONHASHSEED", str(hash_seed), "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "TZ", _ZONE, "--setenv", "HOME", "/tmp"),  # noqa: S108 - its own
        *_binds(),
        *("--ro-bind", str(_INSIDE), HARNESS, *more),
        *("--size", str(_TEMPORARY_BYTES), "--tmpfs", "/tmp", "--chdir", "/tmp"),  # noqa: S108
        *("--remount-ro", "/", "--seccomp", str(filter_descriptor)),
        "--",
    ]


def _interpreter() -> Path:
    """Return the interpreter itself instead of a virtual environment's link."""
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
        if packages.is_dir():  # this project may be installed there
            yield from ("--tmpfs", str(packages), "--remount-ro", str(packages))


def _python() -> Iterator[Path]:
    """Yield the interpreter, its library, and the shared libraries of both."""
    yield _interpreter()
    base = Path(sys.base_prefix)
    if str(base) not in ("/usr", "/usr/local"):
        yield base / "lib"
    yield from map(Path, dict.fromkeys(map(sysconfig.get_path, ("stdlib", "platstdlib"))))
    folder = sysconfig.get_config_var("LIBDIR")
    if folder:
        yield from Path(folder).glob("libpython3*.so*")
