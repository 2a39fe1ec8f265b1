"""The shape of the house: its top, its folders, and the engine that needs no service."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
AT_THE_TOP = 18
IN_A_FOLDER = 15
NOT_CODE = {"__init__.py", "__pycache__", "py.typed"}
EVERYTHING_IN_THE_ENGINE = """
import importlib, pkgutil, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"flask", "gevent", "redis", "sqlalchemy", "werkzeug"}:
            raise ImportError(f"the engine imports {name}")

sys.meta_path.insert(0, Refuse())
import codeintel.engine

for module in pkgutil.walk_packages(codeintel.engine.__path__, "codeintel.engine."):
    if ".inside" not in module.name:  # other programs, which run in the sandbox
        importlib.import_module(module.name)
print(*{".".join(name.split(".")[:2]) for name in sys.modules if name.startswith("codeintel.")})
"""


def test_the_top_is_small() -> None:
    entries = {path.name for path in (ROOT / "codeintel").iterdir()} - NOT_CODE
    assert len(entries) <= AT_THE_TOP, sorted(entries)


def test_folders_have_few_files() -> None:
    files = Counter(
        str(path.parent.relative_to(ROOT))
        for root in (ROOT / "codeintel", ROOT / "plugins/codeintel_plugins")
        for path in root.rglob("*.py")
        if path.parent.name != "versions"  # of the database's schema: one more with each
    )
    assert {folder for folder, count in files.items() if count > IN_A_FOLDER} == set()


def test_only_one_module_creates_parsers() -> None:
    """Check that texts are parsed where their trees are cached and counted."""
    creating = {
        str(path.relative_to(ROOT))
        for root in (ROOT / "codeintel", ROOT / "plugins/codeintel_plugins")
        for path in root.rglob("*.py")
        if re.search(r"\b(?<!def )Parser\(", path.read_text())
    }
    assert creating == {"codeintel/engine/syntax.py"}


def test_the_engine_needs_no_service() -> None:
    """Check that it imports neither the frameworks nor the service, except for contracts and
    independent modules."""
    ended = subprocess.run(
        [sys.executable, "-c", EVERYTHING_IN_THE_ENGINE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert set(ended.stdout.split()) == {
        "codeintel.base",
        "codeintel.contracts",
        "codeintel.engine",
    }
