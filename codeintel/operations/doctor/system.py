"""Check the machine: Python, packages, plugins, descriptors, confinement and sandbox."""

from __future__ import annotations

import platform
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement

from codeintel.base.confinement.state import REQUIRED, Extent, state
from codeintel.base.extras import EXTRAS
from codeintel.engine.sandbox import bubblewrap
from codeintel.operations.doctor.installation import Collision, Installation
from codeintel.operations.doctor.results import (
    Finding,
    Unavailable,
    error,
    ok,
    or_ok,
    skipped,
    warning,
)
from codeintel.platform.config.parse import BUBBLEWRAP
from codeintel.platform.plugins.manager import PluginRecord

PYTHON, PACKAGES, PARTS = "system.python", "system.packages", "system.extras"
DESCRIPTORS, SANDBOX = "system.descriptors", "system.sandbox"
CONFINEMENT = "system.confinement"
MIN_PYTHON = (3, 11)
CLIENTS = 4_000
"""The maximum number of clients of a server worker. It is repeated here, because importing
gunicorn's configuration has side effects. A test compares both.
"""
MARGIN = 200
"""Descriptors for the database, analyzers and upstreams."""
SANDBOX_SECONDS = 7.0
DISTRIBUTION = "codeintel"
_PROVE = (
    "from codeintel.platform.sandbox import weakness;"
    "reason = weakness(); print(reason or 'shut', end='')"
)


def look_at_system(_installation: Installation) -> Iterator[Finding]:
    """Yield the findings."""
    yield _python(sys.version_info[:2], has_sound_patterns=has_sound_patterns())
    yield from or_ok(
        unfit(_requirements()),
        PACKAGES,
        "All required packages are installed in supported versions.",
    )
    yield from _extras()
    yield descriptors(*resource.getrlimit(resource.RLIMIT_NOFILE), clients=CLIENTS)


def look_at_sandbox(installation: Installation) -> Iterator[Finding]:
    """Check that the sandbox holds, like the service does before its first use. This runs in a
    separate process, because starting processes needs a main thread.
    """
    if installation.settings.execution != BUBBLEWRAP:
        yield skipped(SANDBOX, "CODEINTEL_EXECUTION is off.")
        return
    try:
        ended = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-P", "-c", _PROVE],
            capture_output=True,
            text=True,
            timeout=min(SANDBOX_SECONDS, installation.seconds_left),
            check=False,
        )
        told = ended.stdout or "its probes could not run"
    except subprocess.TimeoutExpired:
        told = "its probes did not end in time"
    if told == "shut":
        node = (
            "Node.js is installed, so JavaScript is run too."
            if bubblewrap.found_node() is not None
            else "Node.js is not installed, so only Python is run."
        )
        yield ok(SANDBOX, f"bubblewrap works and isolates code. {node}")
    else:
        yield error(
            SANDBOX,
            f"The sandbox is unavailable: {told}. Transformations are not compared by running "
            "them.",
            _advice(told),
        )


def look_at_confinement(installation: Installation) -> Iterator[Finding]:
    """Check how far the kernel confines worker processes."""
    mode = installation.settings.confinement
    found = state(mode)
    if found.extent is Extent.OK:
        yield ok(
            CONFINEMENT,
            f"Worker processes are confined by seccomp and Landlock (ABI {found.abi}).",
        )
    elif found.extent is Extent.OFF:
        yield warning(
            CONFINEMENT,
            "CODEINTEL_CONFINEMENT is off, so an exploited parser has all rights of the service.",
            "Remove the setting.",
        )
    else:
        told = error if mode == REQUIRED else warning
        yield told(
            CONFINEMENT,
            "This kernel does not confine workers completely. A worker process can "
            f"{'; '.join(found.missing)}.",
            "Use Linux 6.12 or newer with Landlock and seccomp enabled. In a container, use a "
            "profile that allows their system calls.",
        )


