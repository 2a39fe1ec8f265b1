"""The tier of each test, by what marks it, what it uses and which folder it is in.

A test of the tier `unit` starts no process and opens no connection: one that does fails.
"""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.expression import Expression

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
    "docs": "e2e",
    "doctor": "e2e",
    "server": "e2e",
    "cross_files": "rules",
    "flow": "rules",
    "patterns": "rules",
    "prose": "rules",
    "symbolic": "rules",
    "taint": "rules",
    "complexity": "engine",
    "demo": "engine",
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
FILES = {
    "api/trust_network/test_network_caching.py": "service",
    "api/trust_network/test_network_comparisons.py": "service",
    "api/trust_network/test_network_packages.py": "service",
    "api/trust_network/test_network_refusals.py": "service",
    "client/test_client_live.py": "e2e",
    "client/test_paths_outside.py": "e2e",
    "client/test_repository_git.py": "e2e",
    "client/test_unreadable_paths.py": "e2e",
    "demo/test_demo_data.py": "unit",
    "frontend/test_frontend_build.py": "e2e",
    "frontend/test_scripts.py": "e2e",
    "keys/test_pepper.py": "service",
    "metrics/test_metric_addresses.py": "e2e",
    "metrics/test_metric_families.py": "service",
    "metrics/test_metric_labels.py": "service",
    "metrics/test_metric_sharing.py": "service",
    "openai/test_connection_reuse.py": "service",
    "openai/test_connections.py": "service",
    "plugins/test_contracts.py": "engine",
    "security/test_header_values.py": "service",
    "security/test_raw_requests.py": "e2e",
    "security/test_regular_expressions.py": "engine",
    "security/test_server_side_requests.py": "service",
    "suppressions/test_suppressions_hostile.py": "engine",
    "test_bytecode_build.py": "e2e",
    "test_deploy_files.py": "e2e",
    "test_house.py": "e2e",
    "test_packaging.py": "e2e",
    "test_secret_files.py": "service",
    "trust/forecasts/test_forecast_command.py": "e2e",
    "trust/forecasts/test_forecast_process.py": "service",
    "trust/network/test_ranking_process.py": "service",
    "trust/test_trust_asking.py": "service",
    "web/reference/test_reference_examples.py": "service",
    "web/reference/test_reference_examples_live.py": "e2e",
    "web/reference/test_reference_schemas.py": "service",
}
"""Those of files that differ from their folder's."""
DOWNLOADING = ("contract", "oidc", "verdaccio")
"""Marks of tests that install tools from registries: they run where `-m` asks for them."""
LONG = ("engine", "browser", "e2e", "timing")
"""Tiers that CI runs, and others where they ask for them by a path or a mark."""
ORDER = ("e2e", "browser", "engine", "service", "rules", "unit")
"""With several processes, files that take long come first, so that they do not run alone at the
end."""
SERVICES = frozenset(
    {
        "make_app",
        "own_postgres",
        "own_redis",
        "postgres_server",
        "redis_server",
        "shared_app",
    }
)
"""Fixtures that make a test of a `unit` folder one of a service."""
FORBIDDEN = frozenset(
    {
        *("os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.spawn", "os.system"),
        *("pty.spawn", "socket.bind", "socket.connect", "subprocess.Popen"),
    }
)
"""What no test of the tier `unit` does, by the names of Python's audit events."""

_seen: set[str] | None = None


def folder_of(path: Path) -> str:
    """Return the folder below `tests` that a file is in, or an empty text for a file directly in
    it."""
    parts = path.relative_to(TESTS).parts
    return parts[0] if len(parts) > 1 else ""


def base_tier(path: Path) -> str:
    """Return the tier of a file's tests that use no services and have no time limits."""
    name = path.relative_to(TESTS).as_posix()
    return FILES.get(name) or FOLDERS.get(folder_of(path), "unit")


def tier_of(item: pytest.Item) -> str:
    """Return a test's tier."""
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


def leave_out_the_long(config: pytest.Config) -> None:
    """Run the tests that a change needs before a commit if `-m` is missing, or all of the given
    paths."""
    if not config.option.markexpr:
        is_named = config.args_source is pytest.Config.ArgsSource.ARGS
        left_out = DOWNLOADING if is_named else (*DOWNLOADING, *LONG)
        config.option.markexpr = " and ".join(f"not {mark}" for mark in left_out)


def is_left_out(path: Path, expression: str) -> bool:
    """Return whether `-m` excludes all tests of a file.

    Then the file need not be imported. Importing all files takes a process longer than many of
    them.
    """
    names = set(re.findall(r"\w+", expression)) - {"and", "or", "not"}
    is_test = path.name.startswith("test_") and path.suffix == ".py"
    if not is_test or not names or not names <= {*TIERS, *DOWNLOADING}:
        return False
    asks = Expression.compile(expression).evaluate
    return not any(asks(partial(operator.eq, tier)) for tier in possible_tiers(path))


def possible_tiers(path: Path) -> set[str]:
    """Return the marks by tier, and by what is downloaded, that tests of a file may have."""
    base, text = base_tier(path), path.read_text()
    found = {base, "service"} if base == "unit" else {base}
    marks = set(re.findall(r"\bmark\.(\w+)", text))
    return found | (marks & {*TIERS, *DOWNLOADING}) | ({"timing"} if "alone" in marks else set())


def mark(items: list[pytest.Item]) -> None:
    """Give each test the mark of its tier; those that install tools are of none."""
    for item in items:
        if not any(item.get_closest_marker(each) for each in DOWNLOADING):
            item.add_marker(tier_of(item))


def put_in_order(items: list[pytest.Item]) -> None:
    """Put files with long tests first; see :data:`ORDER`. Those that wait for npm come before."""
    ranks = {tier: rank for rank, tier in enumerate(ORDER, 1)}
    downloading = {TESTS / folder for folder in DOWNLOADING}
    items.sort(
        key=lambda item: (
            0 if item.path.parent in downloading else ranks.get(base_tier(item.path), 1)
        )
    )


def watch() -> None:
    """Start recording events for :func:`within_tier`."""
    sys.addaudithook(_hear)


def begin(item: pytest.Item) -> None:
    """Record the actions of a test and its fixtures, if it is of the tier `unit`."""
    global _seen
    _seen = set() if item.get_closest_marker("unit") else None


def _hear(event: str, _: tuple[Any, ...]) -> None:
    if _seen is not None and event in FORBIDDEN:
        _seen.add(event)


def within_tier() -> Iterator[None]:
    """Run a test, and fail it if it did what no test of its tier does."""
    global _seen
    result = yield
    if _seen:
        pytest.fail(f"{', '.join(sorted(_seen))}: `tests/tiers.py` must name another tier", False)
    _seen = None
    return result
