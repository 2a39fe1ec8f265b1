"""Classes stay flat: shared code is held or passed, and differences are in tables."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import codeintel_plugins
import pytest

import codeintel

LONGEST = 3
"""Classes in a chain from a class up to the last base that is in this project."""
UNWRITTEN = frozenset({"_no_decorators"})
"""The functions that may raise NotImplementedError. flask-limiter requires a function that
identifies the client, and calls it for decorators, which are not used."""


class Project:
    """The modules of some packages, by their names, as syntax trees.

    :param roots: the folders of the packages.
    """

    def __init__(self, roots: list[Path]) -> None:
        self.statements: dict[str, list[ast.stmt]] = {}
        for root in roots:
            for file in sorted(root.rglob("*.py")):
                parts = (root.name, *file.relative_to(root).with_suffix("").parts)
                name = ".".join(parts).removesuffix(".__init__")
                self.statements[name] = list(_statements(ast.parse(file.read_text("utf-8")).body))
        self._names = {name: _imported(found) for name, found in self.statements.items()}
        self._classes = {
            f"{name}.{node.name}": (name, node)
            for name, found in self.statements.items()
            for node in found
            if isinstance(node, ast.ClassDef)
        }

    def full_name(self, module: str, name: str) -> str:
        """Return the origin of a module's name, through all modules that re-export it."""
        for _ in range(10):
            found = self._names.get(module, {}).get(name)
            if found is None or f"{module}.{name}" in self._classes:
                break
            module, _, name = found.rpartition(".")
        return f"{module}.{name}"

    def chain(self, name: str) -> tuple[str, ...]:
        """Return the longest chain of our classes from a class upwards."""
        if name not in self._classes:
            return ()
        module, node = self._classes[name]
        above = [self.chain(self._base(module, base)) for base in node.bases]
        return (name, *max(above, key=len, default=()))

    def _base(self, module: str, base: ast.expr) -> str:
        if isinstance(base, ast.Subscript):  # `Base[T]`
            base = base.value
        if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):  # `module.Base`
            return f"{self.full_name(module, base.value.id)}.{base.attr}"
        return self.full_name(module, base.id) if isinstance(base, ast.Name) else ""

    def long_chains(self) -> dict[str, tuple[str, ...]]:
        """Return the classes at the end of a chain that is too long, with the chain."""
        chains = {name: self.chain(name) for name in self._classes}
        return {name: chain for name, chain in chains.items() if len(chain) > LONGEST}

    def unwritten(self) -> list[str]:
        """Return the functions that raise NotImplementedError."""
        return [
            f"{name}.{node.name}"
            for name, found in self.statements.items()
            for node in found
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and any(map(_is_unwritten, node.body))
        ]


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, including nested ones, except for those in expressions."""
    for each in body:
        yield each
        for inner in ("body", "orelse", "finalbody", "handlers"):
            yield from _statements(getattr(each, inner, []))


def _imported(statements: list[ast.stmt]) -> dict[str, str]:
    """Return the full names of what a module imports, by the names that it has there."""
    return {
        each.asname or each.name: f"{node.module}.{each.name}"
        for node in statements
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for each in node.names
    }


def _is_unwritten(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Raise):
        return False
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


@pytest.fixture(scope="module")
def ours() -> Project:
    return Project([Path(each) for p in (codeintel, codeintel_plugins) for each in p.__path__])


def test_chains_of_classes_are_short(ours: Project) -> None:
    assert ours.long_chains() == {}


def test_only_contracts_declare_what_others_write(ours: Project) -> None:
    found = [name for name in ours.unwritten() if not name.startswith("codeintel.contracts.")]
    assert {name.rpartition(".")[2] for name in found} == UNWRITTEN


def test_all_of_the_project_is_looked_at(ours: Project) -> None:
    assert len(ours.statements) > 400
    assert ours.chain("codeintel_plugins.taint.TaintAnalyzer") == (
        "codeintel_plugins.taint.TaintAnalyzer",
        "codeintel.contracts.analysis.Analyzer",
    )


def test_a_tower_is_found_through_modules_that_pass_names_on(tmp_path: Path) -> None:
    package = tmp_path / "tower"
    package.mkdir()
    (package / "__init__.py").write_text("from tower.one import One\n")
    (package / "one.py").write_text(
        "class Zero(Exception): pass\n"
        "class One(Zero):\n"
        "    def run(self):\n"
        '        """Run."""\n'
        "        raise NotImplementedError\n"
    )
    (package / "two.py").write_text("from tower import One as First\nclass Two(First[int]): pass\n")
    (package / "three.py").write_text("from tower import two\nclass Three(two.Two): pass\n")
    project = Project([package])
    tower = ("tower.three.Three", "tower.two.Two", "tower.one.One", "tower.one.Zero")
    assert project.long_chains() == {"tower.three.Three": tower}
    assert project.unwritten() == ["tower.one.run"]
