"""The shape of the house: its top, its folders, what packages offer, and the engine that needs no
service."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Container, Iterator
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
AT_THE_TOP = 18
IN_A_FOLDER = 15
NOT_CODE = {"__init__.py", "__pycache__", "py.typed"}
OPEN = {"codeintel.base", "codeintel.contracts"}
"""Packages whose modules all others may import."""
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


def code() -> dict[str, ast.Module]:
    """Return the modules of the project, by their names."""
    found = {}
    for root in (ROOT, ROOT / "plugins"):
        for path in sorted(root.glob("codeintel*/**/*.py")):
            if "inside" not in path.parts:  # another program, which runs in the sandbox
                name = ".".join(path.relative_to(root).with_suffix("").parts)
                found[name.removesuffix(".__init__")] = ast.parse(path.read_text())
    return found


def package_of(module: str) -> str:
    """Return the package of the service, such as `codeintel.runs`, that a module belongs to."""
    return ".".join(module.split(".")[:2])


def offered() -> dict[str, set[str]]:
    """Return the modules that each package lists in its docstring, without the package itself."""
    lists = {}
    for path in sorted((ROOT / "codeintel").glob("*/__init__.py")):
        text = ast.get_docstring(ast.parse(path.read_text())) or ""
        _, _, names = text.partition("Other packages import only ")
        lists[f"codeintel.{path.parent.name}"] = set(re.findall(r"`([\w.]+)`", names))
    return {package: names for package, names in lists.items() if package not in OPEN}


def modules_in(node: ast.AST, known: Container[str]) -> Iterator[str]:
    """Yield the known modules that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names if each.name in known)
    elif isinstance(node, ast.ImportFrom):
        names = (f"{node.module}.{each.name}" for each in node.names)
        yield from (name if name in known else str(node.module) for name in names)


def imported() -> dict[str, set[str]]:
    """Return the modules of each package that other packages import."""
    modules = code()
    found: dict[str, set[str]] = {package: set() for package in offered()}
    for importer, tree in modules.items():
        for name in chain.from_iterable(modules_in(node, modules) for node in ast.walk(tree)):
            package = package_of(name)
            if package in found and package not in (name, package_of(importer)):
                found[package].add(name.removeprefix(f"{package}."))
    return found


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


def test_packages_say_what_they_offer() -> None:
    """Check that the docstring of each package lists exactly the modules that others import."""
    found = imported()
    different = {package: names ^ found[package] for package, names in offered().items()}
    assert {package: names for package, names in different.items() if names} == {}


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
