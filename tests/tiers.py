"""The tier of each test, by what marks it, what it uses and which folder it is in.

A test of the tier `unit` starts no process and opens no connection: one that does fails.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
TIERS = {
    "unit": "starts no process and opens no connection",
    "rules": "holds rules and their tables to examples",
    "engine": "analyses, rewrites and proves, with the processes that this takes",
    "service": "has an application, a database or another server",
    "browser": "drives Chromium",
    "e2e": "talks to a service in processes of its own, or runs its commands",
    "timing": "bounds what something takes, so it may fail once on a busy machine",
}
FOLDERS = {
    "browser": "browser",
    "cli": "e2e",
    "contract": "e2e",
    "docs": "e2e",
    "doctor": "e2e",
    "oidc": "e2e",
    "server": "e2e",
    "verdaccio": "e2e",
    "flow": "rules",
    "patterns": "rules",
    "symbolic": "rules",
    "taint": "rules",
    "complexity": "engine",
    "confinement": "engine",
    "grammars": "engine",
    "linters": "engine",
    "static": "engine",
    "transformations": "engine",
    "verification": "engine",
    "workers": "engine",
    "backups": "service",
    "db": "service",
    "jobs": "service",
    "limits": "service",
    "runs": "service",
}
"""The tiers of folders; that of any other is `unit`."""
FILES: dict[str, str] = {}
"""Those of files that differ from their folder's."""
SERVICES = frozenset({"make_app", "own_postgres", "own_redis", "postgres_server", "redis_server"})
"""Fixtures that make a test of a `unit` folder one of a service."""
FORBIDDEN = frozenset({"os.fork", "os.posix_spawn", "socket.bind", "socket.connect"})
"""What no test of the tier `unit` does, by the names of Python's audit events."""

_seen: set[str] | None = None


def folder_of(path: Path) -> str:
    """The folder below `tests` that a file is in; nothing for a file beside this one."""
    parts = path.relative_to(TESTS).parts
    return parts[0] if len(parts) > 1 else ""


def base_tier(path: Path) -> str:
    """The tier of a file's tests that use and bound nothing."""
    name = path.relative_to(TESTS).as_posix()
    return FILES.get(name) or FOLDERS.get(folder_of(path), "unit")


def tier_of(item: pytest.Item) -> str:
    """A test's tier."""
    if item.get_closest_marker("alone") or item.get_closest_marker("timing"):
        return "timing"
    own = [tier for tier in TIERS if item.get_closest_marker(tier)]
    tier = own[0] if own else base_tier(item.path)
    return "service" if tier == "unit" and _uses_services(item) else tier


def _uses_services(item: pytest.Item) -> bool:
    if not SERVICES.isdisjoint(getattr(item, "fixturenames", ())):
        return True
    call = getattr(item, "callspec", None)
    return call is not None and any(value == "postgresql" for value in _words(call.params.values()))


def _words(values: Iterable[Any]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str))


def mark(items: list[pytest.Item]) -> None:
    """Give each test the mark of its tier."""
    for item in items:
        item.add_marker(tier_of(item))


def watch() -> None:
    """Have :func:`kept_within` see what happens."""
    sys.addaudithook(_hear)


def _hear(event: str, _: tuple[Any, ...]) -> None:
    if _seen is not None and event in FORBIDDEN:
        _seen.add(event)


def kept_within(item: pytest.Item) -> Iterator[None]:
    """Run a test, and fail it if it is of the tier `unit` and did what these do not."""
    global _seen
    if not item.get_closest_marker("unit"):
        return (yield)
    _seen = set()
    try:
        result = yield
        if _seen:
            pytest.fail(f"{', '.join(sorted(_seen))}: `tests/tiers.py` must name another tier")
        return result
    finally:
        _seen = None