def _advice(told: str) -> str:
    """Return a fix for the kernel's error."""
    if "not installed" in told:
        return "Install the package bubblewrap, or set CODEINTEL_EXECUTION=off."
    for name, bad in (
        ("kernel/unprivileged_userns_clone", "0"),
        ("user/max_user_namespaces", "0"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1"),
    ):
        if _sysctl(name) == bad:
            key = name.replace("/", ".")
            return f"The kernel forbids it: {key} is {bad}. Change it with sysctl."
    return (
        "Allow user namespaces for this user (in a container: with its seccomp profile and "
        "capabilities), or set CODEINTEL_EXECUTION=off."
    )


def _sysctl(name: str) -> str:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return ""


def has_sound_patterns() -> bool:
    """Return whether possessive repeats of groups match. They fail in Python 3.11.0 to 3.11.4:
    https://github.com/python/cpython/issues/106052.
    """
    return re.fullmatch(r"(?:(?!\*/).)*+\*/", "text */") is not None


def _python(found: tuple[int, int], *, has_sound_patterns: bool) -> Finding:
    if found < MIN_PYTHON:
        needed = ".".join(map(str, MIN_PYTHON))
        return error(
            PYTHON,
            f"Python {platform.python_version()} is too old.",
            f"Install codeintel with Python {needed} or newer.",
        )
    if not has_sound_patterns:
        return warning(
            PYTHON,
            f"Regular expressions of Python {platform.python_version()} have a bug, so that some "
            "comments, suppressions and secrets are missed.",
            "Install codeintel with Python 3.11.5 or newer.",
        )
    return ok(PYTHON, f"Python {platform.python_version()}, {platform.platform()}.")


def _extras() -> Iterator[Finding]:
    """Report the installed extras. A missing one is not a problem."""
    missing = [each for each in EXTRAS if each.is_missing]
    there = [each.name for each in EXTRAS if each not in missing]
    if there:
        yield ok(PARTS, f"Installed extras: {', '.join(there)}.")
    for each in missing:
        yield skipped(PARTS, f"{each.refusal}.")


def _requirements() -> Sequence[str] | None:
    """Return the requirements of the installed distribution, or None if it is not installed."""
    try:
        return requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return None


def unfit(requirements: Sequence[str] | None) -> Iterator[Finding]:
    """Yield a finding for each requirement that is not met.

    :param requirements: in the format of distributions. Those of extras are skipped.
    """
    if requirements is None:
        yield skipped(PACKAGES, "codeintel runs from its source and is not installed.")
        return
    for each in map(Requirement, requirements):
        if each.marker is not None and not each.marker.evaluate({"extra": ""}):
            continue
        try:
            found = version(each.name)
        except PackageNotFoundError:
            found = ""
        if not found or not each.specifier.contains(found, prereleases=True):
            what = f"has version {found}" if found else "is not installed"
            yield error(
                PACKAGES,
                f"{each.name} {what}, but {each.specifier or 'any version'} is required.",
                "Reinstall codeintel in a separate environment.",
            )


def descriptors(soft: int, hard: int, *, clients: int) -> Finding:
    """Check that a worker may open enough descriptors for all of its clients.

    :param soft: the limit of descriptors. `hard` is the highest possible limit. -1 for no limit.
    :param clients: the maximum number of a server worker.
    """
    needed = clients + MARGIN
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return ok(
            DESCRIPTORS, f"A process can open {soft if soft >= 0 else 'any number of'} files."
        )
    how = "`ulimit -n`" if hard == resource.RLIM_INFINITY or hard >= needed else "limits.conf"
    return warning(
        DESCRIPTORS,
        f"A process started here can open {soft} files. A server worker accepts up to {clients} "
        f"clients and needs about {needed}.",
        f"Raise the limit with {how}, or for a systemd service with LimitNOFILE={2 * needed}.",
    )


LOADED, ABANDONED = "plugins.loaded", "plugins.abandoned"


def look_at_plugins(installation: Installation) -> Iterator[Finding]:
    """Load the plugins like the service does at startup."""
    try:
        plugins = installation.plugins.get()
    except Collision as collision:
        yield error(LOADED, f"{collision} The service does not start.", "Remove one of the two.")
    except Unavailable as why:
        yield error(LOADED, f"The plugins could not be loaded: {why}", "Correct the setting first.")
    else:
        records = plugins.manager.records
        broken = [each for each in records if each.error]
        for each in broken:
            yield error(
                LOADED,
                f"{each.name} ({each.location}) is not in use: {each.error}.",
                "Correct or remove it, then restart the service, which runs without it.",
            )
        if not broken:
            off = sum(each.disabled for each in records)
            yield ok(LOADED, f"{len(records) - off} plugins{f', and {off} disabled' * bool(off)}.")
        yield from or_ok(
            [*_idle(records), *_never_loaded(installation.settings.instance / "plugins")],
            ABANDONED,
            "All files in the folder are loaded.",
        )


def _idle(records: list[PluginRecord]) -> Iterator[Finding]:
    for each in records:
        if each.advice:
            yield warning(
                ABANDONED,
                f"{each.name} ({each.location}) {each.advice}",
                "Add the marker, or remove the plugin.",
            )


def _never_loaded(folder: Path) -> Iterator[Finding]:
    """Report files that are not loaded, because their names do not end in `.py`."""
    if not folder.is_dir():
        return
    left = sorted(
        each.name
        for each in folder.iterdir()
        if each.name != "__pycache__" and (each.suffix != ".py" or not each.is_file())
    )
    if left:
        yield warning(
            ABANDONED,
            f"{', '.join(left)} in {folder} are ignored. Only files that end in .py are loaded.",
            "Move unused files elsewhere. Install a plugin with several files as a package "
            "(docs/hooks.md).",
        )
